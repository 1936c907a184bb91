"""The numbers of a matrix, whatever it was given as: floats for finders, exact values beside them.

Floats are exact as they stand. Integers beyond 2^53 and fractions are not floats: their exact
values are kept beside the nearest floats.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
Exact = int | Fraction


@dataclass
class Entries:
    """A matrix of finite numbers.

    Parameters
    ----------
    shape
        Rows and columns.
    dense
        float64; None where ``csr`` holds the values that are not 0.
    csr
        (values, indices, indptr), columns ascending in each row.
    exact
        The exact value of each of the CSR values, where a float may not hold it.
    """

    shape: tuple[int, int]
    dense: Array | None = None
    csr: tuple[Array, Array, Array] | None = None
    exact: list[Exact] | None = None

    @cached_property
    def _made(self) -> tuple[Array, Array, Array]:
        if self.csr is not None:
            return self.csr
        assert self.dense is not None
        row, column = np.nonzero(self.dense)
        indptr = np.searchsorted(row, np.arange(self.shape[0] + 1))
        return self.dense[row, column], column, indptr

    @property
    def values(self) -> Array:
        """The values that are not 0, as floats."""
        return self._made[0]

    @property
    def indices(self) -> Array:
        """Their columns."""
        return self._made[1]

    @property
    def indptr(self) -> Array:
        """Where rows start."""
        return self._made[2]

    def signed(self, target: Array, bias: float | None) -> Entries:
        """The rows with a last column of the bias, multiplied by their targets."""
        widened = self if bias is None else self._widened(float(bias))
        # A sign is exact in floats, so that dense floats stay as they lie.
        if widened.dense is not None and widened.exact is None:
            return Entries(widened.shape, np.ascontiguousarray(widened.dense * target[:, None]))
        lengths = np.diff(widened.indptr)
        signs = np.repeat(target, lengths)
        csr = (widened.values * signs, widened.indices, widened.indptr)
        if widened.exact is None:
            return Entries(widened.shape, csr=csr)
        exact = [v * int(s) for v, s in zip(widened.exact, signs.tolist(), strict=True)]
        return Entries(widened.shape, fill_dense(widened.shape, csr), csr, exact)

    def _widened(self, bias: float) -> Entries:
        n_rows, n_columns = self.shape
        shape = (n_rows, n_columns + 1)
        if self.dense is not None and self.exact is None:
            return Entries(shape, np.hstack([self.dense, np.full((n_rows, 1), bias)]))
        ends = self.indptr[1:]
        csr = (
            np.insert(self.values, ends, bias),
            np.insert(self.indices, ends, n_columns),
            self.indptr + np.arange(n_rows + 1),
        )
        if self.exact is None:
            return Entries(shape, csr=csr)
        exact: list[Exact] = []
        for begin, end in zip(self.indptr[:-1].tolist(), ends.tolist(), strict=True):
            exact += [*self.exact[begin:end], Fraction(bias)]
        return Entries(shape, fill_dense(shape, csr), csr, exact)


def fill_dense(shape: tuple[int, int], csr: tuple[Array, Array, Array]) -> Array:
    """The dense matrix of CSR values."""
    dense = np.zeros(shape)
    dense[np.repeat(np.arange(shape[0]), np.diff(csr[2])), csr[1]] = csr[0]
    return dense
