"""Confidence intervals of F1, macro-F1, Matthews' correlation and the area under the ROC curve.

All are formulas over counts or ranks: nothing is drawn, so that the same rows give the same ends.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from typing import NamedTuple

from hardlimit.evaluation.figures import ClassFigures, normal_quantile, wilson_interval
from hardlimit.exceptions import Given, InputError

Pair = tuple[Hashable, Hashable]


class Estimate(NamedTuple):
    """A value and the ends of its confidence interval; None where there is none."""

    value: float
    interval: tuple[float, float] | None


def f1_interval(one: ClassFigures, confidence: float = 0.95) -> tuple[float, float] | None:
    """Return the confidence interval of a class's F1; None for a class that never occurs.

    ::

        J = right / (support + predicted - right),      F1 = 2 J / (1 + J)

    Of the rows where the class is true, predicted or both, a share ``J`` has both: a share has
    Wilson's interval, and F1 grows with it.

    >>> from hardlimit.evaluation import figures
    >>> judged = figures([0, 0, 0, 1, 1, 1], [0, 0, 0, 1, 1, 0])
    >>> [round(end, 3) for end in f1_interval(judged.classes[1])]
    [0.344, 0.968]
    """
    either = one.support + one.predicted - one.right
    if not either:
        return None
    low, high = wilson_interval(one.right, either, confidence)
    return 2 * low / (1 + low), 2 * high / (1 + high)


def macro_f1(confusion: Mapping[Pair, int], confidence: float = 0.95) -> Estimate:
    """Return the mean F1 of the classes that occur, with the interval of the delta method.

    ::

        variance = (sum p g^2 - (sum p g)^2) / n,   g_ij = d macroF1 / d p_ij

    over the cells ``p_ij`` of the confusion as shares, on the scale of the logit, which keeps the
    ends inside (0, 1). None where every row is right, or none: there the formula has no spread.

    Takahashi, Yamamoto, Kuchiba and Koyama, Applied Intelligence 52 (2022), section 3.

    >>> estimate = macro_f1({(0, 0): 50, (0, 1): 10, (1, 0): 5, (1, 1): 35})
    >>> round(estimate.value, 4), [round(end, 4) for end in estimate.interval]
    (0.8465, [0.7608, 0.9054])
    """
    table = _Table(confusion)
    both = {k: table.true[k] + table.answers[k] for k in table.labels}
    f1 = {k: 2 * table.cell(k, k) / both[k] for k in table.labels}
    value = math.fsum(f1.values()) / len(f1)
    slopes = {
        (i, j): (2 * (i == j) / both[i] - f1[i] / both[i] - f1[j] / both[j]) / len(f1)
        for i, j in table.counts
    }
    if not 0 < value < 1:
        return Estimate(value, None)
    spread = table.spread(slopes) / (value * (1 - value))
    # On the logit scale both ends stay inside (0, 1).
    middle, half = math.log(value / (1 - value)), normal_quantile(confidence) * spread
    return Estimate(value, (_logistic(middle - half), _logistic(middle + half)))


def matthews(confusion: Mapping[Pair, int], confidence: float = 0.95) -> Estimate:
    """Return Matthews' correlation of two or more classes, with the interval of the delta method.

    ::

        MCC = (c - sum t_k p_k) / sqrt((1 - sum p_k^2)(1 - sum t_k^2))

    with the shares ``c`` of right rows, ``t_k`` of class k and ``p_k`` of answers k; 0 where one
    side has one class only, as in scikit-learn. The interval is made on the scale of ``atanh``.

    Gorodkin, Computational Biology and Chemistry 28 (2004), 367-374.

    >>> estimate = matthews({(0, 0): 50, (0, 1): 10, (1, 0): 5, (1, 1): 35})
    >>> round(estimate.value, 4), [round(end, 4) for end in estimate.interval]
    (0.6975, [0.53, 0.8127])
    """
    table = _Table(confusion)
    n = float(table.n)
    t = {k: table.true[k] / n for k in table.labels}
    p = {k: table.answers[k] / n for k in table.labels}
    c = math.fsum(table.cell(k, k) for k in table.labels) / n
    over = c - math.fsum(t[k] * p[k] for k in table.labels)
    a = 1 - math.fsum(p[k] * p[k] for k in table.labels)
    b = 1 - math.fsum(t[k] * t[k] for k in table.labels)
    if not (a > 0 and b > 0):
        return Estimate(0.0, None)
    root = math.sqrt(a * b)
    value = over / root
    # atanh has no value at 1, and near it the formula has no spread.
    if not -1 + 1e-12 < value < 1 - 1e-12:
        return Estimate(max(-1.0, min(1.0, value)), None)
    slopes = {
        (i, j): ((i == j) - p[i] - t[j] + value / root * (p[j] * b + t[i] * a)) / (root * n)
        for i, j in table.counts
    }
    half = normal_quantile(confidence) * table.spread(slopes) / (1 - value * value)
    middle = math.atanh(value)
    return Estimate(value, (math.tanh(middle - half), math.tanh(middle + half)))


def roc_area(
    scores: Sequence[float], is_positive: Sequence[bool], confidence: float = 0.95
) -> Estimate:
    """Return the area under the ROC curve.

    It is the probability that a positive row scores higher than a negative one.

    Equal scores count half. O(n log n), through ranks; the interval is DeLong's, on the scale of
    the logit; None where the area is 0 or 1.

    DeLong, DeLong and Clarke-Pearson, Biometrics 44 (1988); Sun and Xu, IEEE Signal Processing
    Letters 21 (2014), for the ranks.

    >>> estimate = roc_area([0.1, 0.4, 0.35, 0.8, 0.6], [False, False, True, True, True])
    >>> round(estimate.value, 4)
    0.8333
    """
    ours = [float(s) for s, is_one in zip(scores, is_positive, strict=True) if is_one]
    others = [float(s) for s, is_one in zip(scores, is_positive, strict=True) if not is_one]
    if not ours or not others:
        raise InputError(
            who="roc_area", got=Given("one class only"), wanted="positives and negatives"
        )
    above = [r - own for r, own in zip(_ranks(ours, others), _ranks(ours, ours), strict=True)]
    below = [r - own for r, own in zip(_ranks(others, ours), _ranks(others, others), strict=True)]
    # DeLong: the area is the mean of either list, and its variance the sum of theirs.
    first = [x / len(others) for x in above]  # of each positive, the share of negatives below it
    second = [1 - x / len(ours) for x in below]
    value = math.fsum(first) / len(first)
    if not 0 < value < 1:
        return Estimate(value, None)
    variance = _variance(first) / len(first) + _variance(second) / len(second)
    half = normal_quantile(confidence) * math.sqrt(variance) / (value * (1 - value))
    middle = math.log(value / (1 - value))
    return Estimate(value, (_logistic(middle - half), _logistic(middle + half)))


def _ranks(values: list[float], others: list[float]) -> list[float]:
    """The rank of each value among both lists together (of itself and itself: among itself)."""
    import numpy as np

    pool = np.array(others if values is others else values + others)
    pool.sort()
    asked = np.array(values)
    # Equal scores share the mean of their ranks, so that a tie counts half.
    low, high = np.searchsorted(pool, asked, "left"), np.searchsorted(pool, asked, "right")
    ranks: list[float] = ((low + high + 1) / 2).tolist()
    return ranks


def _variance(values: list[float]) -> float:
    if len(values) < 2:
        return 0.0
    mean = math.fsum(values) / len(values)
    return math.fsum((x - mean) * (x - mean) for x in values) / (len(values) - 1)


class _Table:
    """A confusion with its sums by row and by column."""

    def __init__(self, confusion: Mapping[Pair, int]) -> None:
        self.counts = {pair: count for pair, count in confusion.items() if count}
        self.n = sum(self.counts.values())
        if not self.n:
            raise InputError(
                who="intervals", got=Given("an empty confusion"), wanted="at least one row"
            )
        self.true: Counter[Hashable] = Counter()
        self.answers: Counter[Hashable] = Counter()
        for (i, j), count in self.counts.items():
            self.true[i] += count
            self.answers[j] += count
        # In the order met: a set's would change the last digits of the sums between processes.
        self.labels = list(dict.fromkeys([*self.true, *self.answers]))

    def cell(self, i: Hashable, j: Hashable) -> int:
        """How often ``i`` was taken for ``j``."""
        return self.counts.get((i, j), 0)

    def spread(self, slopes: Mapping[Pair, float]) -> float:
        """The standard error of a function of the counts, by its slopes."""
        first = math.fsum(count * slopes[pair] for pair, count in self.counts.items())
        second = math.fsum(
            count * slopes[pair] * slopes[pair] for pair, count in self.counts.items()
        )
        # The variance of a multinomial; rounding can leave a difference of equals below 0.
        return math.sqrt(max(0.0, second - first * first / self.n))


def _logistic(x: float) -> float:
    # exp overflows beyond 709.
    return 1 / (1 + math.exp(-x)) if x > -700 else 0.0
