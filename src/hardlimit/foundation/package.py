"""The version of the package, the names that it lists, and which lines are its own."""

from __future__ import annotations

import sys
from typing import Any

VERSION = "0.1.0"
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


def list_only_public(namespace: dict[str, Any]) -> None:
    """Make ``dir()`` of a package list the names of its ``__all__``.

    A notebook completes by ``dir()``, which would else offer modules, types and helpers beside the
    functions of the same names.

    >>> namespace = {"__all__": ["b", "a"], "Any": Any}
    >>> list_only_public(namespace)
    >>> namespace["__dir__"]()
    ['a', 'b']
    """
    namespace["__dir__"] = lambda: sorted(namespace["__all__"])
