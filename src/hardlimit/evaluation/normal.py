"""Quantiles of the normal distribution, for confidence intervals."""

from __future__ import annotations

from hardlimit.exceptions import InputError


def normal_quantile(confidence: float) -> float:
    """Return how many standard deviations on either side hold this share of a normal distribution.

    >>> round(normal_quantile(0.95), 4)
    1.96
    """
    if not 0 < confidence < 1:
        raise InputError(
            parameter="confidence", got=confidence, wanted="more than 0 and less than 1"
        )
    from statistics import NormalDist  # late: it takes ten milliseconds

    return NormalDist().inv_cdf((1 + confidence) / 2)
