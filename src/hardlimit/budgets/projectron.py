"""The Projectron."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from hardlimit.budgets._protocol import Budget, check_eta


@dataclass(frozen=True)
class Projectron(Budget):
    """A mistake that the supports can nearly express moves them; only others become supports.

    ::

        d = K_S^-1 k_x,   delta = K(x, x) - <k_x, d>     (squared distance from the supports' span)
        delta <= eta:  beta_S <- beta_S + y d;    else  x becomes a support

    On a bounded domain the number of supports stays finite whatever comes. With eta = 0 the
    predictions are those of the perceptron, without supports that depend on the others. Cost:
    O(supports^2) a correction, and so much memory for the inverse. The perceptron's only; many
    classes need ``multiclass="ovr"``.

    eta : >= 0; larger holds fewer supports. In the units of K(x, x), and below it: with an eta
        of K(x, x) or more nothing is ever held, which is warned of.

    Guarantee: with ``K(x, x) <= 1`` at most ``(||u||^2 + 2 sum loss_u) / (1 - 2 sqrt(eta) ||u||)``
    mistakes for every u shorter than ``1 / (2 sqrt(eta))``: each of M mistakes adds at least
    ``1 - loss_u - sqrt(eta) ||u||`` to ``<u, w>``, and ``||w||^2`` stays at most M.

    Orabona, Keshet and Caputo, JMLR 10 (2009), section 3, where eta bounds the distance itself.
    """

    only_perceptron: ClassVar[str] = "its projections are proved for the perceptron's corrections"
    coupled: ClassVar[bool] = False
    inverts: ClassVar[bool] = True
    eta: float = 0.1

    def __post_init__(self) -> None:
        check_eta(self, zero=True)
