"""The pocket with a ratchet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from hardlimit.readouts._protocol import Readout


@dataclass(frozen=True)
class PocketRatchet(Readout):
    """The pocket, replaced only by weights with fewer errors on the whole training set.

    One look at all examples for each run that breaks the record. In the order ``random`` it finds
    an optimal vector after finitely many presentations (Muselli 1997), of which nobody knows how
    many.

    Gallant, IEEE Trans. Neural Networks 1 (1990).
    """

    place: ClassVar[int] = 4
    verifies: ClassVar[bool] = True
