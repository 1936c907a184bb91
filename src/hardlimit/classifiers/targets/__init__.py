"""How an example says what it is: by one label, by a set of labels, or by columns of values.

Each kind is a file with the same methods: :class:`Targets` lists them. Whoever learns, counts,
holds out or deals asks these, and never how many labels an example has.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hardlimit.classifiers.model.choices import Choices
from hardlimit.classifiers.model.labels import LabelBook, read_single_label
from hardlimit.classifiers.model.many_labels import (
    MATRIX,
    SETS,
    ManyLabels,
    is_many,
    kind_of_targets,
    names_of_columns,
)
from hardlimit.classifiers.model.whole_numbers import WholeNumbers
from hardlimit.classifiers.targets._checks import absent_classes, require_rows
from hardlimit.classifiers.targets._protocol import Counts, Encoded, Encoder, Labels, Targets
from hardlimit.classifiers.targets.columns import LabelColumns
from hardlimit.classifiers.targets.one import OneLabel, labels_for
from hardlimit.classifiers.targets.sets import LabelSets
from hardlimit.foundation import types
from hardlimit.foundation.types import SampleWeight

__all__ = [
    "LABEL_SETS",
    "ONE_LABEL",
    "Counts",
    "Encoded",
    "Encoder",
    "LabelColumns",
    "LabelSets",
    "Labels",
    "OneLabel",
    "Targets",
    "absent_classes",
    "check_labels",
    "labels_for",
    "of_book",
    "of_file",
    "of_labels",
    "read_labels",
    "require_rows",
    "targets_of",
]

ONE_LABEL: Targets[list[Any]] = OneLabel()
LABEL_SETS: Targets[ManyLabels] = LabelSets()


def targets_of(y: types.Targets) -> Targets[Any]:
    """Return the kind of targets that somebody hands in.

    >>> [type(targets_of(y)).__name__ for y in (["a", "b"], [{"a"}, {"b"}], [[0, 1], [1, 0]])]
    ['OneLabel', 'LabelSets', 'LabelColumns']
    """
    kind = kind_of_targets(y)
    if kind == MATRIX:
        return LabelColumns(names_of_columns(y))
    return LABEL_SETS if kind == SETS else ONE_LABEL


def of_book(book: LabelBook) -> Targets[Any]:
    """Return the kind of targets that a model has learnt."""
    one: Targets[Any] = ONE_LABEL
    return book.pick(one, LABEL_SETS, lambda _: LabelColumns(tuple(map(str, book.numbers))))


def of_labels(labels: Labels | WholeNumbers) -> Targets[Any]:
    """Return the kind of labels that were read."""
    return of_book(labels.book) if isinstance(labels, ManyLabels) else ONE_LABEL


def of_file(separator: str | None, columns: Sequence[str] = ()) -> Targets[Any]:
    """Return the kind of the labels in a file.

    separator : what stands between several labels in one column, or None.    columns : the
    columns of labels, where there are several.
    """
    if columns:
        return LabelColumns(tuple(columns))
    return ONE_LABEL if separator is None else LabelSets(separator)


def read_labels(
    n_rows: int,
    y: types.Targets,
    book: LabelBook | None = None,
    classes: types.Targets | None = None,
    rows_name: str = "X",
) -> Labels:
    """Return a plain label a row, or the targets of several neurons; as the model knows them.

    book : that of the model, if it has learnt already.    classes : those that were named.
    """
    # The path of a stream of single rows, where each check costs as much as the correction.
    if n_rows == 1:
        one = read_single_label(y) if book is None else book.read_single(y)
        if one is not None:
            return one
    targets: Targets[Any] = LABEL_SETS if book is None and is_many(y) else ONE_LABEL
    if book is not None:
        targets = of_book(book)
    labels: Labels = targets.read_all(n_rows, y, book, classes, rows_name)
    return labels


def check_labels(
    choices: Choices, labels: Labels | WholeNumbers, sample_weight: SampleWeight
) -> Encoded:
    """Check labels and weights of a fit, before anything of an old model is touched."""
    return of_labels(labels).check(choices, labels, sample_weight)
