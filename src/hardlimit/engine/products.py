"""Inner products in the space of a kernel, between the rows of two sets.

Fast, by the machine's matrix product, with bounds of what that may be off by; and exact, one after
the other in the package's order of summation (``native``). Sparse rows and matrices that were given
are multiplied exactly, or not at all: their bounds are 0.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from hardlimit import _native
from hardlimit.engine.points import Array, Points, alike
from hardlimit.exceptions import InputError
from hardlimit.foundation import memory
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.register import compiled_name

SQUARE = 16  # rows at a time of a diagonal


class Products:
    """All ``K(row, other) + bias`` of two sets of rows, computed as they are asked for."""

    def __init__(self, kernel: Any, bias: float, rows: Points, others: Points) -> None:
        self.kernel, self.bias = kernel, bias
        same = rows is others
        self.rows, self.others = alike(rows, others)
        if same:
            self.others = self.rows
        self.matrix = self._whole(same)
        self.native = self._native_gram()
        self._gathered, self._known = np.empty((0, rows.n_columns)), np.empty(0, np.int64)
        self._sqnorms: tuple[Array, Array] | None = None

    def _whole(self, same: bool) -> Array | None:
        """The matrix where it is given, or made by Python: of what has no compiled twin."""
        if self.kernel.given:
            values = self.rows.dense(np.arange(self.rows.n_rows))
        elif compiled_name(self.kernel) is None:
            n, m = self.rows.n_rows, self.others.n_rows
            memory.require(
                n * m * 8,
                f"kernel {self.kernel!r}: the values of {n:,} x {plural(m, 'row')}",
                "use fewer rows, or one of hardlimit.kernels, which are computed in parts",
            )
            X, Z = self.rows.dense(np.arange(n)), self.others.dense(np.arange(m))
            values = self.kernel(X, X if same else Z)
        else:
            return None
        return np.ascontiguousarray(values + self.bias)

    def _native_gram(self) -> _native.Gram:
        if self.matrix is not None:
            return _native.wrap_gram(self.matrix)
        name = compiled_name(self.kernel) or ""
        compiled = _native.compiled_kernel(name, self.kernel.compiled_parameters())
        if compiled is None:  # then its values were computed above, all at once
            raise ValueError(f"the kernel {name!r} has no compiled twin")
        return _native.compute_gram(self.rows.native, self.others.native, compiled, self.bias)

    def sqnorms(self) -> tuple[Array, Array]:
        """Squared lengths of the rows and of the others, computed once."""
        if self._sqnorms is None:
            first = self.rows.sqnorms
            second = first if self.others is self.rows else self.others.sqnorms
            self._sqnorms = first, second
        return self._sqnorms

    def block(self, rows: Array, others: Array) -> Array:
        """The products of these rows with these others, (n, m)."""
        if self.matrix is not None:
            values: Array = self.matrix[np.ix_(rows, others)]
            return values
        if self.rows.sparse:
            exact: Array = self.native.block(rows, others)
            return exact
        return self._multiplied(rows, self.others.dense(others), others)

    def block_of_growing(self, rows: Array, others: Array) -> Array:
        """The same, where from call to call ``others`` mostly grows at its end."""
        if self.matrix is not None or self.rows.sparse:
            return self.block(rows, others)
        return self._multiplied(rows, self._gather(others), others)

    def _gather(self, others: Array) -> Array:
        """Rows that were gathered before are not gathered again."""
        n = len(others)
        common = min(len(self._known), n)
        differ = np.flatnonzero(self._known[:common] != others[:common])
        known = int(differ[0]) if len(differ) else common
        if n > len(self._gathered):
            grown = np.empty((max(n, 2 * len(self._gathered), 64), self.rows.n_columns))
            grown[:known] = self._gathered[:known]
            self._gathered = grown
        self._gathered[known:n] = self.others.dense(others[known:])
        self._known = others
        return self._gathered[:n]

    def _multiplied(self, rows: Array, others: Array, numbers: Array) -> Array:
        sqnorms_rows, sqnorms_others = self.sqnorms()
        with np.errstate(over="ignore", invalid="ignore"):  # the scores are looked at
            values: Array = self.kernel.multiply(
                self.rows.dense(rows), others, sqnorms_rows[rows], sqnorms_others[numbers]
            )
        if self.bias:
            values += self.bias
        return values

    def diagonal(self) -> Array:
        """All ``K(x, x)`` of the rows, where the others are the same. Cost: O(rows)."""
        if self.matrix is not None:
            return np.diagonal(self.matrix).copy()
        sqnorms = self.sqnorms()[0]
        found = np.empty(len(sqnorms))
        for begin in range(0, len(sqnorms), SQUARE):
            part = sqnorms[begin : begin + SQUARE]
            found[begin : begin + SQUARE] = np.diagonal(
                self.kernel.from_products(np.diag(part), part, part)
            )
        found += self.bias
        return found

    def check_finite(self) -> None:
        """Refuse examples whose kernel values would overflow.

        Raises
        ------
        InputError
            Values that may exceed the range of float64.
        """
        if not np.isfinite(self.bounds(np.arange(self.rows.n_rows))[1]).all():
            raise InputError(
                "its values overflowed",
                who=f"kernel {self.kernel!r}",
                fix="scale the columns of X, or choose a smaller degree",
            )

    def bounds(self, rows: Array) -> tuple[Array, Array]:
        """What the products of each of these rows may be off by, and what they cannot exceed."""
        if self.matrix is not None:
            return np.zeros(len(rows)), np.abs(self.matrix[rows]).max(1, initial=0.0)
        sqnorms_rows, sqnorms_others = self.sqnorms()
        longest = float(np.sqrt(sqnorms_others.max(initial=0.0)))
        with np.errstate(over="ignore", invalid="ignore"):
            found = self.kernel.bounds(self.rows.n_columns, np.sqrt(sqnorms_rows[rows]), longest)
        magnitude = found.magnitude + self.bias
        if self.rows.sparse:
            return np.zeros(len(rows)), magnitude
        return found.deviation + 2 * sys.float_info.epsilon * magnitude, magnitude
