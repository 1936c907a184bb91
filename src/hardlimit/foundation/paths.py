"""Names of files, as a caller gives them."""

from __future__ import annotations

import os

from hardlimit.exceptions import InputError, KindError
from hardlimit.foundation.types import PathLike


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
