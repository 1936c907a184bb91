"""Types of what users give and of what arrays hold."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    FloatArray: TypeAlias = NDArray[np.float64]
    IntArray: TypeAlias = NDArray[np.int64]
    BoolArray: TypeAlias = NDArray[np.bool_]
    Array: TypeAlias = NDArray[Any]
else:  # these names cost no import of numpy
    FloatArray = IntArray = BoolArray = Array = Any


class HasShape(Protocol):
    """A matrix, a table or anything else that knows its rows and columns."""

    @property
    def shape(self) -> tuple[int, ...]:
        """Rows and columns."""
        ...


# Rows of numbers: arrays, scipy's matrices, tables, lists of lists.
ArrayLike: TypeAlias = "HasShape | Sequence[Sequence[float]] | Sequence[Any]"
# One label a row: numbers, texts, anything that can be compared.
Labels: TypeAlias = "HasShape | Sequence[Hashable]"
Label: TypeAlias = Hashable
# Choices as a model file has them.
Json: TypeAlias = "str | int | float | bool | None | list[Any] | dict[str, Any]"
Parameters: TypeAlias = Mapping[str, float]
Texts: TypeAlias = Iterable["str | bytes"]
