"""How well scores put the positive rows above the others, over all thresholds at once.

Rows of equal scores are called positive together or not at all, so that what a curve says does not
depend on the order in which they happen to lie.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise

from hardlimit.evaluation.threshold import ThresholdPoint, precision_recall


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
