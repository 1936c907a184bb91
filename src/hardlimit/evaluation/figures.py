"""Figures of predictions against true labels: accuracy, F1, per class, confusion, baseline."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hardlimit.exceptions import InputError
from hardlimit.foundation.formatting import plural

Label = Hashable


@dataclass(frozen=True, slots=True)
class ClassFigures:
    """Figures of one class; a share of nothing counts as 0.

    Attributes
    ----------
    precision
        right / predicted.
    recall
        right / support.
    f1
        2 right / (predicted + support), their harmonic mean.
    support, predicted, right
        How often the class is true, predicted, and both.
    """

    label: Any
    precision: float
    recall: float
    f1: float
    support: int
    predicted: int
    right: int


@dataclass(frozen=True, slots=True)
class Figures:
    """Figures of a classifier on labelled rows; ``print`` them for a table.

    Attributes
    ----------
    n, right
        Number of rows, and how many predictions are correct.
    accuracy, interval
        right / n, and its Wilson interval at ``confidence``.
    macro_f1
        Mean F1 of the classes, each counted once.
    classes
        One `ClassFigures` a class that is true or predicted somewhere.
    confusion
        ``confusion[true, predicted]`` counts.
    majority, baseline
        The most frequent class, and the accuracy of always saying it.
    unseen
        True labels that the model does not know, with their counts; they count as wrong.
    """

    n: int
    right: int
    accuracy: float
    interval: tuple[float, float]
    confidence: float
    macro_f1: float
    classes: tuple[ClassFigures, ...]
    confusion: dict[tuple[Any, Any], int]
    majority: Any
    baseline: float
    unseen: dict[Any, int]

    def to_json(self) -> dict[str, Any]:
        """Return plain JSON; the confusion as [true, predicted, count] triples."""
        plain = {name: getattr(self, name) for name in _PLAIN}
        plain["interval"] = list(self.interval)
        plain["classes"] = [
            {name: getattr(one, name) for name in ClassFigures.__slots__} for one in self.classes
        ]
        plain["confusion"] = [[*pair, count] for pair, count in self.confusion.items()]
        plain["unseen"] = [[label, count] for label, count in self.unseen.items()]
        return plain

    def __str__(self) -> str:
        """Draw the figures as text."""
        low, high = self.interval
        lines = [
            f"accuracy {self.accuracy:.4f}  ({self.right} of {self.n}; "
            f"{self.confidence:.0%} interval {low:.4f} to {high:.4f})",
            f"macro-F1 {self.macro_f1:.4f}",
            f"baseline {self.baseline:.4f}  (always {self.majority})",
            "",
        ]
        width = max([5, *(len(str(one.label)) for one in self.classes)])
        lines.append(f"{'class':<{width}}  precision  recall      F1  support")
        for one in self.classes:
            lines.append(
                f"{one.label!s:<{width}}  {one.precision:9.4f}  {one.recall:6.4f}  "
                f"{one.f1:6.4f}  {one.support:7}"
            )
        if self.unseen:
            named = ", ".join(f"{label} ({count})" for label, count in self.unseen.items())
            lines += ["", f"labels that the model does not know, counted as wrong: {named}"]
        return "\n".join(lines)


_PLAIN = ("n", "right", "accuracy", "confidence", "macro_f1", "majority", "baseline")


def figures(
    true: Iterable[Label],
    predicted: Iterable[Label],
    *,
    classes: Sequence[Label] | None = None,
    majority: Label | None = None,
    confidence: float = 0.95,
) -> Figures:
    """Compare predictions with the true labels.

    Parameters
    ----------
    true, predicted
        Labels of the same rows, in the same order; numpy arrays too.
    classes
        The classes that the model knows, in its order; default: all that occur, sorted.
    majority
        The most frequent class of the training rows; default: of these rows.
    confidence
        Of the interval, between 0 and 1.

    Returns
    -------
    Figures
        O(rows). Precision, recall and F1 of a class that is never true or never predicted are 0,
        and macro-F1 is over the classes that occur on either side, as in scikit-learn.

    Raises
    ------
    InputError
        No rows, or not as many predictions as labels.

    Examples
    --------
    >>> judged = figures(["ham", "ham", "spam", "eggs"], ["ham", "spam", "spam", "ham"],
    ...                 classes=["ham", "spam"])
    >>> judged.accuracy, judged.unseen, round(judged.macro_f1, 4)
    (0.5, {'eggs': 1}, 0.3889)
    """
    true, predicted = _to_builtin(true), _to_builtin(predicted)
    if len(true) != len(predicted):
        raise InputError(
            f"{plural(len(true), 'label')}, but {plural(len(predicted), 'prediction')}",
            who="figures",
        )
    confusion = Counter(zip(true, predicted, strict=True))
    return figures_of_counts(confusion, classes=classes, majority=majority, confidence=confidence)


def figures_of_counts(
    confusion: Mapping[tuple[Label, Label], int],
    *,
    classes: Sequence[Label] | None = None,
    majority: Label | None = None,
    confidence: float = 0.95,
) -> Figures:
    """Return the figures of rows of which it is known how often each pair of labels occurs.

    Counts of parts of the rows may be added first. Parameters, figures and errors as `figures`.

    >>> figures_of_counts({("ham", "ham"): 3, ("spam", "ham"): 1}).accuracy
    0.75
    """
    support, answers = Counter[Label](), Counter[Label]()
    for (label, answer), count in confusion.items():
        support[label] += count
        answers[answer] += count
    n = support.total()
    if not n:
        raise InputError("no rows to judge", who="figures")
    order = _order_classes(classes, support, answers)
    per_class = tuple(
        judge_class(label, confusion.get((label, label), 0), answers[label], support[label])
        for label in order
    )
    right = sum(one.right for one in per_class)
    if majority is None:
        # Of equal counts the first in the model's order, whatever the order of the rows.
        majority = max(order, key=lambda label: support[label])
    known = support.keys() if classes is None else set(_to_builtin(classes))
    return Figures(
        n=n,
        right=right,
        accuracy=right / n,
        interval=wilson_interval(right, n, confidence),
        confidence=confidence,
        macro_f1=math.fsum(one.f1 for one in per_class) / len(per_class),
        classes=per_class,
        confusion={
            (a, b): count for a in order for b in order if (count := confusion.get((a, b), 0))
        },
        majority=majority,
        baseline=support[majority] / n,
        unseen={label: support[label] for label in order if support[label] and label not in known},
    )


def wilson_interval(right: int, n: int, confidence: float = 0.95) -> tuple[float, float]:
    """Return Wilson's score interval for a share.

    ::

        centre = (p + z^2 / 2n) / (1 + z^2 / n)
        half   = z sqrt(p (1 - p) / n + z^2 / 4n^2) / (1 + z^2 / n)

    It stays inside [0, 1] and is honest near the ends, where the usual ``p +- z s`` is not.
    E. B. Wilson, JASA 22 (1927), 209-212.

    >>> [round(end, 4) for end in wilson_interval(81, 263)]
    [0.2553, 0.3662]
    """
    if not 0 <= right <= n or n == 0:
        raise InputError(f"{right} of {n} is no share", who="wilson_interval")
    z = normal_quantile(confidence)
    p = right / n
    shrunk = 1 + z * z / n
    centre = (p + z * z / (2 * n)) / shrunk
    half = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / shrunk
    # At the ends the difference is 0 or 1 but for its rounding.
    return (0.0 if right == 0 else centre - half), (1.0 if right == n else centre + half)


def _to_builtin(labels: Iterable[Label]) -> list[Label]:
    """Turn numpy's scalars into Python's, so that they print and compare as such."""
    tolist = getattr(labels, "tolist", None)
    return list(labels) if tolist is None else list(tolist())


def _order_classes(
    classes: Sequence[Label] | None, support: Counter[Label], answers: Counter[Label]
) -> list[Label]:
    """Order the classes that occur: the model's order first, then sorted by kind and value."""
    occurring = set(support) | set(answers)
    first = (
        [] if classes is None else [label for label in _to_builtin(classes) if label in occurring]
    )
    rest = occurring - set(first)
    by_kind: dict[str, list[Any]] = {}
    for label in rest:
        # Numbers and texts cannot be compared with each other.
        kind = "number" if isinstance(label, (int, float)) else type(label).__name__
        by_kind.setdefault(kind, []).append(label)
    return first + [label for kind in sorted(by_kind) for label in sorted(by_kind[kind])]


def judge_class(label: Label, right: int, predicted: int, support: int) -> ClassFigures:
    """Return the figures of a class from its counts.

    >>> judge_class("spam", right=2, predicted=4, support=2).f1
    0.6666666666666666
    """
    both = predicted + support
    return ClassFigures(
        label=label,
        precision=right / predicted if predicted else 0.0,
        recall=right / support if support else 0.0,
        f1=2 * right / both if both else 0.0,
        support=support,
        predicted=predicted,
        right=right,
    )


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
