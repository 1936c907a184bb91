"""Finders of certificates, one a file, found by discovery; the race takes turns between them.

A finder yields candidates (``Direction``, ``Weighting``) or None while it is at work. Nothing that
it says is believed: the race verifies in exact arithmetic.

>>> from hardlimit.certificates import finders
>>> finders.get("perceptron")
Perceptron()
"""

from __future__ import annotations

from hardlimit.certificates.finders._protocol import Direction, Finder, Finding, Numbers, Weighting
from hardlimit.foundation.register import Register

__all__ = ["Direction", "Finder", "Finding", "Numbers", "Weighting", "get", "names"]

FINDERS: Register[Finder] = Register("finder", Finder, spelled=lambda cls: cls.name)
FINDERS.discover(globals())


def names() -> list[str]:
    """Names of all finders, sorted."""
    return FINDERS.names()


def get(name: str) -> Finder:
    """Make the finder of that name, with its defaults."""
    return FINDERS.get(name)
