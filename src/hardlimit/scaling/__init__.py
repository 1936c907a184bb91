"""Scalings of numbers, one a file: in which units a learner sees rows and columns.

``none``
    as they are.
``rows``
    each row has length 1.
``maxabs``
    each column lies in -1 .. 1.
``standard``
    each column has mean 0 and deviation 1; columns that are mostly zeros keep them.

The perceptron and its kin need ``(radius / gamma)^2`` corrections: columns in units that differ by
thousands make that number grow by their square. What a fit measured is part of the model and of
its file. Rows of weight 0 are absent, and not measured.

>>> from hardlimit import scaling
>>> scaling.names()
['none', 'maxabs', 'rows', 'standard']
>>> scaling.resolve("maxabs")
Maxabs()
"""

from __future__ import annotations

from hardlimit.exceptions import InputError
from hardlimit.foundation.register import Register
from hardlimit.scaling._protocol import Scale, Scaling, UnscaledWeights
from hardlimit.scaling._warning import warn_of_norms

__all__ = ["Scale", "Scaling", "UnscaledWeights", "names", "resolve", "warn_of_norms"]

SCALINGS: Register[Scaling] = Register("scale", Scaling)
SCALINGS.discover(globals())


def names() -> list[str]:
    """What ``scale=`` may be."""
    return ["none", *SCALINGS.names()]


def resolve(scale: object) -> Scaling | None:
    """The scaling of that name, or the object itself; None for ``"none"``.

    Raises
    ------
    InputError
        A name that there is not.
    """
    if scale is None or (isinstance(scale, str) and scale == "none"):
        return None
    if isinstance(scale, Scaling):
        return scale
    if isinstance(scale, str) and scale in SCALINGS.members:
        return SCALINGS.get(scale)
    raise InputError(parameter="scale", got=scale, wanted=f"one of {', '.join(names())}")


def name_of(scale: object) -> str:
    """Return the name of a scaling, or of its class where it is one of the user's."""
    resolved = resolve(scale)
    return "none" if resolved is None else SCALINGS.name_of(resolved)
