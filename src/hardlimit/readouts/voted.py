"""The vote of all hypotheses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from hardlimit.readouts._protocol import Readout


@dataclass(frozen=True)
class Voted(Readout):
    """The vote of every hypothesis by the sign of its score, as often as it lived.

    A score of 0 abstains: a common slip lets the zeros at the start vote for a class. Keeps the
    corrected examples, and costs corrections x rows at prediction.

    Freund and Schapire, Machine Learning 37 (1999).
    """

    place: ClassVar[int] = 5
    sums_weights: ClassVar[bool] = True
    replays_corrections: ClassVar[bool] = True
