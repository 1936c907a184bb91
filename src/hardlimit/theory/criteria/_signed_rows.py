"""From examples and targets to signed, augmented rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hardlimit.exceptions import Given, InputError
from hardlimit.foundation.exact_numbers import Scalar
from hardlimit.foundation.formatting import plural

if TYPE_CHECKING:
    from hardlimit.foundation.types import ArrayLike, Labels


def signed_rows(X: ArrayLike, y: Labels, bias_feature: Scalar | None = 1) -> Any:
    """Return ``z = y (x, s)`` for every example, so that ``z w > 0`` says "right" for both classes.

    ``s`` is the constant feature of the bias, -1 where it is a threshold, None for none. A list of
    rows gives a list of tuples in the numbers given; an array gives an array, CSR gives CSR. The
    rows keep their length: "normalised", as they are sometimes called, means the sign alone.

    Raises ``InputError`` where a target is neither -1 nor +1.

    >>> signed_rows([[2, 3], [4, 5]], [1, -1])
    [(2, 3, 1), (-4, -5, -1)]
    """
    rows: Any = X
    targets = list(y)
    n_rows = rows.shape[0] if hasattr(rows, "shape") else len(rows)
    if len(targets) != n_rows:
        raise InputError(
            who="signed_rows",
            got=Given(f"{plural(n_rows, 'row')} and {plural(len(targets), 'target')}"),
            wanted="a target for each row",
        )
    for i, target in enumerate(targets):
        if target not in (-1, 1):
            raise InputError(
                who=f"signed_rows: row {i}",
                parameter="y",
                got=target,
                wanted="-1 or +1",
                fix="for two classes write [1 if label == second else -1 for label in labels]",
            )
    if hasattr(rows, "dtype"):
        return _sign_arrays(rows, targets, bias_feature)
    bias = () if bias_feature is None else (bias_feature,)
    return [tuple(target * a for a in (*x, *bias)) for x, target in zip(rows, targets, strict=True)]


def _sign_arrays(X: Any, targets: list[Any], bias_feature: Scalar | None) -> Any:
    # Late: lists of numbers need neither numpy nor the engine.
    import numpy as np

    from hardlimit.engine import as_csr, is_sparse

    signs = np.asarray(targets, dtype=float)[:, None]
    bias = np.full(signs.shape, 0 if bias_feature is None else bias_feature, dtype=float)
    if not is_sparse(X):
        rows = X if bias_feature is None else np.hstack([X, bias])
        return rows * signs
    from scipy.sparse import csr_matrix, hstack

    rows = X if bias_feature is None else hstack([X, csr_matrix(bias)])
    return csr_matrix(as_csr(rows).multiply(signs))
