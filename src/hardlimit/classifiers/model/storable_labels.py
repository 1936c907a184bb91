"""Labels that a model file can hold: others are refused before anything is learnt from them."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from hardlimit.exceptions import Given, KindError, abbreviate
from hardlimit.foundation.names import check_text

# By their exact type: a subclass would come back as another one.
KINDS = frozenset({str, int, float, bool, bytes})


def check_storable(labels: Iterable[Hashable]) -> None:
    """Refuse new classes that could be learnt and not be stored.

    >>> check_storable(["ham", ("a", 1)])
    Traceback (most recent call last):
    ...
    hardlimit.exceptions.KindError: labels: got ('a', 1) of type tuple, wanted str, int, float, \
bool or bytes, which a model file can hold; convert the labels, for example with str()
    """
    for label in labels:
        if type(label) is str:
            check_text(label, "labels")
        elif type(label) not in KINDS:
            raise KindError(
                parameter="labels",
                got=Given(f"{abbreviate(label)} of type {type(label).__name__}"),
                wanted="str, int, float, bool or bytes, which a model file can hold",
                fix="convert the labels, for example with str()",
            )
