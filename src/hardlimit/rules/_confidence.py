"""What both soft confidence-weighted rules share."""

from __future__ import annotations

import functools
import math
from typing import TYPE_CHECKING, Any

from hardlimit.exceptions import InputError
from hardlimit.rules._covariance import APART, COVARIANCE
from hardlimit.rules._kinds import CovarianceRule
from hardlimit.rules._parameters import check_between
from hardlimit.rules._protocol import INSEPARABLE, Bound, Geometry, Split

if TYPE_CHECKING:
    from hardlimit.foundation.exact_numbers import Scalar

RANGES = {
    "C": "aggressiveness, > 0; larger follows each example more closely",
    "eta": "confidence, > 0.5 and < 1: the probability with which an example is to be right",
    "covariance": COVARIANCE,
}


class ConfidenceRule(CovarianceRule):
    """``margin < phi sqrt(x' S x)`` violates: under N(w, S) the example is right too rarely."""

    C: float
    eta: float
    # At equality the step is 0, and a correction that changes nothing would be counted.
    equality_violates = False

    def __post_init__(self) -> None:
        super().__post_init__()
        check_between(self, "eta", 0.5, 1)

    @functools.cached_property
    def phi(self) -> float:
        """The normal quantile of eta; its last digits, which differ between machines, cut off."""
        # Late: importing it takes ten milliseconds.
        from statistics import NormalDist

        return float(f"{NormalDist().inv_cdf(float(self.eta)):.13g}")

    def required(self, variance: Scalar) -> Any:
        """``phi sqrt(variance)``."""
        return self.phi * math.sqrt(variance)

    def _with_beta(self, tau: Scalar, variance: Scalar) -> tuple[Any, Any]:
        """Tau, and the beta that belongs to it."""
        moved = tau * variance * self.phi
        # The papers' sqrt(u): the deviation along x that the step leaves.
        deviation = (math.sqrt(moved * moved + 4 * variance) - moved) / 2
        return tau, tau * self.phi / (deviation + moved)

    def compiled_parameters(self) -> dict[str, float]:
        """With phi in the place of eta."""
        parameters = super().compiled_parameters()
        del parameters["eta"]
        return parameters | {"phi": self.phi}

    def mistake_bound(self, geometry: Geometry) -> Bound:
        """None is known."""
        if geometry.gamma <= 0:
            return INSEPARABLE
        return Bound(None, "Wang, Zhao and Hoi prove none for the soft rules")

    def split(self) -> Split:
        """Refused: see :class:`AROW`."""
        raise InputError(APART, who=repr(self))
