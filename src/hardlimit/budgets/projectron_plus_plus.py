"""The Projectron with corrections of small margins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from hardlimit.budgets._protocol import Budget, check_eta


@dataclass(frozen=True)
class ProjectronPlusPlus(Budget):
    """The Projectron that also corrects right answers of a margin below 1, where that is free.

    ::

        a mistake:   as the Projectron
        0 < margin < 1:   l = 1 - margin,  n = K(x, x) - delta
            l > delta / eta:   tau = min(l / n, 2 (l - delta / eta) / n, 1)
                               beta_S <- beta_S + tau y d

    Corrections of margins never add a support. Cost: as the Projectron's, for every example whose
    margin is below 1. The perceptron's only; many classes need ``multiclass="ovr"``.

    eta : > 0; larger holds fewer supports. In the units of K(x, x), and below it: with an eta
        of K(x, x) or more nothing is ever held, which is warned of.

    No bound is claimed here: the paper's is stated for the distance from the span, where this, like
    the authors' own program, compares its square.

    Orabona, Keshet and Caputo, JMLR 10 (2009), section 5; DOGMA, ``k_projectron2_train``.
    """

    only_perceptron: ClassVar[str] = "its projections are proved for the perceptron's corrections"
    coupled: ClassVar[bool] = False
    inverts: ClassVar[bool] = True
    required: ClassVar[int] = 1
    eta: float = 0.1

    def __post_init__(self) -> None:
        check_eta(self, zero=False)
