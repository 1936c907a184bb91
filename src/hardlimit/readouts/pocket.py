"""Gallant's pocket."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from hardlimit.readouts._protocol import Readout


@dataclass(frozen=True)
class Pocket(Readout):
    """The weights with the most correct presentations in a row, Gallant's count.

    In the order ``random`` the probability of an optimal vector tends to 1: the proof was for
    rational inputs and was extended to real ones (Muselli 1997); a later one asks for a run whose
    length lies between bounds that move with the iterations. No useful rate is known, and a cyclic
    order can miss it.

    Gallant, IEEE Trans. Neural Networks 1 (1990).
    """

    place: ClassVar[int] = 3
