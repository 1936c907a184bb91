"""A kernel that was computed elsewhere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from hardlimit.exceptions import Given, InputError, KindError
from hardlimit.foundation.parameters import as_float
from hardlimit.kernels._protocol import Array, Kernel

if TYPE_CHECKING:
    from hardlimit.foundation.types import ArrayLike


@dataclass(frozen=True)
class Precomputed(Kernel):
    """X is the matrix of all ``K(x_i, x_j)``: (n, n) in ``fit``, (m, n) in ``predict``.

    indefinite : whether a matrix that is not positive semi-definite is learnt from all the same.
        It is no matrix of inner products then: no separating vector needs to exist, the bound
        ``(radius / gamma)^2`` on the mistakes is void, and ``||w||^2`` may come out negative.

    The matrix must be symmetric and positive semi-definite; ``fit`` looks (see
    :func:`hardlimit.kernels.check_semidefinite`). Cost of a value: one access.

    Examples
    --------
    >>> from hardlimit import KernelClassifier, kernels
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    >>> K = kernels.Polynomial(2)(X, X)
    >>> KernelClassifier("precomputed", order="cyclic").fit(K, y).predict(K)
    array([0, 1, 1, 0])
    """

    indefinite: bool = False
    given: ClassVar[bool] = True

    def __post_init__(self) -> None:
        # A model file has numbers.
        value: Any = self.indefinite
        if not isinstance(value, np.bool_) and as_float(value) not in (0, 1):
            raise KindError(
                who="kernels.Precomputed",
                parameter="indefinite",
                got=self.indefinite,
                wanted="True or False",
            )

    def __call__(self, X: ArrayLike, Z: ArrayLike) -> Array:
        """Refused: there are no rows to multiply."""
        raise InputError(
            who="kernels.Precomputed",
            got=Given("rows"),
            wanted="the matrix K(x_i, x_j) itself",
        )
