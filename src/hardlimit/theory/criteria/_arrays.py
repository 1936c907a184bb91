"""The members of a criterion over dense arrays and CSR matrices: the same verbs, by numpy.

Rounding differs from the plain sums in the last bits; no model is made of these numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from hardlimit.exceptions import InputError, KindError
from hardlimit.theory.criteria._violators import check_length, check_margin, check_sqnorm


@dataclass(frozen=True)
class ArrayViolators:
    """The rows with ``z w <= required``, none of them copied."""

    Z: Any
    index: np.ndarray[Any, Any]
    margin: np.ndarray[Any, Any]

    @cached_property
    def sqnorm(self) -> Any:
        """``||z||^2`` of each member."""
        if hasattr(self.Z, "tocsr"):
            squares = np.asarray(self.Z.multiply(self.Z).sum(axis=1), dtype=float).ravel()
        else:
            squares = np.einsum("ij,ij->i", self.Z, self.Z)
        check_sqnorm(squares[self.index].min(initial=1.0))
        return squares[self.index]

    def total(self, formula: Callable[[Any], Any]) -> Any:
        """The sum of a formula over the rows."""
        return np.sum(np.broadcast_to(formula(self), self.index.shape)).item()

    def combined(self, formula: Callable[[Any], Any], direction: Any = None) -> Any:
        """``sum formula(z) z``; with a direction ``sum formula(z) (z direction) z``."""
        factors = np.zeros(self.Z.shape[0])
        factors[self.index] = formula(self)
        if direction is not None:
            factors *= self.Z @ check_length("direction", np.asarray(direction), self.Z.shape[1])
        return self.Z.T @ factors

    def scaled(self, g: Any) -> Any:
        """``g`` with its largest entry 1."""
        most = np.abs(g).max(initial=0.0)
        return g / most if most else g


def array_violators(required: Any, Z: Any, w: Any) -> ArrayViolators:
    """The members at ``w``."""
    if Z.dtype.kind not in "biuf":
        raise KindError(f"criteria: got an array of {Z.dtype}, wanted real numbers")
    if len(Z.shape) != 2:
        raise InputError(f"criteria: got an array of {len(Z.shape)} dimensions, wanted rows: 2")
    rows = Z.tocsr() if hasattr(Z, "tocsr") else np.asarray(Z, dtype=float)
    margins = rows @ check_length("w", np.asarray(w, dtype=float), rows.shape[1])
    for i in np.flatnonzero(~np.isfinite(margins))[:1]:
        check_margin(margins[i], i)
    index = np.flatnonzero(margins <= required)
    return ArrayViolators(rows, index, margins[index])
