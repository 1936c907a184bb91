"""Targets of M neurons that learn by themselves: any two values a column, or sets of labels.

::

    Y (n, M), two values a column        neuron m learns the larger one of column m as +1
    [{"a", "b"}, set(), {"c"}]           a neuron a label, +1 where the set holds it

A list of lists (or tuples) of 0 and 1, -1 and 1 or truth values, all of one length, is a matrix;
other lists and tuples in a list are taken for sets of labels. A matrix of one column is one label
an example, as it is elsewhere.
"""

from __future__ import annotations

import copy
import warnings
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, NamedTuple, cast

import numpy as np

from hardlimit.classifiers.model.decisions import (
    ClassDecision,
    ColumnDecision,
    Pairs,
    SetDecision,
)
from hardlimit.classifiers.model.labels import (
    LabelBook,
    as_array,
    as_list,
    sorted_book,
    unwrap_label,
)
from hardlimit.classifiers.model.storable_labels import check_storable, labels_to_json
from hardlimit.engine import is_sparse, to_dense
from hardlimit.exceptions import DataWarning, Given, InputError, KindError, abbreviate
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.inputs import unreadable
from hardlimit.foundation.labels import strange_value
from hardlimit.foundation.package import caller_stacklevel
from hardlimit.foundation.types import Array

Truth = np.ndarray[Any, Any]
_PAIRS = ({0, 1}, {-1, 1})
_SETS = (set, frozenset)
_LISTS = (list, tuple, np.ndarray)


# How the targets of examples come.
ONE, SETS, MATRIX = "one", "sets", "matrix"


class ManyBook(SetDecision, LabelBook):
    """The labels of M neurons, any number of which an example has."""

    @property
    def output_labels(self) -> list[Any]:
        """The label that each row of weights speaks for."""
        return list(self.numbers)

    @property
    def competing(self) -> bool:
        """Whether labels compete for an example: each is learnt by itself."""
        return False

    @staticmethod
    def read_single(y: object) -> None:
        """Return None: the labels of an example are always looked at closely."""

    def write(self) -> dict[str, object]:
        """Return what the header of a model file says of the labels."""
        return super().write() | {"values": None}

    def weights_of(self, weights: Array, number: int) -> Array:
        """Return the weights of the neuron of a label."""
        return weights[:, number]

    def widen(self, scores: Array) -> Array:
        """A score for each label."""
        return scores

    def decide(self, scores: Array, threshold: float) -> Truth:
        """The values (n, M), or n tuples of labels in the order of the book."""
        truth: Truth = scores > threshold
        return self.name_targets(truth)

    def name_targets(self, truth: Truth) -> Truth:
        """Truth values (n, M) as the labels that are there."""
        labels = list(self.numbers)
        sets = np.empty(len(truth), object)
        sets[:] = [
            tuple(label for label, is_one in zip(labels, row, strict=True) if is_one)
            for row in truth.tolist()
        ]
        return sets

    def truth_of(self, y: Any) -> Truth:
        """Truth values (n, M) of targets that somebody hands in."""
        return read_targets(y, self).truth

    def name_confident(
        self, p: Array, least: float, unsure: object, known: Iterable[int | None]
    ) -> Truth:
        """The labels that are at least so probable."""
        return self.name_targets(p >= least)

    def find_errors(self, scores: Array, threshold: float, targets: Array) -> Truth:
        """Rows of which any neuron errs."""
        wrong: Truth = ((scores > threshold) != targets.reshape(scores.shape)).any(axis=1)
        return wrong


class ColumnsBook(ColumnDecision, ManyBook):
    """The columns of labels of M neurons, and the two values of each.

    values : (2, M), what a score of at most 0 says, and one above.
    """

    def __init__(self, labels: Iterable[Any], values: Truth) -> None:
        ManyBook.__init__(self, labels)
        self.values, self.pairs = values, values.T.tolist()

    def write(self) -> dict[str, object]:
        """Return what the header of a model file says of the labels."""
        return super().write() | {"values": [labels_to_json(pair) for pair in self.pairs]}

    def name_targets(self, truth: Truth) -> Truth:
        """Truth values (n, M) as the values of the columns."""
        values: Truth = np.where(truth, self.values[1], self.values[0])
        return values

    def name_confident(
        self, p: Array, least: float, unsure: object, known: Iterable[int | None]
    ) -> Truth:
        """The values, and ``unsure`` where neither is so probable."""
        answers = np.empty(p.shape, object)
        answers[:] = self.name_targets(p > 0.5)
        answers[np.maximum(p, 1 - p) < least] = unsure
        return answers


class ManyLabels(NamedTuple):
    """Targets that were read: truth (n, M), and the book that gives them their names."""

    book: ManyBook
    truth: Truth

    @property
    def targets(self) -> Truth:
        """What neurons learn, as the engine wants it: (n, M), or (n,) of a single neuron."""
        targets = self.truth.astype(np.int32, order="C")  # tables come column by column
        return targets[:, 0].copy() if targets.shape[1] == 1 else targets

    def __len__(self) -> int:
        return len(self.truth)

    def take(self, rows: Sequence[int] | Array) -> ManyLabels:
        """The targets of some examples, of the same labels."""
        return ManyLabels(copy.copy(self.book), self.truth[rows])

    def warn_of_constants(self, present: Array | None) -> None:
        """Say that a column tells nothing where all its examples agree."""
        truth = self.truth if present is None else self.truth[present]
        still = np.flatnonzero(truth.all(axis=0) | ~truth.any(axis=0))
        if len(still):
            names = ", ".join(repr(list(self.book.numbers)[c]) for c in still[:5])
            more = f" and {len(still) - 5} more" if len(still) > 5 else ""
            warnings.warn(
                DataWarning(
                    f"all examples agree on {names}{more}: neurons that never see the other answer "
                    "learn to give this one always",
                    parameter="Y",
                ),
                stacklevel=caller_stacklevel(),
            )


def is_many(y: object) -> bool:
    """Whether the targets are several an example."""
    if isinstance(y, ManyLabels):
        return True
    if isinstance(y, np.ndarray) and y.dtype != object:
        return y.ndim == 2 and y.shape[1] != 1
    given: Any = y if type(y) in (list, tuple) else _unpack_column(y)
    # Sparse matrices and tables, recognised without importing scipy or pandas.
    if hasattr(given, "nnz") or (hasattr(given, "columns") and hasattr(given, "to_numpy")):
        return len(given.shape) == 2 and given.shape[1] != 1
    if isinstance(given, np.ndarray):
        several = given.ndim == 1 and _holds_several(given)
        return several or (given.ndim == 2 and given.shape[1] != 1)
    try:
        return isinstance(given, list | tuple) and _holds_several(given) and not _is_column(given)
    except Exception as error:  # of a user's own class
        raise unreadable(error, "labels") from error


def _unpack_column(y: object) -> Any:
    """Return the lists of a column of pandas, polars or pyarrow that holds lists; else y itself."""
    kind = str(getattr(y, "type", None) or getattr(y, "dtype", "")).lower()
    if not kind.startswith(("list", "large_list", "object")) or getattr(y, "ndim", 1) != 1:
        return y
    values = getattr(y, "to_pylist", None) or getattr(y, "to_list", None)
    return y if values is None else values()


def _holds_several(y: Sequence[object] | Truth) -> bool:
    return len(y) > 0 and isinstance(y[0], _SETS + _LISTS)


def _is_column(y: Sequence[Any]) -> bool:
    return _is_matrix(y) and len(y[0]) == 1


def _is_matrix(y: Sequence[Any]) -> bool:
    """Whether a list of lists is a matrix of targets, not a list of label sets."""
    if not all(isinstance(row, _LISTS) and len(row) == len(y[0]) for row in y):
        return False
    # Only pairs that everybody writes for no and yes: other lists are sets of labels.
    kinds = {type(unwrap_label(value)) for row in y for value in row}
    values = {unwrap_label(value) for row in y for value in row}
    return kinds <= {bool, int, float} and any(values <= pair for pair in _PAIRS)


def read_targets(y: object, book: ManyBook | None = None, classes: object = None) -> ManyLabels:
    """Targets of several neurons, in the names of a book where one is known.

    Raises
    ------
    InputError
        A column of other than two values; a label, value or number of columns that the model does
        not know.
    """
    if isinstance(y, ManyLabels):  # of a fit that is repeated on a part of its examples
        return y
    given, names = _unpack(y)
    if not isinstance(given, np.ndarray) and _is_matrix(given):
        given = np.array([[unwrap_label(value) for value in row] for row in given])
    if isinstance(given, np.ndarray) and given.ndim == 2:
        return read_matrix(given, names, book, classes)
    return _read_sets(given, book, classes)


def _unpack(y: object) -> tuple[Any, list[str] | None]:
    """Return an array or a list, and the names of a table's columns, which are the labels."""
    if is_sparse(y):
        y = to_dense(y)
    if type(y) not in (list, tuple):
        y = _unpack_column(y)
    names = [str(name) for name in y.columns] if hasattr(y, "columns") else None
    return (y.to_numpy() if hasattr(y, "to_numpy") else y), names


def names_of_columns(y: object) -> tuple[str, ...] | None:
    """Return the names of a table's columns, which are the labels; None where it has none."""
    names = _unpack(y)[1]
    return None if names is None else tuple(names)


def kind_of_targets(y: object) -> str:
    """Tell one label an example from sets of labels, and from a matrix of values.

    >>> [kind_of_targets(y) for y in (["a", "b"], [{"a"}, {"b"}], [[0, 1], [1, 0]])]
    ['one', 'sets', 'matrix']
    """
    if not is_many(y):
        return ONE
    given, _ = _unpack(y)
    is_array = isinstance(given, np.ndarray)
    return MATRIX if (given.ndim == 2 if is_array else _is_matrix(given)) else SETS


def as_items(y: object, kind: str | None) -> tuple[list[tuple[Any, ...]], list[str] | None]:
    """Return a tuple an example, its labels or its row of values; and the names of the columns.

    >>> as_items([{"b", "a"}, ["c", "c"]], SETS)[0]
    [('a', 'b'), ('c',)]
    """
    given, names = _unpack(y)
    if kind == MATRIX:
        rows = given.tolist() if isinstance(given, np.ndarray) else given
        return [tuple(map(unwrap_label, row)) for row in rows], names
    # Sets come in an order of their own in each process.
    ordered = ((sorted(one, key=repr) if isinstance(one, _SETS) else one) for one in given)
    return [tuple(dict.fromkeys(_labels_of(one))) for one in ordered], None


def as_matrix(rows: Sequence[tuple[Any, ...]]) -> np.ndarray[Any, Any]:
    """Return rows of values as a matrix, which keeps their kinds."""
    values = np.empty((len(rows), len(rows[0])), object)
    values[:] = rows
    return values


def _read_sets(y: Iterable[object], book: ManyBook | None, classes: object) -> ManyLabels:
    if isinstance(book, ColumnsBook):
        raise KindError(
            parameter="Y",
            got=Given("sets of labels"),
            wanted="a matrix of targets, as the model learnt",
        )
    sets = [_labels_of(one) for one in y]
    if book is None:
        every = [label for one in sets for label in one] if classes is None else as_list(classes)
        book = ManyBook(sorted_book(every).numbers if classes is None else every)
        check_storable(book.numbers)
        if not len(book):
            raise InputError(parameter="Y", got=Given("no label in any set"), wanted="at least one")
    # All labels at once: 1 in one row and True in another would be one class.
    book.check_kinds([label for one in sets for label in one])
    truth = np.zeros((len(sets), len(book)), bool)
    for row, labels in zip(truth, sets, strict=True):
        row[book.codes(labels)] = True
    return ManyLabels(book, truth)


def _labels_of(labels: object) -> list[Any]:
    if not isinstance(labels, _SETS + _LISTS):
        raise KindError(
            parameter="Y",
            got=Given(f"{abbreviate(labels)} among sets of labels"),
            wanted="a set, a list or a tuple for each example",
            fix="a single label is {label}, none is set()",
        )
    return [unwrap_label(label) for label in labels]


def read_matrix(
    Y: np.ndarray[Any, Any], names: list[str] | None, book: ManyBook | None, classes: object
) -> ManyLabels:
    """Targets of a matrix of values, whose columns may have names; see :func:`read_targets`."""
    if book is None:
        values = (
            _values(Y, names)
            if classes is None
            else _given_values(cast(Pairs, classes), Y.shape[1])
        )
        book = ColumnsBook(names if names else range(Y.shape[1]), values)
        check_storable([*book.numbers, *values.ravel().tolist()])
    if not isinstance(book, ColumnsBook):
        raise KindError(
            parameter="Y", got=Given("a matrix"), wanted="sets of labels, as the model learnt"
        )
    if Y.shape[1] != len(book):
        raise InputError(
            parameter="Y",
            got=Given(f"{plural(Y.shape[1], 'column')}"),
            wanted=f"{len(book)}, one a neuron",
        )
    truth = Y == book.values[1]
    # Anything but the two values would silently be learnt as the first.
    strange = np.argwhere(~(truth | (Y == book.values[0])))
    if len(strange):
        row, column = (int(place) for place in strange[0])
        name, value = list(book.numbers)[column], unwrap_label(Y[row, column])
        raise strange_value(row, name, value, book.pairs[column])
    return ManyLabels(book, truth)


def _values(Y: np.ndarray[Any, Any], names: Sequence[str] | None) -> Truth:
    """The two values of each column; errors call it by its name or its number."""
    if Y.size == 0:
        raise InputError(
            parameter="Y",
            got=Given(f"shape {Y.shape}"),
            wanted="at least one example and one column",
        )
    distinct = [_distinct(Y, column) for column in range(Y.shape[1])]
    everywhere = {value for values in distinct for value in values}
    columns = map(repr, names or range(Y.shape[1]))
    pairs = [
        _pair(values, everywhere, column) for column, values in zip(columns, distinct, strict=True)
    ]
    return _as_values(pairs)


def _as_values(pairs: Sequence[Sequence[Any]]) -> Truth:
    return as_array([value for pair in zip(*pairs, strict=True) for value in pair]).reshape(2, -1)


def _distinct(Y: np.ndarray[Any, Any], column: int) -> list[Any]:
    distinct = LabelBook()
    for value in np.unique(Y[:, column]).tolist() if Y.dtype != object else Y[:, column]:
        distinct.add(unwrap_label(value))
    return list(sorted_book(list(distinct.numbers)).numbers)


def _pair(values: list[Any], everywhere: set[Any], column: str) -> list[Any]:
    if len(values) == 2:
        return values
    if len(values) > 2:
        shown = ", ".join(map(repr, values[:5]))
        raise InputError(
            f"column {column} has {plural(len(values), 'value')} ({shown}), wanted two, one for "
            "each answer of its neuron",
            parameter="Y",
            fix="labels of many classes go into one column, or into sets",
        )
    # A column of one value takes the other from what the whole matrix is written in.
    if all(type(value) is bool for value in everywhere):
        return [False, True]
    for low, high in ((0, 1), (-1, 1)):
        if everywhere <= {low, high}:
            kind = type(values[0])
            return [kind(low), kind(high)]
    raise InputError(
        f"column {column} holds {values[0]!r} only, and what its neuron should say otherwise is "
        "not known",
        parameter="Y",
        fix="leave the column out, or use 0 and 1",
    )


def _given_values(classes: Pairs, n_columns: int) -> Truth:
    pairs = [[unwrap_label(value) for value in pair] for pair in classes]
    if len(pairs) != n_columns or any(len(pair) != 2 for pair in pairs):
        raise InputError(
            parameter="classes",
            got=Given(f"{plural(len(pairs), 'entry', 'entries')}"),
            wanted=f"{plural(n_columns, 'pair')} of values, one a column",
        )
    return _as_values(pairs)


def restore_book(labels: Sequence[Hashable], decision: ClassDecision) -> LabelBook:
    """Return the book of a model file."""

    def of_columns(pairs: Pairs) -> Callable[[Sequence[Hashable]], LabelBook]:
        return lambda columns: ColumnsBook(columns, _given_values(pairs, len(columns)))

    book: Callable[[Sequence[Hashable]], LabelBook] = LabelBook
    return decision.pick(book, ManyBook, of_columns)(labels)
