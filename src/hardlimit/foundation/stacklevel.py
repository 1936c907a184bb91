"""Whose line a warning names: the caller's, however many of our own lie between."""

from __future__ import annotations

import sys

PACKAGE = __name__.partition(".")[0]


def caller_stacklevel() -> int:
    """The ``stacklevel`` of ``warnings.warn`` that names the first line outside of this package.

    Asked in the call of ``warnings.warn`` itself: 1 is the line that asks.
    """
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and _ours(frame.f_globals.get("__name__", "")):
        level, frame = level + 1, frame.f_back
    return level


def _ours(module: str) -> bool:
    return module.partition(".")[0] == PACKAGE
