"""What a read-out is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from hardlimit.foundation.register import Choice

# How the mean of a run counts its weights; see :class:`hardlimit.readouts.Averaged`.
AVERAGINGS = ("post", "pre", "ciml")


class Mixture(NamedTuple):
    """A read-out as ``(of_last * w_n + of_sum * (w_0 + ... + w_{n-1})) / divisor``."""

    of_last: float
    of_sum: float
    divisor: float


@dataclass(frozen=True)
class Readout(Choice):
    """Base of the read-outs: which of the hypotheses that a run passes answers.

    A class says what it needs of the run, and what goes with it follows: the refusals of a fit,
    what ``keep="all"`` means, and the tables of the documents are computed from these attributes.

    Attributes
    ----------
    place
        Where it stands in lists; each has another.
    streamed
        Whether a stream can keep it: it follows from the last weights and the sum of all.
        The others compare how long hypotheses lived, among examples that are known.
    sums_weights
        Whether it adds up weights, or scores; a linked rule keeps none of their sums.
    replays_corrections
        Whether it is made from the corrected examples when it answers.
    verifies
        Whether it looks at the whole training set along the way.
    visits_columns
        Whether it visits all columns at each correction; ``keep="all"`` then leaves it out.
    """

    place: ClassVar[int]
    streamed: ClassVar[bool] = False
    sums_weights: ClassVar[bool] = False
    replays_corrections: ClassVar[bool] = False
    verifies: ClassVar[bool] = False
    visits_columns: ClassVar[bool] = False

    def mixture(self, averaging: str, presentations: int) -> Mixture:
        """Return how it mixes the last weights with the sum of those before; streamed ones only."""
        raise NotImplementedError
