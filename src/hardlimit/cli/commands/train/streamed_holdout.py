"""Rows of a stream that are held out, by their content: the same ones in every pass.

A row is held out if the first 64 bits of the BLAKE2b of its examples, as a number, are below
``share * 2**64``: equal rows stay on one side, and how the rows are ordered or cut into batches
changes nothing. Of many, a sample is kept, by a bound that falls as the rows come.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hardlimit.cli import terminal
from hardlimit.examples.sparse import Csr
from hardlimit.exceptions import InputError
from hardlimit.foundation.formatting import plural

if TYPE_CHECKING:
    from hardlimit.cli.labelled_rows import CountedRows, Labelled
    from hardlimit.cli.models import Classifier
    from hardlimit.examples._protocol import Examples

# Bytes of the rows that are kept to measure on, at most.
LARGEST = 1 << 26
# Of a row beside its content.
_OVERHEAD = 100


class HeldOutOfStream:
    """The rows that are held out, gathered in the first pass that goes to its end."""

    def __init__(self, share: float) -> None:
        self._bound = self._kept_below = int(share * 2**64)
        self.complete = False
        self._forget()

    def _forget(self) -> None:
        self.counts: Counter[Any] = Counter()
        self.n = self._size = 0
        self._kept_below = self._bound
        self._parts: list[_Part] = []

    def begin(self) -> None:
        """Begin a pass over all rows."""
        if not self.complete:
            self._forget()

    def divide(self, batch: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return the rows of a batch that are to be learnt."""
        examples, labels, *weights = batch
        marks = [_mark(key) for key in examples.hold_out_keys()]
        out = [place for place, mark in enumerate(marks) if mark < self._bound]
        if not out:
            return batch
        if not self.complete:
            self.n += len(out)
            part = _Part(examples, labels, weights, marks)
            self._add(part.take([place for place in out if marks[place] < self._kept_below]))
        kept = [place for place, mark in enumerate(marks) if mark >= self._bound]
        left = _Part(examples, labels, weights, marks).take(kept)
        return (left.examples, left.labels, *left.weights)

    def end(self) -> None:
        """End a pass that saw all rows."""
        self.complete = True

    def _add(self, part: _Part) -> None:
        self._parts.append(part)
        self._size += part.size
        while self._size > LARGEST and len(self._parts[0].labels):
            self._kept_below //= 2
            self._parts = [one.below(self._kept_below) for one in self._parts]
            self._size = sum(one.size for one in self._parts)

    def rows(self, known: CountedRows, classifier: Any) -> Labelled:
        """Return the rows to measure on; ``known``: what is known of all rows.

        Raises
        ------
        InputError
            Where there are none.
        """
        parts = [part for part in self._parts if part.labels]
        if not parts:
            raise InputError("no row was held out", parameter="holdout", fix="hold out more rows")
        n_kept = sum(len(part.labels) for part in parts)
        if n_kept < self.n:
            held_out = plural(self.n, "held-out row")
            terminal.remark(f"a sample of {n_kept:,} of {held_out} is measured on")
        examples = parts[0].examples.joined([part.examples for part in parts])
        if isinstance(examples, Csr):  # of columns that came late nothing may have been learnt
            examples = examples.within(classifier.n_features_in_)
        labels = [label for part in parts for label in part.labels]
        weights = [float(w) for part in parts for each in part.weights for w in each]
        return known.labelled(examples, labels, weights)


class _Part:
    """Some rows with their labels, weights and marks."""

    def __init__(
        self,
        examples: Examples,
        labels: Sequence[Any],
        weights: Sequence[Any],
        marks: Sequence[int],
    ) -> None:
        self.examples, self.labels = examples, labels
        self.weights, self.marks = weights, marks

    @property
    def size(self) -> int:
        """Bytes, about."""
        return _OVERHEAD * len(self.labels) + self.examples.size()

    def take(self, places: list[int]) -> _Part:
        """Return some of them."""
        return _Part(
            self.examples.take(places),
            [self.labels[place] for place in places],
            [weights[places] for weights in self.weights],
            [self.marks[place] for place in places],
        )

    def below(self, bound: int) -> _Part:
        """Return those whose mark is below a bound."""
        return self.take([place for place, mark in enumerate(self.marks) if mark < bound])


def calibrate(classifier: Classifier, held_out: Labelled) -> None:
    """Fit the slope of probabilities to held-out rows, of the classes that were learnt."""
    known = set(classifier.classes_.tolist())
    there = [
        place for place, label in enumerate(held_out.labels) if held_out.kind.is_known(label, known)
    ]
    part = held_out.take(there)
    classifier.calibrate(part.examples, part.targets, part.weights or None)


def _mark(key: str | bytes) -> int:
    data = key.encode("utf-8", "surrogatepass") if isinstance(key, str) else key
    digest = hashlib.blake2b(data, digest_size=8, person=b"holdout").digest()
    return int.from_bytes(digest, "little")
