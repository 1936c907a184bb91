"""Any Python function of two matrices or of two rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from hardlimit.exceptions import Given, InputError
from hardlimit.kernels._protocol import Array, Kernel


@dataclass(frozen=True)
class Function(Kernel):
    """``k(X, Z) -> (n, m)``, or ``k(x, z) -> number`` of two rows."""

    function: Any
    computed: ClassVar[bool] = False

    def __call__(self, X: Any, Z: Any) -> Array:
        """The matrix of all values."""
        by_rows = self._by_rows(X, Z) if self._takes_rows(X, Z) else self.function(X, Z)
        return self._checked(by_rows, (len(X), len(Z)))

    @property
    def _name(self) -> str:
        return f"kernel {self.function!r}"

    def _takes_rows(self, X: Array, Z: Array) -> bool:
        """Whether two matrices of different lengths are not what the function takes."""
        if not len(X) or not len(Z):
            return False
        n, m = 2, X.shape[1] + 3  # so that two rows cannot be taken for two matrices
        try:
            found = np.shape(self.function(X[:1].repeat(n, 0), Z[:1].repeat(m, 0)))
        except (ValueError, TypeError, IndexError):
            return True
        return bool(found != (n, m))

    def _by_rows(self, X: Array, Z: Array) -> Any:
        return [[self.function(x, z) for z in Z] for x in X]

    def _checked(self, values: Sequence[object], shape: tuple[int, int]) -> Array:
        try:
            found = np.ascontiguousarray(values, np.float64)
        except (TypeError, ValueError) as error:
            raise InputError(str(error), who=self._name, wanted="numbers") from None
        if found.shape != shape:
            raise InputError(
                "k(X, Z) gives one for each row of X and each of Z",
                who=self._name,
                got=Given(f"values of shape {found.shape}"),
                wanted=str(shape),
            )
        if not np.isfinite(found).all():
            raise InputError(who=self._name, got=Given("NaN or infinity"), wanted="numbers")
        return found
