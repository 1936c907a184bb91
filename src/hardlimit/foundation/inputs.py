"""What users hand in: objects of any class, whose methods may raise, and names of files."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, cast

from hardlimit.exceptions import Given, HardlimitError, InputError, KindError

if TYPE_CHECKING:
    from hardlimit.foundation.types import PathLike


def refuse_masked(values: object, parameter: str) -> None:
    """Refuse an array of which some values are masked: numpy would take what lies under the mask.

    >>> import numpy as np
    >>> refuse_masked(np.ma.masked_array([1, 2], [True, False]), "X")
    Traceback (most recent call last):
    ...
    hardlimit.exceptions.InputError: X: got a masked array, wanted a value in every place; fill \
the places with X.filled(0), or drop their rows
    """
    # By what it has and not by its class: numpy.ma takes milliseconds to import.
    if hasattr(values, "mask") and hasattr(values, "filled") and bool(values.mask.any()):
        raise InputError(
            parameter=parameter,
            got=Given("a masked array"),
            wanted="a value in every place",
            fix=f"fill the places with {parameter}.filled(0), or drop their rows",
        )


def unreadable(error: Exception, parameter: str) -> Exception:
    """Return the error to raise where an object of a user's own class could not be read.

    Errors of this package, and those of a machine without memory, are given back as they are.
    """
    if isinstance(error, HardlimitError | MemoryError):
        return error
    said = " ".join(str(error).split())
    return InputError(f"it cannot be read: {type(error).__name__}: {said}", parameter=parameter)


def iterate(values: object, parameter: str) -> Iterator[Any]:
    """Return an iterator; what the user's own iterator raises later is the user's to see."""
    try:
        return iter(cast("Iterable[Any]", values))
    except Exception as error:
        raise unreadable(error, parameter) from error


def check_path(path: PathLike) -> PathLike:
    """Return a path that a file can have.

    Raises
    ------
    KindError
        No path at all.
    InputError
        A text that no file can be called.
    """
    try:
        name = os.fsencode(path)
    except TypeError as error:
        raise KindError(parameter="path", got=path, wanted="the name of a file") from error
    except UnicodeError as error:
        raise InputError(parameter="path", got=path, wanted="characters that exist") from error
    if b"\0" in name:
        raise InputError(parameter="path", got=path, wanted="a name without a zero byte")
    return path
