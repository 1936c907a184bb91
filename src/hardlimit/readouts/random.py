"""The weights of a moment drawn by chance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from hardlimit.readouts._protocol import Readout


@dataclass(frozen=True)
class Random(Readout):
    """The weights ``w_t`` of a t drawn uniformly from 0 .. n.

    Of each neuron by itself with ``ovr``. The one for which the online-to-batch theorem holds with
    equality.
    """

    place: ClassVar[int] = 6
