"""Which of some names was meant by one that is not among them."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

_MOST = 2000  # names that are compared; a folder may hold a million
_LONGEST = 200  # a name that is typed; comparing costs the square of it


def find_nearest(given: str, names: Iterable[str], least: float = 0.6) -> str | None:
    """Return the name most like the given one, or None where none is.

    least : how like it has to be, from 0, any name, to 1, the same one.

    >>> find_nearest("cylic", ["cyclic", "batch"]), find_nearest("x", ["cyclic", "batch"])
    ('cyclic', None)
    """
    # imported here: only a run that fails needs it
    import difflib

    if len(given) > _LONGEST:
        return None
    short = (name for name in islice(names, _MOST) if len(name) <= _LONGEST)
    return next(iter(difflib.get_close_matches(given, list(short), 1, least)), None)
