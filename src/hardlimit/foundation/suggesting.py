"""What may have been meant by a name that there is not; for errors."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import islice

SHOWN = 3


def suggest(given: object, names: Iterable[str], other: Mapping[str, str] | None = None) -> str:
    """Return "did you mean ...?", or nothing.

    Parameters
    ----------
    names
        What there is.
    other
        Other names of some of them, as the literature or other programs use them.

    Notes
    -----
    Tried in turn: another name, the same letters, the initials, the beginning, the spelling. The
    first of these that finds something answers.

    >>> rules = ["passive-aggressive", "passive-aggressive-2", "paum", "winnow-1", "winnow-2"]
    >>> suggest("pa", rules), suggest("PassiveAggressive2", rules)
    ("did you mean 'passive-aggressive'?", "did you mean 'passive-aggressive-2'?")
    >>> suggest("winnow", rules), suggest("cw", ["scw1"], {"cw": "scw1"}), suggest("x", rules)
    ("did you mean 'winnow-1' or 'winnow-2'?", "did you mean 'scw1'?", '')
    """
    found = _find(str(given), list(names), other or {})[:SHOWN]
    if not found:
        return ""
    *most, last = map(repr, found)
    return f"did you mean {', '.join(most)} or {last}?" if most else f"did you mean {last}?"


def _find(given: str, names: list[str], other: Mapping[str, str]) -> list[str]:
    plain = _fold(given)
    if not plain:
        return []
    known = {_fold(name): meant for name, meant in other.items()}
    if plain in known:
        return [known[plain]]
    for form in (_fold, _initials):
        if same := [name for name in names if form(name) == plain]:
            return same
    # One letter begins too many names.
    if len(plain) > 1 and (begun := [name for name in names if _fold(name).startswith(plain)]):
        return sorted(begun, key=len)
    folded = {_fold(name): name for name in reversed(names)}
    near = find_nearest(plain, folded)
    return [] if near is None else [folded[near]]


def _fold(name: str) -> str:
    return re.sub(r"[\s_-]", "", name.lower())


def _initials(name: str) -> str:
    words = [word for word in re.split(r"[\s_-]+", name.lower()) if word]
    return "".join(word[0] for word in words) if len(words) > 1 else ""


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
