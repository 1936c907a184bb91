"""What values an array of numpy has, asked of its dtype; numpy itself is not imported."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np


def is_integer(dtype: np.dtype[Any]) -> bool:
    """Whether it has signed or unsigned integers."""
    return dtype.kind in "iu"


def is_floating(dtype: np.dtype[Any]) -> bool:
    """Whether it has floating-point numbers."""
    return dtype.kind == "f"


def is_whole(dtype: np.dtype[Any]) -> bool:
    """Whether it has integers or booleans."""
    return dtype.kind in "biu"


def is_real(dtype: np.dtype[Any]) -> bool:
    """Whether it has real numbers or booleans.

    >>> import numpy as np
    >>> [is_real(np.dtype(name)) for name in ("int8", "bool", "float32", "complex64", "U5", "O")]
    [True, True, True, False, False, False]
    """
    return dtype.kind in "biuf"


def is_text(dtype: np.dtype[Any]) -> bool:
    """Whether it has texts or bytes."""
    return dtype.kind in "US"
