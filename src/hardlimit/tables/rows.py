"""The rows of a table with names for its columns, whatever they were given as."""

from __future__ import annotations

import bisect
import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, overload

from hardlimit.examples.texts import spell
from hardlimit.examples.tuples import key_of
from hardlimit.exceptions import Given, InputError, KindError
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.inputs import iterate, refuse_masked
from hardlimit.foundation.suggesting import find_nearest
from hardlimit.foundation.tables import (
    check_column_names,
    column_names,
    list_names,
    values_of_column,
)
from hardlimit.tables.cells import is_missing, spell_category

if TYPE_CHECKING:
    from hardlimit.foundation.types import Array

_TABLES = "a table with names for its columns: of pandas, polars or Arrow, or a list of dicts"


class TableRows(Sequence[Any]):
    """Columns of one length under their names; a row is a tuple of its values.

    place : of the number of a row, where it stands, for messages: ``"t.csv:12"``.
    """

    noun: ClassVar[str] = "row"

    def __init__(
        self,
        names: Sequence[str],
        columns: Sequence[list[Any]],
        place: Callable[[int], str] | None = None,
    ) -> None:
        self.names, self.columns = tuple(names), tuple(columns)
        self._place = place

    def __len__(self) -> int:
        return len(self.columns[0]) if self.columns else 0

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        return zip(*self.columns, strict=True)

    @overload
    def __getitem__(self, at: int) -> tuple[Any, ...]: ...

    @overload
    def __getitem__(self, at: slice) -> TableRows: ...

    def __getitem__(self, at: int | slice) -> tuple[Any, ...] | TableRows:
        if isinstance(at, slice):
            return self.take(range(*at.indices(len(self))))
        return tuple(column[at] for column in self.columns)

    def column(self, name: str) -> list[Any]:
        """Return the values of a column."""
        found: list[Any] = self.columns[self.names.index(name)]
        return found

    def place(self, row: int) -> str:
        """Return where a row stands."""
        return f"row {row}" if self._place is None else self._place(row)

    def example(self, row: int) -> tuple[Any, ...]:
        """Return the values of a row."""
        return self[row]

    def take(self, rows: Sequence[int] | Array) -> TableRows:
        """Return some of the rows, in this order."""
        chosen = [int(row) for row in rows]
        columns = [[column[row] for row in chosen] for column in self.columns]
        return TableRows(self.names, columns, lambda row: self.place(chosen[row]))

    def part(self, begin: int, end: int) -> TableRows:
        """Return the rows from ``begin`` to ``end - 1``."""
        columns = [column[begin:end] for column in self.columns]
        return TableRows(self.names, columns, lambda row: self.place(begin + row))

    def keys(self) -> list[str]:
        """Return a text a row: its values as a model of tables reads them."""
        return [key_of(map(spell, row)) for row in as_texts(self)]

    def hold_out_keys(self) -> list[str]:
        """Return the values of each row as one text."""
        return ["\x1f".join(map(str, row)) for row in self]

    def count_repeats(self) -> int:
        """Return 0: rows of few columns are often equal, and that says nothing."""
        return 0

    def size(self) -> int:
        """Return about how many bytes the values take."""
        return sum(map(size_of_value, itertools.chain.from_iterable(self.columns)))

    @staticmethod
    def joined(parts: Sequence[TableRows]) -> TableRows:
        """Return the rows of all parts, which keep their places."""
        columns = zip(*(part.columns for part in parts), strict=True)
        ends = list(itertools.accumulate(map(len, parts)))

        def place(row: int) -> str:
            number = bisect.bisect(ends, row)
            return parts[number].place(row - ends[number] + len(parts[number]))

        whole = [list(itertools.chain.from_iterable(own)) for own in columns]
        return TableRows(parts[0].names, whole, place)

    def __reduce__(self) -> tuple[Any, ...]:
        # Where rows stand is told by whoever reads the files, and does not travel.
        return TableRows, (self.names, self.columns)

    def select(self, names: Sequence[str]) -> TableRows:
        """Return some of the columns, in this order.

        Raises
        ------
        InputError
            With the columns that are not there.
        """
        if tuple(names) == self.names:
            return self
        found = dict(zip(self.names, self.columns, strict=True))
        missing = [name for name in names if name not in found]
        if missing:
            raise missing_columns_error(missing, self.names)
        return TableRows(names, [found[name] for name in names], self._place)


def size_of_value(value: object) -> int:
    """Return about how many bytes a value takes.

    >>> size_of_value("Ghent"), size_of_value(41.0)
    (5, 8)
    """
    return len(value) if isinstance(value, str | bytes) else 8


def as_texts(table: TableRows) -> list[tuple[str | bytes, ...]]:
    """Return each row with its values as texts, which a model of tables reads as the same values.

    >>> as_texts(as_table([{"age": 41.0, "city": None}]))
    [('41', '')]
    """
    return [tuple(_as_text(value) for value in row) for row in table]


def _as_text(value: object) -> str | bytes:
    if isinstance(value, str | bytes):
        return value
    return "" if is_missing(value, frozenset()) else spell_category(value) or str(value)


def missing_columns_error(missing: Sequence[str], there: Sequence[str]) -> InputError:
    """Build the error for columns that are not there; it suggests the nearest to the first."""
    near = find_nearest(missing[0], list(there))
    what = "column" if len(missing) == 1 else "columns"
    return InputError(
        f"there is no {what} {list_names(missing)}; there are {list_names(there)}",
        fix="" if near is None else f"did you mean {near!r}?",
    )


def as_table(X: object, names: Sequence[str] | None = None) -> TableRows:
    """Return the rows of a table.

    Parameters
    ----------
    X
        A table of pandas, polars or Arrow, a numpy structured array, a dict of columns, or a list
        of dicts; an array of two dimensions or a list of rows, whose columns are called by their
        numbers from 0, or by ``names`` where it has as many columns.
    names
        The columns that are wanted, in this order; others are left out. None: all.

    Raises
    ------
    KindError, InputError
        What is no table, a column that is not there or is there twice, rows of other lengths.

    Examples
    --------
    >>> rows = as_table([{"age": 41, "city": "Ghent"}, {"city": "Bruges"}])
    >>> rows.names, list(rows)
    (('age', 'city'), [(41, 'Ghent'), (None, 'Bruges')])
    """
    table = X if type(X) is TableRows else _read(X, names)
    if len(set(table.names)) < len(table.names):
        _refuse_twins(table, names)
    if names is None:  # they become those of a model
        check_column_names(table.names)
        return table
    return table.select(names)


def _refuse_twins(table: TableRows, names: Sequence[str] | None) -> None:
    """Refuse columns of one name among those that are wanted."""
    counts = Counter(table.names)
    twins = [name for name, count in counts.items() if count > 1]
    if names is None or set(twins) & set(names):
        raise InputError(
            f"{plural(counts[twins[0]], 'column')} are called {twins[0]!r}",
            parameter="X",
            fix="give each column a name of its own",
        )


def _read(X: Any, names: Sequence[str] | None) -> TableRows:
    if type(X) is list:  # as most rows of a stream come, one by one
        return _of_rows(X, names)
    refuse_masked(X, "X")
    found = column_names(X)
    if found is not None:
        columns = [_values_at(X, place, name) for place, name in enumerate(found)]
        return TableRows([str(name) for name in found], columns)
    if isinstance(X, Mapping):
        return _of_columns(X)
    fields = getattr(getattr(X, "dtype", None), "names", None)
    if fields:  # a structured array of numpy
        return TableRows(fields, [X[name].tolist() for name in fields])
    if isinstance(X, str | bytes):
        raise KindError(parameter="X", got=Given("one text"), wanted=_TABLES)
    shape = getattr(X, "shape", None)
    if shape is not None and len(shape) != 2:
        raise KindError(parameter="X", got=Given(f"an array of shape {shape}"), wanted=_TABLES)
    if hasattr(X, "indptr"):
        raise KindError(parameter="X", got=Given("a sparse matrix"), wanted=_TABLES)
    values = X.tolist() if shape is not None else X
    return _of_rows(list(iterate(values, "X")), names)


def _values_at(X: object, place: int, name: object) -> list[Any]:
    # By number where that can be: of two columns of one name each has its own values.
    return list(X.iloc[:, place].tolist()) if hasattr(X, "iloc") else values_of_column(X, name)


def _of_columns(X: Mapping[Any, Any]) -> TableRows:
    columns = [
        list(v.tolist() if hasattr(v, "tolist") else v.to_list() if hasattr(v, "to_list") else v)
        for v in X.values()
    ]
    if len({len(column) for column in columns}) > 1:
        raise InputError(parameter="X", got=Given("columns of different lengths"))
    return TableRows([str(name) for name in X], columns)


def _of_rows(rows: list[Any], names: Sequence[str] | None) -> TableRows:
    if set(map(type, rows)) == {dict} or rows and all(isinstance(row, Mapping) for row in rows):
        keys = dict.fromkeys(itertools.chain.from_iterable(rows))
        if names is not None:
            keys = dict.fromkeys([*keys, *names]) if len(rows) == 1 and not keys else keys
        return TableRows(list(map(str, keys)), [[row.get(key) for row in rows] for key in keys])
    for place, row in enumerate(rows):
        if not isinstance(row, tuple | list) or len(row) != len(rows[0]):
            got = f"a value of type {type(row).__name__}"
            if isinstance(row, tuple | list):
                got = f"a row of {plural(len(row), 'value')}, and the first has {len(rows[0])}"
            raise KindError(parameter=f"X[{place}]", got=Given(got), wanted=_TABLES)
    width = len(rows[0]) if rows else len(names or ())
    called = names if names is not None and len(names) == width else list(map(str, range(width)))
    columns = [list(column) for column in zip(*rows, strict=True)] or [[] for _ in called]
    return TableRows(called, columns)
