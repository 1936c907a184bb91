"""Finders of certificates, one a file, found by discovery; the race takes turns between them.

A finder yields candidates (``Direction``, ``Weighting``) or None while it is at work. Nothing that
it says is believed: the race verifies in exact arithmetic.

>>> from hardlimit.certificates import finders
>>> finders.get("perceptron")
Perceptron()
"""

from __future__ import annotations

from hardlimit.certificates.finders._protocol import Direction, Finder, Finding, Numbers, Weighting
from hardlimit.exceptions import InputError
from hardlimit.foundation.discovery import defined_classes

__all__ = ["Direction", "Finder", "Finding", "Numbers", "Weighting", "get", "names"]

_finders: dict[str, type[Finder]] = {}

for _value in defined_classes(__name__, list(__path__)):
    if issubclass(_value, Finder) and _value.name:
        _finders[_value.name] = _value
        globals()[_value.__name__] = _value
        __all__.append(_value.__name__)  # noqa: PYI056


def names() -> list[str]:
    """Names of all finders, sorted."""
    return sorted(_finders)


def get(name: str) -> Finder:
    """Make the finder of that name, with its defaults."""
    if name not in _finders:
        raise InputError(
            f"finders.get: there is no finder {name!r}; there are {', '.join(names())}"
        )
    return _finders[name]()
