"""Types that many signatures share: what users may pass, and what arrays hold.

This module loads numpy. Modules that must start without it import these names for the type checker
alone.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Hashable, Sequence
from numbers import Rational
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

import numpy as np

if TYPE_CHECKING:
    # Start-up: a twentieth of the time of `import hardlimit` for one name in annotations.
    from numpy.typing import ArrayLike as NumpyArrayLike

Array = np.ndarray[Any, Any]
FloatArray = np.ndarray[Any, np.dtype[np.float64]]
IntArray = np.ndarray[Any, np.dtype[np.int64]]
BoolArray = np.ndarray[Any, np.dtype[np.bool_]]


class SparseMatrix(Protocol):
    """A sparse matrix: scipy's of any format, or an object that holds CSR arrays."""

    @property
    def shape(self) -> tuple[int, ...]:
        """Rows and columns."""

    @property
    def data(self) -> Any:
        """The stored values."""


# What a user calls a matrix: arrays, data frames, sparse matrices, lists of rows of numbers.
ArrayLike: TypeAlias = "NumpyArrayLike | SparseMatrix | Sequence[Sequence[float | Rational]]"

# One label a row, of any kinds that can be compared.
Labels = Sequence[Hashable] | Array

# Whatever an example is to be learnt as: a label, a row of truth values, or a set of labels.
Targets: TypeAlias = "Labels | ArrayLike | Sequence[Collection[Hashable]]"

# How much each example counts: a number a row, or None where all count the same.
SampleWeight = Sequence[float] | Array | None

PathLike = str | os.PathLike[str]
