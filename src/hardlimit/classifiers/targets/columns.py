"""Columns of labels: each example has a value, one of two, in every column."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from hardlimit.classifiers.model import many_labels
from hardlimit.classifiers.model.choices import Choices
from hardlimit.classifiers.model.labels import LabelBook
from hardlimit.classifiers.model.many_labels import MATRIX, ColumnsBook, ManyBook, ManyLabels
from hardlimit.classifiers.targets._checks import ROWS, mixed_batches, refuse_class_weight
from hardlimit.classifiers.targets._protocol import Counts
from hardlimit.classifiers.targets._several import SeveralLabels
from hardlimit.classifiers.targets.spelled import TEXT, Spelled, convert_labels, kind_of_labels
from hardlimit.exceptions import Given, InputError
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.labels import sort_labels
from hardlimit.foundation.types import Array

if TYPE_CHECKING:
    from hardlimit.evaluation.several_labels import LabelFigures
    from hardlimit.foundation.types import Targets
    from hardlimit.readers import Spellings


@dataclass(frozen=True)
class LabelColumns(SeveralLabels):
    """Each example has a value in each column.

    names : of the columns, if they have some.    kinds : what the values of each column of a file
    of numbers are; empty: texts.
    """

    names: tuple[str, ...] | None = None
    kinds: tuple[str, ...] = ()

    def items_of(self, y: Targets) -> list[tuple[Any, ...]]:
        """Return the values of each row."""
        items, names = many_labels.as_items(y, MATRIX)
        if names is not None and self.names is not None and tuple(names) != self.names:
            raise mixed_batches("a matrix with other columns", "those of the first batch")
        return items

    def settled(self, items: Sequence[Any]) -> LabelColumns:
        """Return targets that know what the values of each column are."""
        columns = zip(*items, strict=True)
        return replace(self, kinds=tuple(kind_of_labels(list(own)) for own in columns))

    def folded(self, spellings: Spellings) -> LabelColumns:
        """Return these targets: the values of a column are two, whatever their spelling."""
        return self

    def plain(self, items: list[Any]) -> list[Any]:
        """Return rows with values as the numbers or the words that they are."""
        if not items:
            return items
        columns = (self._convert(k, list(own)) for k, own in enumerate(zip(*items, strict=True)))
        return list(zip(*columns, strict=True))

    def _convert(self, column: int, values: list[Any]) -> list[Any]:
        return convert_labels(values, self.kinds[column] if self.kinds else TEXT)

    def count(self, items: Sequence[Any]) -> Counts:
        """Count the examples of each value of each column, and all of them.

        >>> LabelColumns().count([(0, 1), (1, 1)])
        Counter({(1, 1): 2, None: 2, (0, 0): 1, (0, 1): 1})
        """
        counts: Counts = Counter()
        for column, values in enumerate(zip(*items, strict=True)):
            for value, n in Counter(values).items():
                counts[column, value] = n
        counts[ROWS] = len(items)
        return counts

    def plain_counts(self, counts: Counts) -> Counts:
        """Return the examples of each value as it is learnt."""
        found: Counts = Counter()
        for (column, value), n in self.rows_of_each(counts).items():
            found[column, self._convert(column, [value])[0]] += n
        found[ROWS] = counts[ROWS]
        return found

    def require(self, counts: Counts, where: str) -> None:
        """Each example has a value in each column."""

    def rows_of_each(self, counts: Counts, book: LabelBook | None = None) -> Counts:
        """Return the examples of the second value of each column; without a book, of each value."""
        if book is None:
            return Counter({key: n for key, n in counts.items() if key is not ROWS})
        assert isinstance(book, ColumnsBook)  # of these targets
        seconds = book.values[1].tolist()
        names = enumerate(book.numbers)
        return Counter({name: counts[column, seconds[column]] for column, name in names})

    def open_book(
        self,
        choices: Choices,
        head: Sequence[Any],
        counts: Counts | None = None,
        named: object = None,
        *,
        whole: bool = False,
    ) -> ManyBook:
        """Return the columns and the two values of each, by the counts or by the head."""
        refuse_class_weight(choices)
        if isinstance(named, Spelled):
            named = _pairs_of(named, list(zip(*head, strict=True)))
        rows = list(head) if counts is None else _rows_of_counts(counts)
        names = None if self.names is None else list(self.names)
        return many_labels.read_matrix(many_labels.as_matrix(rows), names, None, named).book

    def known(self, items: Sequence[Any], book: LabelBook) -> ManyLabels:
        """Return the targets of examples whose values the book knows."""
        assert isinstance(book, ManyBook)  # of these targets
        found = many_labels.as_matrix(items) if items else np.empty((0, len(book)), object)
        return many_labels.read_matrix(found, None, book, None)

    def split(
        self, digests: Sequence[bytes], items: Sequence[Any], part: float
    ) -> tuple[list[int], list[int]]:
        """Hold out rows so that each value of each column has its share."""
        from hardlimit.evaluation.holdout import hold_out_sets  # start-up: few hold rows out

        return hold_out_sets(digests, [tuple(enumerate(row)) for row in items], part)

    def figures(self, labels: ManyLabels, answers: Sequence[Any]) -> LabelFigures:
        """Compare answers with labels."""
        from hardlimit.evaluation.several_labels import figures_of_labels

        book = labels.book
        assert isinstance(book, ColumnsBook)  # of these targets
        found = np.array(answers) == book.values[1]
        return figures_of_labels(labels.truth, found, labels=list(book.numbers))

    def table(self, items: Sequence[Any]) -> LabelTable:
        """Return items as a table, which a classifier takes the names of its labels from."""
        return LabelTable(list(self.names or ()), items)


def _pairs_of(named: Spelled, columns: Sequence[Sequence[Any]]) -> list[list[Any]]:
    """Return the two values of each column, of which two are those of every one."""
    names = [*named] * len(columns) if len(named) == 2 else [*named]
    if len(names) != 2 * len(columns):
        wanted = f"the two values of each of {len(columns)} columns, or two that all of them have"
        raise InputError(parameter="classes", got=Given(plural(len(names), "value")), wanted=wanted)
    pairs = zip(names[::2], names[1::2], strict=True)
    return [
        sort_labels(Spelled(pair).read(values)) for pair, values in zip(pairs, columns, strict=True)
    ]


def _rows_of_counts(counts: Counts) -> list[tuple[Any, ...]]:
    """Return few rows that have all values of each column."""
    values: dict[int, list[Any]] = {}
    for column, value in (key for key in counts if key is not ROWS):
        values.setdefault(column, []).append(value)
    most = max(map(len, values.values()))
    filled = [own + own[-1:] * (most - len(own)) for _, own in sorted(values.items())]
    return list(zip(*filled, strict=True))


class LabelTable:
    """Targets in columns with names, as a classifier takes a table."""

    def __init__(self, names: list[str], items: Sequence[Any]) -> None:
        self.columns, self.items = names, items

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.items)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return len(self.items), len(self.columns)

    def to_numpy(self) -> Array:
        """Return the values as they are, (n_rows, n_columns)."""
        values = np.empty(self.shape, object)
        values[:] = self.items
        return values
