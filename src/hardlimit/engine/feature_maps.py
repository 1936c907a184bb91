"""Fronts of the compiled feature maps."""

from __future__ import annotations

from hardlimit import _native
from hardlimit.foundation.types import IntArray


def monomials(n_columns: int, degree: int, c: float) -> _native.Monomials:
    """All monomials up to a degree, weighted as the polynomial kernel weights them."""
    return _native.Monomials(n_columns, degree, c)


def pairs(n_columns: int, places: IntArray, singles: bool, bits: int) -> _native.Pairs:
    """Products of two columns each.

    ``places`` int64: the rank of each chosen column, else -1; empty chooses all. ``bits`` 0 numbers
    the pairs, more hash them.
    """
    return _native.Pairs(n_columns, places, singles, bits)
