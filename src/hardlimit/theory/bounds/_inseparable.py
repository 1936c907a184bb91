"""Bounds of Freund and Schapire, which need no separable examples: the arithmetic."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np

from hardlimit.theory.bounds._run import Array

Bound = Callable[[float], float]
LOOKS = 48  # at the start, spread over the margins
STEPS = 40  # of the search between the neighbours of the best


def squared(radius: float, margins: Array, passes: int, gamma: float) -> float:
    """``((R + D) / gamma)^2`` with ``D^2 = passes sum max(0, gamma - margin_i)^2``.

    By hand: margins 1 and -1, R = 1, gamma = 1: D = 2, and (1 + 2)^2 = 9.

    >>> squared(1.0, np.array([1.0, -1.0]), 1, 1.0)
    9.0
    """
    short = np.maximum(0.0, gamma - margins)
    D = math.sqrt(passes * float(np.dot(short, short)))
    return ((radius + D) / gamma) ** 2


def hinge(radius: float, margins: Array, passes: int, gamma: float) -> float:
    """``L + (R / gamma)^2 + R / gamma sqrt(L)`` with ``L = passes sum max(0, 1 - margin_i/gamma)``.

    >>> hinge(1.0, np.array([1.0, -1.0]), 1, 1.0)  # L = 2
    4.414213562373095
    """
    L = passes * float(np.maximum(0.0, 1.0 - margins / gamma).sum())
    ratio = radius / gamma
    return L + ratio * ratio + ratio * math.sqrt(L)


def best(bound: Bound, margins: Array, radius: float) -> tuple[float, float]:
    """The smallest bound over gamma, and the gamma that gives it: any gamma gives a true one."""
    candidates = list(_candidates(margins, radius))
    values = [bound(gamma) for gamma in candidates]
    at = min(range(len(values)), key=values.__getitem__)
    low, high = candidates[max(0, at - 1)], candidates[min(len(values) - 1, at + 1)]
    found = _golden(bound, low, high)
    return min((values[at], candidates[at]), (bound(found), found))


def _candidates(margins: Array, radius: float) -> Iterator[float]:
    """Positive numbers in rising order: quantiles of the positive margins, and beyond."""
    positive = margins[margins > 0]
    spread = np.quantile(positive, np.linspace(0, 1, LOOKS)) if len(positive) else positive
    beyond = radius * np.array([1e-3, 1e-2, 0.1, 0.3, 1.0, 3.0, 10.0])
    yield from (float(gamma) for gamma in np.unique(np.concatenate([spread, beyond])))


def _golden(bound: Bound, low: float, high: float) -> float:
    share = (math.sqrt(5) - 1) / 2
    a, b = high - share * (high - low), low + share * (high - low)
    of_a, of_b = bound(a), bound(b)
    for _ in range(STEPS):
        if of_a <= of_b:
            high, b, of_b = b, a, of_a
            a = high - share * (high - low)
            of_a = bound(a)
        else:
            low, a, of_a = a, b, of_b
            b = low + share * (high - low)
            of_b = bound(b)
    return a if of_a <= of_b else b
