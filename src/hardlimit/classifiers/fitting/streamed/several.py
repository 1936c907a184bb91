"""Labels of a stream, one or several an example; what several are as targets."""

from __future__ import annotations

import warnings
from collections.abc import Hashable, Iterable, Sequence
from typing import Any

import numpy as np

from hardlimit.classifiers.fitting import fit
from hardlimit.classifiers.model import many_labels
from hardlimit.classifiers.model.labels import as_list, example_weights, sorted_book
from hardlimit.classifiers.model.many_labels import MATRIX, SETS, ManyBook, ManyLabels
from hardlimit.classifiers.model.training import Training
from hardlimit.exceptions import DataWarning, Given, KindError
from hardlimit.foundation.package import caller_stacklevel
from hardlimit.foundation.types import Array
from hardlimit.streaming.blocks import Block

MOST_TOLD = 10  # labels that came late
ROWS = None  # among the counts of labels, the number of examples; no label is None


class LabelReader:
    """Reads the labels of batches, an item an example; the first batch says of which kind.

    kind : one label an example; a tuple, the labels of its set; or the values of its row in a
        matrix.
    names : of the columns of a matrix, where it has some.
    """

    def __init__(self) -> None:
        self.kind: str | None = None
        self.names: list[str] | None = None

    @property
    def several(self) -> bool:
        """Whether an example has several labels."""
        return self.kind in (SETS, MATRIX)

    def read(self, n_rows: int, labels: Any, rows_name: str) -> list[Any]:
        """Return an item an example."""
        if self.kind is None and n_rows:
            self.kind = many_labels.kind_of_targets(labels)
        if not self.several:
            if many_labels.is_many(labels):
                raise _mixed("several labels an example", "one, as in the first batch")
            return fit.labels_for(n_rows, labels, rows_name)
        fit.require_rows(n_rows, rows_name)
        if not many_labels.is_many(labels):
            raise _mixed("one label an example", "several, as in the first batch")
        rows, names = many_labels.as_items(labels, self.kind)
        fit.require_length(len(rows), n_rows, rows_name)
        if self.names is None:
            self.names = names
        elif names is not None and names != self.names:
            raise _mixed("a matrix with other columns", "those of the first batch")
        return rows

    def counted(self, labels: Iterable[Any]) -> Iterable[Any]:
        """Return what is counted of the labels of some examples: of several each, and the rows."""
        if not self.several:
            return labels
        rows = list(labels)
        each = [label for row in rows for label in row] if self.kind == SETS else []
        return [*each, *[ROWS] * len(rows)]


def _mixed(got: str, wanted: str) -> KindError:
    return KindError(parameter="labels", got=Given(got), wanted=wanted)


def open_many_book(
    reader: LabelReader, head: Sequence[Any], counts: Any = None, named: Any = None
) -> ManyBook:
    """Return the labels at the start: those named, all that were counted, or those of the head."""
    if reader.kind == MATRIX:
        values = many_labels.as_matrix(head)
        return many_labels.read_targets(_Table(values, reader.names), None, named).book
    if named is not None:
        return ManyBook(sorted_book(as_list(named)).numbers, None)
    if counts is not None:
        every: Iterable[Hashable] = (label for label in counts if label is not ROWS)
        head = [tuple(every)]
    return many_labels.read_targets(_as_sets(head)).book


def _as_sets(rows: Sequence[tuple[Hashable, ...]]) -> list[frozenset[Hashable]]:
    """Return what cannot be taken for a matrix, as tuples of numbers could."""
    return list(map(frozenset, rows))


class _Table:
    """A matrix whose columns may have names."""

    def __init__(self, values: Array, names: list[str] | None) -> None:
        self._values = values
        if names is not None:
            self.columns = names

    def to_numpy(self) -> Array:
        """Return the values."""
        return self._values


class ManyTargets:
    """What the labels of blocks are as targets (n, M); labels that came late are left out.

    late : those labels, in the order of their first examples.
    weighted : whether an example weighed other than 0 and 1.
    """

    def __init__(self) -> None:
        self.late: list[Hashable] = []
        self.weighted = False
        self._ever: Array | None = None
        self._always: Array | None = None

    def encode(self, training: Training, block: Block) -> tuple[Array, Array | None]:
        """Return the targets (int32) and the weights of a block, or None where all are 1."""
        book: Any = training.book
        if book.values is None:
            found = many_labels.read_targets(_as_sets(self._known(book, block.labels)), book)
        else:
            found = many_labels.read_targets(many_labels.as_matrix(block.labels), book)
        targets = found.targets
        self._look(found.truth)
        weights = example_weights(training.rule, block.weights, None, targets, book, ())
        if weights is not None and not self.weighted:
            self.weighted = not bool((weights == 1).all())
        training.check_weights(weights)
        return targets, weights

    def _known(self, book: ManyBook, rows: Sequence[tuple[Hashable, ...]]) -> list[Any]:
        """Return the rows without labels that nobody knew at the start."""
        known = book.numbers
        strange = dict.fromkeys(x for row in rows for x in row if x not in known)
        if not strange:
            return list(rows)
        book.check_alike(strange)
        for label in strange:
            if label in self.late:
                continue
            self.late.append(label)
            if len(self.late) <= MOST_TOLD:
                more = "; others of that kind are not told" if len(self.late) == MOST_TOLD else ""
                warnings.warn(
                    DataWarning(
                        f"the label {label!r} came first after the rows that the labels were taken "
                        f"from, and is not learnt{more}",
                        parameter="labels",
                        fix="name all labels, classes=[...]",
                        topic="late-label",
                    ),
                    stacklevel=caller_stacklevel(),
                )
        return [tuple(label for label in row if label in known) for row in rows]

    def _look(self, truth: Array) -> None:
        ever, always = np.asarray(truth.any(axis=0)), np.asarray(truth.all(axis=0))
        self._ever = ever if self._ever is None else self._ever | ever
        self._always = always if self._always is None else self._always & always

    def warn(self, book: Any) -> None:
        """Say which neurons have never seen the other answer."""
        if self._ever is not None and self._always is not None:
            ManyLabels(book, np.stack([self._ever, self._always])).warn_of_constants(None)
