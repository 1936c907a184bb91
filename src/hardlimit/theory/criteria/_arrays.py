"""The members of a criterion over dense arrays and CSR matrices: the same verbs, by numpy.

Rounding differs from the plain sums in the last bits; no model is made of these numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from hardlimit.engine import as_csr, is_sparse
from hardlimit.exceptions import Given, InputError, KindError
from hardlimit.foundation import dtypes
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.types import Array, ArrayLike
from hardlimit.theory.criteria._checks import check_length, check_margin, check_sqnorm


@dataclass(frozen=True)
class ArrayViolators:
    """The rows with ``z w <= required``, none of them copied."""

    Z: Any
    index: Array
    margin: Array

    @cached_property
    def sqnorm(self) -> Any:
        """``||z||^2`` of each member."""
        if is_sparse(self.Z):
            squares = np.asarray(self.Z.multiply(self.Z).sum(axis=1), dtype=float).ravel()
        else:
            squares = np.einsum("ij,ij->i", self.Z, self.Z)
        # Only members are divided by their length; other rows of zeros are harmless.
        check_sqnorm(squares[self.index].min(initial=1.0))
        return squares[self.index]

    def total(self, formula: Callable[[Any], Any]) -> Any:
        """Return the sum of a formula over the rows."""
        return np.sum(np.broadcast_to(formula(self), self.index.shape)).item()

    def combine(self, formula: Callable[[Any], Any], direction: ArrayLike | None = None) -> Array:
        """Return ``sum formula(z) z``; with a direction ``sum formula(z) (z direction) z``."""
        # Zero factors for all other rows cost less than a copy of the members.
        factors = np.zeros(self.Z.shape[0])
        factors[self.index] = formula(self)
        if direction is not None:
            along = np.asarray(direction)
            check_length("direction", len(along), self.Z.shape[1])
            factors *= self.Z @ along
        gradient: Array = self.Z.T @ factors
        return gradient

    def normalise(self, g: Array) -> Array:
        """Return ``g`` with its largest entry 1."""
        most = np.abs(g).max(initial=0.0)
        return g / most if most else g


def find_array_violators(required: float, Z: Array, w: ArrayLike) -> ArrayViolators:
    """Return the members at ``w``; ``Z`` has a dtype."""
    if not dtypes.is_real(Z.dtype):
        raise KindError(who="criteria", got=Given(f"an array of {Z.dtype}"), wanted="real numbers")
    if len(Z.shape) != 2:
        raise InputError(
            who="criteria",
            got=Given(f"an array of {plural(len(Z.shape), 'dimension')}"),
            wanted="rows: 2",
        )
    rows = as_csr(Z) if is_sparse(Z) else np.asarray(Z, dtype=float)
    weights = np.asarray(w, dtype=float)
    check_length("w", len(weights), rows.shape[1])
    margins = rows @ weights
    for i in np.flatnonzero(~np.isfinite(margins))[:1]:
        check_margin(margins[i], i)
    index = np.flatnonzero(margins <= required)
    return ArrayViolators(rows, index, margins[index])
