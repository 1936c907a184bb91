"""How many examples of each class were seen, and what that makes each example weigh."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, Self

import numpy as np

from hardlimit.foundation.types import Array


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
        # A copy: the batch may still be refused, or interrupted.
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
