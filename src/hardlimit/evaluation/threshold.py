"""Thresholds of two classes: a row is positive if its score is above the threshold.

A score that equals the threshold is negative, as a score of 0 goes to ``classes_[0]``.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from hardlimit.exceptions import Given, InputError
from hardlimit.foundation.formatting import plural

USEFUL_RATES = (0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 0.0)
_COUNTABLE = 1e-12  # a smaller rate cannot be shown by any number of rows that there is


@dataclass(frozen=True, slots=True)
class ThresholdPoint:
    """One row of the precision-recall table; precision is 1 where nothing is called positive."""

    threshold: float
    precision: float
    recall: float
    false_positive_rate: float
    true_positives: int
    false_positives: int


@dataclass(frozen=True, slots=True)
class ThresholdChoice:
    """A threshold picked on held-out rows.

    Attributes
    ----------
    threshold
        Positive above it.
    max_rate
        The false-positive rate that was asked for; None if F1 or accuracy were.
    point
        What the threshold does on the held-out rows.
    negatives, positives
        How many there were.
    is_supported
        Whether the negatives are enough to show a rate as low as was asked for.
    confidence
        With which the rate holds for other rows; None if it was asked for of these only.
    """

    threshold: float
    max_rate: float | None
    point: ThresholdPoint
    negatives: int
    positives: int
    is_supported: bool = True
    confidence: float | None = None

    @property
    def warning(self) -> str | None:
        """Why so few negatives cannot support the rate that was asked for; None where they can."""
        if self.max_rate is None or self.is_supported:
            return None
        return _explain_too_few(self.max_rate, self.negatives, self.confidence)

    def __str__(self) -> str:
        """Say it in one line."""
        point = self.point
        return (
            f"threshold {self.threshold:.6g}: {plural(point.false_positives, 'false positive')} "
            f"among {plural(self.negatives, 'negative')} ({point.false_positive_rate:.4%}), "
            f"recall {point.recall:.4f}, precision {point.precision:.4f}"
        )


def precision_recall(
    scores: Iterable[float], is_positive: Iterable[bool], *, rows: int | None = None
) -> list[ThresholdPoint]:
    """Tabulate precision and recall over thresholds, from the lowest to the highest.

    Parameters
    ----------
    scores
        Decision values, finite.
    is_positive
        The truth of the same rows.
    rows
        At most so many lines, spread evenly over the recall; default: every threshold that makes
        a difference (each distinct score, and one below all if the lowest is a positive one).

    Returns
    -------
    list of ThresholdPoint
        O(n log n).

    Raises
    ------
    InputError
        One of the two classes is missing, a score is not finite, or the lengths differ.

    Examples
    --------
    >>> for at in precision_recall([-2.0, -1.0, 1.0, 2.0], [False, True, False, True]):
    ...     print(f"{at.threshold:7.3f} {at.precision:.2f} {at.recall:.2f}")
    -2.000 0.67 1.00
    -1.000 0.50 0.50
     1.000 1.00 0.50
     2.000 1.00 0.00
    """
    positives, negatives = _split_scores(scores, is_positive)
    places = sorted(set(positives) | set(negatives))
    # The lowest score is a positive row: no threshold among the scores has recall 1.
    if places[0] == positives[0]:
        places.insert(0, math.nextafter(places[0], -math.inf))
    points = [_point(at, positives, negatives) for at in places]
    if rows is None or len(points) <= rows:
        return points
    if rows < 2:
        raise InputError(who="precision_recall", parameter="rows", got=rows, wanted="2 or more")
    return _choose_spread(points, rows)


def threshold_table(
    scores: Iterable[float],
    is_positive: Iterable[bool],
    *,
    rates: Sequence[float] = USEFUL_RATES,
    chosen: float | None = None,
) -> list[ThresholdPoint]:
    """Tabulate the thresholds of useful false-positive rates, from the lowest to the highest.

    Parameters
    ----------
    scores, is_positive
        As for `precision_recall`.
    rates
        The rates to keep under, each as far as the data have it: one under which not even one
        false positive fits says the same as 0 and is left out.
    chosen
        A threshold that is there in any case, exactly.

    Returns
    -------
    list of ThresholdPoint
        At most one a rate, and the chosen one; O(n log n).

    Raises
    ------
    InputError
        As `precision_recall`.

    Examples
    --------
    >>> for at in threshold_table([0.1, 0.2, 0.3, 0.9], [0, 0, 0, 1], rates=(0.5, 0.1, 0)):
    ...     print(f"{at.threshold:.1f} {at.false_positive_rate:.2f} {at.recall:.2f}")
    0.2 0.33 1.00
    0.3 0.00 1.00
    """
    scores, truth = list(scores), list(is_positive)
    positives, negatives = _split_scores(scores, truth)
    points = [
        threshold_for_false_positives(scores, truth, rate).point
        for rate in rates
        if rate == 0 or rate * len(negatives) >= 1
    ]
    by_count = {point.false_positives: point for point in points}
    if chosen is not None:
        point = _point(chosen, positives, negatives)
        by_count[point.false_positives] = point
    return sorted(by_count.values(), key=lambda point: point.threshold)


def threshold_for_false_positives(
    scores: Iterable[float],
    is_positive: Iterable[bool],
    max_rate: float,
    *,
    confidence: float | None = None,
) -> ThresholdChoice:
    """Pick the lowest threshold whose false-positive rate is at most ``max_rate``.

    Without ``confidence`` that is the rate of these rows, and of other rows it is exceeded about
    every second time. With it, ``max_rate`` bounds the rate of all rows like these: no threshold is
    taken that would show so few false positives here with a probability above ``1 - confidence``
    if its rate were larger (Clopper and Pearson, Biometrika 26 (1934), one-sided).

    Parameters
    ----------
    scores, is_positive
        Of held-out rows: a rate on the training rows means nothing.
    max_rate
        Share of the negatives that may be called positive, from 0 to 1.
    confidence
        With which the rate holds for other rows, such as 0.95; None: of these rows only.

    Returns
    -------
    ThresholdChoice
        With ``warning`` if the rows are too few: not even one false positive would fit under the
        rate, or with ``confidence`` none at all would be enough. Then the threshold is above all
        negatives, and the data only show that the rate is under ``1 - 0.05^(1/negatives)`` (about
        3/negatives) with 95 % confidence.

    Raises
    ------
    InputError
        As `precision_recall`; or the rate is not from 0 to 1.

    Examples
    --------
    >>> choice = threshold_for_false_positives([0.1, 0.2, 0.3, 0.9], [0, 0, 0, 1], 0.4)
    >>> choice.threshold, choice.point.recall
    (0.2, 1.0)
    >>> scores, truth = [*range(1000), 1000], [*[False] * 1000, True]
    >>> for confidence in (None, 0.95):
    ...     found = threshold_for_false_positives(scores, truth, 0.01, confidence=confidence)
    ...     print(found.point.false_positives, "of", found.negatives)
    10 of 1000
    4 of 1000
    """
    if confidence is not None and not 0 < confidence < 1:
        wanted = "a number between 0 and 1, or None"
        raise InputError(parameter="confidence", got=confidence, wanted=wanted)
    if not 0 <= max_rate <= 1:
        raise InputError(parameter="max_rate", got=max_rate, wanted="a number from 0 to 1")
    positives, negatives = _split_scores(scores, is_positive)
    count = len(negatives)
    found = _allow(count, max_rate, confidence)
    allowed = max(found, 0)
    if allowed < count:
        threshold = negatives[count - 1 - allowed]
    else:
        threshold = math.nextafter(min(positives[0], negatives[0]), -math.inf)
    point = _point(threshold, positives, negatives)
    is_supported = allowed > 0 if confidence is None else found >= 0
    return ThresholdChoice(
        threshold, max_rate, point, count, len(positives), is_supported, confidence
    )


def _allow(count: int, max_rate: float, confidence: float | None) -> int:
    """Return how many of so many negatives may be above a threshold; -1: none would be too many."""
    if confidence is None or max_rate == 1:
        allowed = min(count, math.floor(max_rate * count) + 1)
        # floor of a float product may be one too many.
        while allowed / count > max_rate:
            allowed -= 1
        return allowed
    if not max_rate:
        return -1
    # The largest k of which P(at most k of n) <= 1 - confidence, each with the largest rate.
    at_most, allowed = 0.0, -1
    chance = count * math.log1p(-max_rate)
    odds = math.log(max_rate) - math.log1p(-max_rate)
    for k in range(count):
        at_most += math.exp(chance)
        if at_most > 1 - confidence:
            break
        allowed = k
        chance += math.log(count - k) - math.log(k + 1) + odds
    return allowed


def orient_threshold(second: bool, threshold: float) -> float:
    """Turn a threshold on the second class's score into one on the positive's, and back.

    >>> orient_threshold(True, 0.5), orient_threshold(False, 0.5)
    (0.5, -0.5000000000000001)
    """
    # a score at the threshold is the first class's, so that here it must be above
    return threshold if second else math.nextafter(-threshold, -math.inf)


def describe_threshold(
    threshold: float, scores: Iterable[float], is_positive: Iterable[bool]
) -> ThresholdChoice:
    """Return what a threshold does on held-out rows.

    >>> str(describe_threshold(0.5, [0.1, 0.9, 0.8], [False, True, False]))
    'threshold 0.5: 1 false positive among 2 negatives (50.0000%), recall 1.0000, precision 0.5000'
    """
    positives, negatives = _split_scores(scores, is_positive)
    point = _point(threshold, positives, negatives)
    return ThresholdChoice(threshold, None, point, len(negatives), len(positives))


def _explain_too_few(max_rate: float, count: int, confidence: float | None) -> str:
    # With no false positive in n negatives, rates above r would show one with 95 % probability
    # where (1 - r)^n = 0.05.
    upper = 1 - math.pow(0.05, 1 / count)
    wanted = "no number of rows can show that"
    if max_rate > _COUNTABLE and confidence is not None:
        fewest = math.ceil(math.log(1 - confidence) / math.log1p(-max_rate))
        wanted = f"it takes at least {plural(fewest, 'negative')}, better {3 * fewest:,}"
    elif max_rate > _COUNTABLE:
        fewest = math.ceil(1 / max_rate)
        wanted = f"it takes at least {fewest} negatives, better {3 * fewest}"
    return (
        f"a false-positive rate of {max_rate:g} was asked for, but only "
        f"{plural(count, 'negative')} were "
        f"held out: none above the threshold shows only that the rate is under {upper:.2g} (with "
        f"95 % confidence); {wanted}"
    )


def _split_scores(
    scores: Iterable[float], is_positive: Iterable[bool]
) -> tuple[list[float], list[float]]:
    """Sort the scores of the positives and of the negatives."""
    scores, truth = [float(score) for score in scores], [bool(is_) for is_ in is_positive]
    if len(scores) != len(truth):
        raise InputError(
            f"{plural(len(scores), 'score')}, but {plural(len(truth), 'label')}", who="threshold"
        )
    if not all(map(math.isfinite, scores)):
        raise InputError(who="threshold", got=Given("NaN or infinity"), wanted="finite scores")
    positives = sorted(score for score, is_ in zip(scores, truth, strict=True) if is_)
    negatives = sorted(score for score, is_ in zip(scores, truth, strict=True) if not is_)
    if not positives or not negatives:
        missing = "positive" if not positives else "negative"
        raise InputError(
            f"no {missing} row was held out", who="threshold", wanted="rows of both classes"
        )
    return positives, negatives


def _point(threshold: float, positives: list[float], negatives: list[float]) -> ThresholdPoint:
    right = len(positives) - bisect_right(positives, threshold)
    wrong = len(negatives) - bisect_right(negatives, threshold)
    return ThresholdPoint(
        threshold=threshold,
        precision=right / (right + wrong) if right + wrong else 1.0,
        recall=right / len(positives),
        false_positive_rate=wrong / len(negatives),
        true_positives=right,
        false_positives=wrong,
    )


def _choose_spread(points: list[ThresholdPoint], rows: int) -> list[ThresholdPoint]:
    """Choose points at evenly spaced recalls, the highest threshold of each."""
    chosen: list[ThresholdPoint] = []
    for step in range(rows):
        wanted = 1 - step / (rows - 1)
        at = max((p for p in points if p.recall >= wanted), key=lambda p: p.threshold)
        if not chosen or at != chosen[-1]:
            chosen.append(at)
    return chosen


def ranking(scores: Iterable[float], is_positive: Iterable[bool]) -> list[ThresholdPoint]:
    """Tabulate every threshold that makes a difference, from nothing positive to everything.

    Parameters
    ----------
    scores, is_positive
        As for :func:`hardlimit.evaluation.precision_recall`, which makes the lines.

    Returns
    -------
    list of ThresholdPoint
        One more than there are distinct scores; the false-positive rates and recalls rise from 0
        to 1. O(n log n).

    Examples
    --------
    >>> for at in ranking([0.1, 0.5, 0.5, 0.9], [False, True, False, True]):
    ...     print(at.false_positive_rate, at.recall)
    0.0 0.0
    0.0 0.5
    0.5 1.0
    1.0 1.0
    """
    truth = [bool(is_) for is_ in is_positive]
    points = precision_recall(scores, truth)[::-1]
    lowest = points[-1]
    # A threshold below all scores, where everything is called positive.
    if lowest.false_positive_rate < 1:
        negatives = truth.count(False)
        points.append(
            replace(
                lowest,
                threshold=math.nextafter(lowest.threshold, -math.inf),
                precision=lowest.true_positives / (lowest.true_positives + negatives),
                false_positive_rate=1.0,
                false_positives=negatives,
            )
        )
    return points


def average_precision(points: list[ThresholdPoint]) -> float:
    """Return the area under the steps of the precision-recall curve.

    ::

        AP = sum of (recall_i - recall_{i-1}) precision_i

    ``points`` are those of :func:`ranking`. No line is drawn between the points: precision between
    two of them is not on it (Davis and Goadrich, ICML 2006).

    >>> average_precision(ranking([0.1, 0.5, 0.5, 0.9], [False, True, False, True]))
    0.8333333333333333
    """
    area = math.fsum(
        (b.true_positives - a.true_positives) * b.precision for a, b in pairwise(points)
    )
    return area / points[-1].true_positives
