"""The mean of the end of the run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from hardlimit.readouts._protocol import Readout


@dataclass(frozen=True)
class TailAveraged(Readout):
    """The mean of the weights over the last half to three quarters of the presentations.

    ::

        w = (w_s + ... + w_n) / (n - s + 1),   s = the largest power of two <= n / 2

    With ``w_t`` the weights after presentation t of n (s is 1 for n = 1). The start of a run is
    forgotten, which the plain average never does, and the end is smoothed, which the last weights
    are not. s is a power of two, so that n need not be known beforehand. A rule with a link has
    this mean too: it is one of weights, not of theta.

    Cost: a pass over all columns at each correction, so that ``keep="all"`` leaves it out; two
    vectors are kept.

    Rakhlin, Shamir and Sridharan, "Making gradient descent optimal for strongly convex stochastic
    optimization", ICML (2012), average the last share of a run; the windows are ours.
    """

    place: ClassVar[int] = 7
    visits_columns: ClassVar[bool] = True
