"""What a finder is asked, and what it hands over: candidates, which others verify exactly."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from hardlimit.certificates.signed_rows import SignedRows

Numbers = Sequence[int] | np.ndarray[Any, Any]
"""A vector of float64, or a list of exact ints."""


@dataclass(frozen=True)
class Direction:
    """A weight vector: a candidate for a separator, and for the lower end of the bracket.

    Parameters
    ----------
    w
        One number a column of the signed rows, the bias last; any length other than 0.
    """

    w: Numbers


@dataclass(frozen=True)
class Weighting:
    """Multipliers of rows: a candidate for a proof against, and for the upper end of the bracket.

    Parameters
    ----------
    index
        Numbers of the rows, no two alike; the others have the multiplier 0.
    value
        Their multipliers, >= 0 and not all 0; they need not add up to 1.
    """

    index: Numbers
    value: Numbers


Finding = Direction | Weighting


class Finder(ABC):
    """Looks for a separator, or for multipliers that show there is none.

    A finder is a frozen dataclass with a ``name``, one a file of this folder. What it finds may be
    rounded, early or wrong: the race verifies it in exact arithmetic before it counts.
    """

    name: ClassVar[str] = ""
    needs: ClassVar[str] = ""
    """A module of an extra without which the finder is left out."""
    margins: ClassVar[bool] = True
    """Whether its directions leave a margin that floats can see, where there is one."""
    turn: ClassVar[int] = 100
    """Place in the race: those that mostly come first start first."""
    share: ClassVar[float] = 1.0
    """How much time it is given, beside the others' 1."""

    @abstractmethod
    def findings(self, rows: SignedRows, seed: int) -> Iterator[Finding | None]:
        """Work for at most 50 ms or so, yield what there is, or None, and go on when asked.

        Ending means that there is nothing more to try. ``seed`` is of every random choice.
        """

    def within(self, seconds: float) -> Finder:
        """Return the same finder for a race of so many seconds; most need not know."""
        return self

    def suits(self, rows: SignedRows) -> str:
        """Return why the finder cannot work on these rows; nothing where it can."""
        return ""
