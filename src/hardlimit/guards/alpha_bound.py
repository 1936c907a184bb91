"""The bound on how often one example is corrected."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from hardlimit.exceptions import InputError
from hardlimit.foundation.register import check_in_range
from hardlimit.guards._protocol import Guard


@dataclass(frozen=True)
class AlphaBound(Guard):
    """Leave an example alone that was corrected ``alpha`` times.

    The bound on the coefficients of the soft margin with linear losses. At most ``n alpha``
    corrections in all, so that training always ends.

    alpha : a whole number >= 1; smaller trusts each label less.
    """

    alpha: int = 3
    place: ClassVar[int] = 1

    def __post_init__(self) -> None:
        check_in_range(self, "alpha", 0)
        if self.alpha != int(self.alpha):
            raise InputError(
                who="AlphaBound", parameter="alpha", got=self.alpha, wanted="a whole number >= 1"
            )
