"""Class weights and sample weights, by the rule's own meaning."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Self

import numpy as np

from hardlimit import rules
from hardlimit.classifiers.model.compatibility import Combination, check_weighted
from hardlimit.classifiers.model.labels import LabelBook
from hardlimit.exceptions import Given, InputError
from hardlimit.foundation.types import Array, SampleWeight


def example_weights(
    rule: rules.Rule,
    sample_weight: SampleWeight,
    class_weight: Mapping[Any, float] | str | None,
    targets: Array | Sequence[Hashable],
    book: LabelBook,
    labels: Sequence[Hashable],
) -> np.ndarray[Any, Any] | None:
    """One weight an example (float64), or None where all are 1.

    Raises
    ------
    InputError
        Negative or not finite; not one an example; or other than 0 and 1 where the rule has no
        meaning for them.
    """
    if sample_weight is None and class_weight is None:
        return None
    n = len(targets)
    weights = np.ones(n)
    if sample_weight is not None:
        weights = _as_weights(sample_weight, n)
    if class_weight is not None:
        codes = np.asarray(targets)
        weights = weights * _by_class(class_weight, codes, book, weights)[codes]
    absent = [i for i, label in enumerate(labels) if label not in book.numbers]
    if absent:
        weights = weights.copy()
        weights[absent] = 0.0
    if not ((weights == 0) | (weights == 1)).all():
        check_weighed(rule)
    return weights


def check_weighed(rule: rules.Rule, parameter: str = "sample_weight") -> None:
    """Refuse a rule for which an example's weight has no meaning."""
    check_weighted(Combination(rule), parameter)


def present_labels(
    labels: Sequence[Hashable],
    sample_weight: SampleWeight,
    class_weight: Mapping[Any, float] | str | None,
) -> list[Hashable]:
    """Labels of the examples that are there: one of weight 0 is absent, its class included."""
    present = list(labels)
    if sample_weight is not None:
        weights = _as_weights(sample_weight, len(labels))
        present = [label for label, w in zip(labels, weights, strict=True) if w > 0]
        if not present:
            raise InputError(
                parameter="sample_weight",
                got=Given("zero for every example"),
                wanted="a weight above 0",
            )
    if class_weight is not None and isinstance(class_weight, Mapping):
        present = [label for label in present if class_weight.get(label, 1) != 0]
    return present


def _as_weights(sample_weight: SampleWeight, n: int) -> np.ndarray[Any, Any]:
    try:
        weights = np.ascontiguousarray(sample_weight, np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError(str(error), parameter="sample_weight", wanted="numbers") from None
    if weights.shape != (n,):
        raise InputError(
            parameter="sample_weight", got=Given(f"shape {weights.shape}"), wanted=f"({n},)"
        )
    if not np.isfinite(weights).all() or (weights < 0).any():
        raise InputError(parameter="sample_weight", wanted="finite numbers >= 0")
    return weights


def _by_class(
    class_weight: Mapping[Any, float] | str,
    targets: Array,
    book: LabelBook,
    sample_weight: Array,
) -> np.ndarray[Any, Any]:
    if isinstance(class_weight, str):  # balanced
        present = targets[sample_weight > 0]
        counts = np.bincount(present, minlength=len(book))
        return len(present) / (len(book) * np.maximum(counts, 1).astype(np.float64))
    weights = np.ones(len(book))
    for label, weight in class_weight.items():
        if label not in book.numbers:
            if weight == 0:  # a class that is absent
                continue
            known = ", ".join(map(repr, book.numbers))
            raise InputError(
                parameter="class_weight",
                got=Given(f"{label!r}, which is none of the classes {known}"),
            )
        weights[book.numbers[label]] = weight
    return weights


class ClassCounts:
    """How many examples of each class were seen.

    The example number t of a stream, of class y, weighs ::

        t / (classes seen so far * examples of y so far)

    all three with this example included, so that it does not matter how a stream is cut into
    batches. In a fit, where everything is seen at once, the same formula holds with the counts of
    all examples, and a stream goes on from those.
    """

    def __init__(self, counts: dict[Hashable, int] | None = None) -> None:
        self.counts = counts or {}

    @classmethod
    def of(cls, labels: Sequence[Hashable], targets: Array, weights: Array | None) -> Self:
        """The counts of a fit: class numbers of its examples, those of weight 0 left out."""
        present = targets if weights is None else targets[weights > 0]
        counts = np.bincount(present, minlength=len(labels)).tolist()
        return cls(dict(zip(labels, counts, strict=True)))

    def in_order(self, labels: Sequence[Hashable]) -> list[int]:
        """The count of each of these classes."""
        return [self.counts.get(label, 0) for label in labels]

    def weigh(self, labels: Sequence[Hashable], weights: Array | None) -> tuple[Any, ClassCounts]:
        """The weights of further examples, multiplied by those given, and the counts after them.

        An example of weight 0 is absent.
        """
        counts = dict(self.counts)
        seen, known = sum(counts.values()), sum(count > 0 for count in counts.values())
        balanced = np.ones(len(labels)) if weights is None else weights.copy()
        for place, label in enumerate(labels):
            if balanced[place] == 0:
                continue
            count = counts.get(label, 0) + 1
            counts[label] = count
            known += count == 1
            seen += 1
            balanced[place] *= seen / (known * count)
        return balanced, ClassCounts(counts)
