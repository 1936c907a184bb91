"""Whether a matrix is one of inner products."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hardlimit.exceptions import Given, InputError, Suggestion
from hardlimit.foundation import dtypes

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

    from hardlimit.foundation.types import Array


LARGEST = 2048  # rows of the matrix that is factorised; a third of a cubed number of operations

VOID = (
    "so that it is no matrix of inner products: a separating vector need not exist, the bound on "
    "the mistakes is void and ||w||^2 may be negative"
)


def check_square(K: Array, who: str) -> None:
    """Refuse a matrix that is not square."""
    if K.ndim != 2 or K.shape[0] != K.shape[1]:
        raise InputError(
            who=who,
            got=Given(f"a matrix of shape {K.shape}"),
            wanted="(n, n): K(x_i, x_j) of all examples of the fit",
            fix="the (m, n) values of new ones with them go to predict",
        )


def check_semidefinite(K: object, who: str = "kernel", precision: float | None = None) -> None:
    """Refuse a square matrix that is not symmetric and positive semi-definite, and say why.

    Looks at the diagonal, the symmetry, every ``K_ij^2 <= K_ii K_jj``, and whether a Cholesky
    factor exists once the rounding of the entries is added to the diagonal: of the whole matrix up
    to 2,048 rows, beyond that of as many rows spread over it (a part of a semi-definite matrix is
    semi-definite, so that no positive semi-definite matrix is refused).

    ``precision`` is the relative rounding of the entries; by default that of K's own type, so that
    a matrix that was computed in float32 may be off by more than one of float64.

    Raises
    ------
    InputError
        With the entries that show it, what it makes invalid, and what to do instead.
    """
    K = np.asarray(K)
    if precision is None:
        precision = precision_of(K.dtype)
    K = K.astype(np.float64, copy=False)
    check_square(K, who)
    reason = _reason(K, precision)
    if reason:
        indefinite = Suggestion("kernels.Precomputed", indefinite=True)
        fix = ("use another kernel, or ", indefinite, " to learn all the same")
        raise InputError(f"{reason}, {VOID}", who=who, fix=fix)


def precision_of(dtype: DTypeLike) -> float:
    """What an entry may be off by for the greatest: the rounding of a long sum in that type.

    >>> precision_of(np.float64), precision_of(np.int8), round(precision_of(np.float32), 8)
    (1e-10, 1e-10, 9.5e-07)
    """
    dtype = np.dtype(dtype)
    if not dtypes.is_floating(dtype) or dtype.itemsize >= 8:
        return 1e-10
    return 8 * float(np.finfo(dtype).eps)


def _reason(K: Array, precision: float) -> str:
    diagonal = K.diagonal()
    scale = float(np.abs(K).max(initial=0.0))
    if scale == 0:
        return ""
    slack = precision * scale
    i = int(diagonal.argmin())
    if diagonal[i] < -slack:
        return f"K[{i}, {i}] = {diagonal[i]:g} is negative"
    skew = np.abs(K - K.T)
    i, j = (int(n) for n in np.unravel_index(int(skew.argmax()), skew.shape))
    if skew[i, j] > 100 * slack:
        return f"K[{i}, {j}] = {K[i, j]:g} differs from K[{j}, {i}] = {K[j, i]:g}"
    lengths = np.sqrt(np.maximum(diagonal, 0))
    excess = np.abs(K) - np.multiply.outer(lengths, lengths)
    i, j = (int(n) for n in np.unravel_index(int(excess.argmax()), excess.shape))
    if excess[i, j] > 100 * slack:
        return (
            f"K[{i}, {j}] = {K[i, j]:g} exceeds the lengths of its two examples, "
            f"{lengths[i]:g} x {lengths[j]:g}"
        )
    return _no_factor(K, slack)


def _no_factor(K: Array, slack: float) -> str:
    n = len(K)
    rows = np.linspace(0, n - 1, min(n, LARGEST)).astype(int)
    part = K[np.ix_(rows, rows)] if n > LARGEST else K
    lifted = (part + part.T) / 2
    lifted.flat[:: len(lifted) + 1] += slack * len(lifted)
    try:
        np.linalg.cholesky(lifted)
    except np.linalg.LinAlgError:
        return "it has a negative eigenvalue (its Cholesky factor does not exist)"
    return ""
