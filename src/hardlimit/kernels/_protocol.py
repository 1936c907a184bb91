"""What a kernel is, and how far its values by a matrix product may be from the exact ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from hardlimit.exceptions import Given, InputError
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.register import Choice

if TYPE_CHECKING:
    from hardlimit.foundation.types import ArrayLike


Array = np.ndarray[Any, Any]

UNIT = 2.0**-53
IN_CACHE = 1 << 16  # values that are worked on at a time


class ValueBounds(NamedTuple):
    """For each row: what its kernel values may be off by, and what they cannot exceed."""

    deviation: Array
    magnitude: Array


class Kernel(Choice):
    """Base of the kernels: a frozen dataclass with ``from_products`` and ``bounds``.

    ``kernel(X, Z)`` is the matrix of all ``K(x, z)``, shape (n, m). Its inner products are made by
    the machine's own matrix product, whose last bits are its own affair; the compiled twin in
    ``native/dual/kernels/`` takes the package's one order of summation. ``bounds`` says how far the
    two can lie apart, so that whoever decides by the first knows when to ask the second.
    """

    given: ClassVar[bool] = False  # whether the rows are inner products already

    def __call__(self, X: ArrayLike, Z: ArrayLike) -> Array:
        """All inner products of the rows of X (n, d) and Z (m, d) in the kernel's space."""
        X, Z = as_rows(X, "X"), as_rows(Z, "Z")
        if X.shape[1] != Z.shape[1]:
            raise InputError(
                who=f"kernels.{type(self).__name__}",
                got=Given(f"rows of {X.shape[1]} and of {plural(Z.shape[1], 'column')}"),
                wanted="the same number",
            )
        return self.multiply(X, Z, squared_lengths(X), squared_lengths(Z))

    def multiply(self, X: Array, Z: Array, sqnorms_x: Array, sqnorms_z: Array) -> Array:
        """The same for checked rows of float64 whose squared lengths are known."""
        values = products(X, Z)
        length = max(1, IN_CACHE // (len(Z) + 1))
        for begin in range(0, len(X), length):
            part = slice(begin, begin + length)
            values[part] = self.from_products(values[part], sqnorms_x[part], sqnorms_z)
        return values

    def from_products(self, inner: Array, sqnorms_x: Array, sqnorms_z: Array) -> Array:
        """Values from the inner products (n, m), which may be overwritten, and squared lengths."""
        raise NotImplementedError

    def bounds(self, n_columns: int, lengths: Array, longest: float) -> ValueBounds:
        """How far apart ``from_products`` of two orders of summation are, at most.

        For rows of these lengths, each with any row of at most the length ``longest``.
        """
        raise NotImplementedError

    def compiled_parameters(self) -> dict[str, float]:
        """What the compiled twin is made from."""
        return {name: float(value) for name, value in self.get_params().items()}


def as_rows(X: object, who: str) -> Array:
    """A matrix of float64, row by row."""
    rows = np.ascontiguousarray(X, np.float64)
    if rows.ndim != 2:
        got = Given(f"an array of shape {rows.shape}")
        raise InputError(who=who, got=got, wanted="(n_rows, n_columns)")
    return rows


def products(X: Array, Z: Array) -> Array:
    """All ``<x, z>`` by the machine's own matrix product, (n, m)."""
    inner: Array = np.matmul(X, Z.T)
    return inner


def combined(values: Array, coefficients: Array) -> Array:
    """Scores (n, outputs) from kernel values (n, m) and coefficients (m, outputs)."""
    scores: Array = np.matmul(values, coefficients)
    return scores


def squared_lengths(X: Array) -> Array:
    """All ``<x, x>``."""
    lengths: Array = np.einsum("ij,ij->i", X, X)
    return lengths


def product_error(n_columns: int, lengths: Array, longest: float) -> Array:
    """How far two computed ``<x, z>`` can lie apart, each off by at most ``gamma_d ||x|| ||z||``.

    Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., section 3.1; doubled for
    safety.
    """
    return 4 * (n_columns + 8) * UNIT * lengths * longest
