"""The mean of the run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from hardlimit.exceptions import InputError
from hardlimit.foundation.parameters import is_among
from hardlimit.readouts._protocol import AVERAGINGS, Mixture, Readout


@dataclass(frozen=True)
class Averaged(Readout):
    """The mean of the weights over the presentations, in one of three conventions.

    With ``w_t`` the weights after presentation t of n, and ``w_0 = 0``:

    ========== ==================================== ============================================
    ``post``   ``(w_1 + ... + w_n) / n``            the counts of Freund and Schapire; the default
    ``pre``    ``(w_0 + ... + w_{n-1}) / n``        each vector counts before it is corrected
    ``ciml``   ``(w_0 + w_1 + ... + w_n) / (n+1)``  the usual two-vector algorithm with c = 1
    ========== ==================================== ============================================

    ``post`` and ``ciml`` point the same way; ``pre`` does not and can classify differently. A
    common slip states one of them and counts by another.

    averaging : post, pre or ciml; a classifier has a parameter of that name, which decides.
    """

    averaging: str = "post"
    place: ClassVar[int] = 1
    streamed: ClassVar[bool] = True
    sums_weights: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if not is_among(self.averaging, AVERAGINGS):
            raise InputError(
                who="readouts.Averaged",
                parameter="averaging",
                got=self.averaging,
                wanted=f"one of {', '.join(AVERAGINGS)}",
            )

    def mixture(self, averaging: str, presentations: int) -> Mixture:
        """Return the mean by its convention; before the first presentation the last weights.

        >>> Averaged().mixture("post", 4)
        Mixture(of_last=1, of_sum=1, divisor=4)
        """
        if presentations == 0:
            return Mixture(1, 0, 1)
        if averaging == "pre":
            return Mixture(0, 1, presentations)
        return Mixture(1, 1, presentations + (averaging == "ciml"))
