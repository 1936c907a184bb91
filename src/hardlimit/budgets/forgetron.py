"""The self-tuned Forgetron."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from hardlimit.budgets._protocol import Budget, check_size


@dataclass(frozen=True)
class Forgetron(Budget):
    """All coefficients shrink before the oldest is dropped, as little as the proof allows.

    ::

        a mistake:       sigma of (x, y) <- 1;   M <- M + 1
        beyond size:     r = the oldest,  s = its sigma,  f = y_r score(x_r)
                         phi = the largest number up to 1 with
                               Q + (phi s)^2 + 2 phi s - 2 (phi s) (phi f) <= 15/32 M
                         sigma <- phi sigma for all;  Q <- the left side;  drop r

    Q adds up what the removals may have cost against any target, and stays below 15/32 of the
    mistakes M. The perceptron's only; many classes need ``multiclass="ovr"``.

    size : corrections held, a whole number >= 1.

    Guarantee: with ``K(x, x) <= 1`` (RBF has it; scale other rows) at most
    ``2 ||u||^2 + 4 sum loss_u`` mistakes for every u of length at most
    ``sqrt((B + 1) / ln(B + 1)) / 4``.

    Dekel, Shalev-Shwartz and Singer, SIAM Journal on Computing 37 (2008), Figure 5.1.
    """

    only_perceptron: ClassVar[str] = "its shrinking is proved for corrections of the size 1"
    coupled: ClassVar[bool] = False
    forgets: ClassVar[bool] = True
    size: int = 100

    def __post_init__(self) -> None:
        check_size(self)
