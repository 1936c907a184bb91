"""Pictures of data, learning and verdicts: each a function in a file of its own.

A function answers a :class:`Picture`: its numbers as ``.data``, and ``.save("roc.svg")`` (or png,
pdf), ``.figure()``, ``.svg()`` and ``.to_json()``. The numbers come without matplotlib; drawing
needs it: ``pip install 'hardlimit[plots]'``. Classes and lines differ in markers and dashes too, so
that nobody needs to see the colours; the same numbers give the same bytes.

Examples
--------
>>> from hardlimit import pictures
>>> picture = pictures.roc([False, True, False, True], [-2.0, -1.0, 0.5, 3.0])
>>> picture.data["auc"], picture.description
(0.75, 'ROC curve of 2 rows of True against 2 others; area under the curve 0.75.')
>>> picture.svg()[:4]
'<svg'
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

from hardlimit.foundation.discovery import import_members
from hardlimit.foundation.package import list_only_public
from hardlimit.foundation.register import Members
from hardlimit.pictures._picture import FORMATS, Picture
from hardlimit.pictures._style import require

__all__ = ["FORMATS", "Picture", "names", "require"]

list_only_public(globals())

PICTURES: Members[Callable[..., Picture]] = Members("picture")

for _module in import_members(__name__, list(__path__)):
    _name = _module.__name__.rpartition(".")[2]
    # The function takes the place of its module, whose name it has.
    globals()[_name] = PICTURES.members[_name] = getattr(_module, _name)
    __all__.append(_name)  # noqa: PYI056


class _Package(ModuleType):
    """The package, in which a picture stays the function, whoever imports its module anew."""

    def __setattr__(self, name: str, value: object) -> None:
        if not (isinstance(value, ModuleType) and name in PICTURES.members):
            super().__setattr__(name, value)


# Else the tests of one file alone would find a module in the place of its picture.
sys.modules[__name__].__class__ = _Package


def names() -> list[str]:
    """Return the names of all pictures, sorted.

    >>> from hardlimit import pictures
    >>> "roc" in pictures.names()
    True
    """
    return PICTURES.names()


def __getattr__(name: str) -> Any:  # for type checkers too, which do not see what is found
    raise AttributeError(
        f"module 'hardlimit.pictures' has no picture '{name}'; there are {', '.join(names())}"
    )
