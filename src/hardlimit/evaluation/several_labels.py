"""Figures of several labels an example: of each label, of all together, and of whole rows."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from hardlimit.evaluation.figures import ClassFigures, judge_class, wilson_interval
from hardlimit.exceptions import Given, InputError
from hardlimit.foundation.formatting import plural


@dataclass(frozen=True, slots=True)
class LabelFigures:
    """Figures of a classifier of several labels; ``print`` them for a table.

    Attributes
    ----------
    n, exact
        Number of rows, and how many have all their labels right.
    exact_match, interval
        exact / n (the subset accuracy), and its Wilson interval at ``confidence``.
    labels
        One `ClassFigures` a label, of the rows that have it.
    accuracies
        The share of rows on which each label is right, in the order of ``labels``.
    micro_precision, micro_recall, micro_f1
        Of all labels of all rows together.
    macro_f1
        Mean F1 of the labels; one that is never true nor predicted counts as 0.
    hamming_loss
        The share of single yes-or-no predictions that are wrong.
    """

    n: int
    exact: int
    exact_match: float
    interval: tuple[float, float]
    confidence: float
    labels: tuple[ClassFigures, ...]
    accuracies: tuple[float, ...]
    micro_precision: float
    micro_recall: float
    micro_f1: float
    macro_f1: float
    hamming_loss: float

    def to_json(self) -> dict[str, Any]:
        """Return plain JSON."""
        plain = {name: getattr(self, name) for name in _PLAIN}
        plain["interval"] = list(self.interval)
        plain["labels"] = [
            {name: getattr(one, name) for name in ClassFigures.__slots__} | {"accuracy": accuracy}
            for one, accuracy in zip(self.labels, self.accuracies, strict=True)
        ]
        return plain

    def __str__(self) -> str:
        """Draw the figures as text."""
        low, high = self.interval
        width = max([5, *(len(str(one.label)) for one in self.labels)])
        lines = [
            f"exact match {self.exact_match:.4f}  ({self.exact} of {self.n}; "
            f"{self.confidence:.0%} interval {low:.4f} to {high:.4f})",
            f"micro-F1 {self.micro_f1:.4f}",
            f"macro-F1 {self.macro_f1:.4f}",
            f"Hamming loss {self.hamming_loss:.4f}",
            "",
            f"{'label':<{width}}  accuracy  precision  recall      F1  support",
        ]
        lines += [
            f"{one.label!s:<{width}}  {accuracy:8.4f}  {one.precision:9.4f}  {one.recall:6.4f}  "
            f"{one.f1:6.4f}  {one.support:7}"
            for one, accuracy in zip(self.labels, self.accuracies, strict=True)
        ]
        return "\n".join(lines)


_PLAIN = (
    "n", "exact", "exact_match", "confidence", "micro_precision", "micro_recall", "micro_f1",
    "macro_f1", "hamming_loss",
)  # fmt: skip


def figures_of_labels(
    true: Iterable[Sequence[bool]],
    predicted: Iterable[Sequence[bool]],
    *,
    labels: Sequence[Hashable] | None = None,
    confidence: float = 0.95,
) -> LabelFigures:
    """Compare predictions of several labels with the truth.

    Parameters
    ----------
    true, predicted
        A row an example, a truth value (or 0 and 1) a label: (n, M); numpy arrays too.
    labels
        Names of the M labels; default: 0, 1, ...
    confidence
        Of the interval, between 0 and 1.

    Returns
    -------
    LabelFigures
        O(rows x labels). Precision, recall and F1 of nothing are 0, as in scikit-learn.

    Raises
    ------
    InputError
        No rows, or matrices of different shapes.

    Examples
    --------
    >>> judged = figures_of_labels([[1, 0], [1, 1], [0, 1]], [[1, 0], [1, 0], [1, 1]])
    >>> judged.exact, judged.accuracies[1], round(judged.micro_f1, 4), judged.labels[0].precision
    (1, 0.6666666666666666, 0.75, 0.6666666666666666)
    """
    truth, said = (
        [list(map(bool, row)) for row in true],
        [list(map(bool, row)) for row in predicted],
    )
    width = len(labels) if labels is not None else len(truth[0]) if truth else 0
    if len(truth) != len(said) or any(len(row) != width for row in (*truth, *said)):
        shapes = f"{plural(len(truth), 'row')} and {plural(len(said), 'row')} of predictions"
        raise InputError(
            who="figures_of_labels", got=Given(shapes), wanted=f"{plural(width, 'value')} a row"
        )
    if not truth or not width:
        raise InputError("no rows to judge", who="figures_of_labels")
    names = range(width) if labels is None else labels
    columns = list(zip(names, zip(*truth, strict=True), zip(*said, strict=True), strict=True))
    each = tuple(
        judge_class(name, sum(map(all, zip(t, p, strict=True))), sum(p), sum(t))
        for name, t, p in columns
    )
    exact = sum(a == b for a, b in zip(truth, said, strict=True))
    return _summarise(each, len(truth), exact, confidence)


def figures_of_label_sets(
    true: Sequence[Collection[Hashable]],
    predicted: Sequence[Collection[Hashable]],
    *,
    labels: Sequence[Hashable],
    confidence: float = 0.95,
) -> LabelFigures:
    """Compare sets of predicted labels with the true ones, one an example.

    Parameters
    ----------
    true, predicted
        The labels of each row; one that is not among ``labels`` counts as one more label.
    labels
        The labels that there are.
    confidence
        Of the interval, between 0 and 1.

    Returns
    -------
    LabelFigures
        As `figures_of_labels`; O(labels of all rows + labels).

    Examples
    --------
    >>> judged = figures_of_label_sets([{"a"}, {"a", "b"}], [{"a"}, {"a"}], labels=["a", "b"])
    >>> judged.exact, judged.micro_recall.__round__(3), judged.hamming_loss
    (1, 0.667, 0.25)
    """
    if len(true) != len(predicted):
        shapes = f"{plural(len(true), 'row')} and {plural(len(predicted), 'row')} of predictions"
        raise InputError(who="figures_of_label_sets", got=Given(shapes), wanted="as many of both")
    counts = LabelCounts()
    for t, p in zip(true, predicted, strict=True):
        counts.add(t, p)
    return counts.figures(labels, confidence)


@dataclass
class LabelCounts:
    """How often each label is true, predicted, and both; counts of other rows may be added.

    >>> counts = LabelCounts()
    >>> counts.add({"a", "b"}, {"a"})
    >>> counts.figures(["a", "b"]).micro_recall
    0.5
    """

    n: int = 0
    exact: int = 0
    right: Counter[Hashable] = field(default_factory=Counter)
    said: Counter[Hashable] = field(default_factory=Counter)
    there: Counter[Hashable] = field(default_factory=Counter)

    def add(self, true: Collection[Hashable], predicted: Collection[Hashable]) -> None:
        """Count a row."""
        t, p = frozenset(true), frozenset(predicted)
        self.n += 1
        self.exact += t == p
        self.right.update(t & p)
        self.said.update(p)
        self.there.update(t)

    def extend(self, later: LabelCounts) -> None:
        """Add the counts of later rows."""
        self.n += later.n
        self.exact += later.exact
        self.right.update(later.right)
        self.said.update(later.said)
        self.there.update(later.there)

    def figures(self, labels: Sequence[Hashable], confidence: float = 0.95) -> LabelFigures:
        """Return the figures of the rows, as `figures_of_label_sets` does."""
        if not self.n:
            raise InputError("no rows to judge", who="figures_of_label_sets")
        names = dict.fromkeys([*labels, *self.there, *self.said])
        each = tuple(judge_class(x, self.right[x], self.said[x], self.there[x]) for x in names)
        return _summarise(each, self.n, self.exact, confidence)


def _summarise(
    each: tuple[ClassFigures, ...], n: int, exact: int, confidence: float
) -> LabelFigures:
    """Return the figures of n rows, from the counts of each label."""
    # Right where both say yes, and where neither does.
    agree = [n - one.predicted - one.support + 2 * one.right for one in each]
    together = judge_class(None, *map(sum, zip(*map(_counts, each), strict=True)))
    return LabelFigures(
        n=n,
        exact=exact,
        exact_match=exact / n,
        interval=wilson_interval(exact, n, confidence),
        confidence=confidence,
        labels=each,
        accuracies=tuple(count / n for count in agree),
        micro_precision=together.precision,
        micro_recall=together.recall,
        micro_f1=together.f1,
        macro_f1=math.fsum(one.f1 for one in each) / len(each),
        hamming_loss=1 - sum(agree) / (n * len(each)),
    )


def _counts(one: ClassFigures) -> tuple[int, int, int]:
    return one.right, one.predicted, one.support
