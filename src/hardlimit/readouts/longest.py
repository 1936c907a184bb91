"""The weights that lived longest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from hardlimit.readouts._protocol import Readout


@dataclass(frozen=True)
class Longest(Readout):
    """The weights that answered the largest number of presentations without being corrected.

    Of equals the first. The weights are copied only when a life ends that breaks the record.
    """

    place: ClassVar[int] = 2
