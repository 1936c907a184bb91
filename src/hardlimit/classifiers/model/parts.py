"""What a model holds beside its answer and its training state."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from hardlimit.foundation.types import Array

if TYPE_CHECKING:
    from hardlimit.evaluation.calibration import Slope


class Counts(NamedTuple):
    """What a model counted while it learnt."""

    corrections: int
    mistakes: int


@dataclass
class Facts:
    """What a fit saw of its examples.

    largest : squared length of the longest row.      least : of each read-out whose scores were
    looked at, the smallest geometric margin of each part.      start : the weights at the start
    that a user gave.
    """

    n_rows: int
    largest: float
    least: dict[str, tuple[float | None, ...]] = field(default_factory=dict)
    start: Array | None = None


class Calibration(NamedTuple):
    """The slope of the probabilities, and the version of the state whose scores it is for.

    version : None where the slope stays whatever a stream does, as an estimator's.
    """

    slope: Slope
    version: int | None


@dataclass
class Origin:
    """The file that a model was loaded from: its real path, and the digest of what it held."""

    path: str
    digest: str
