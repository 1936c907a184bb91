"""The rows of a file as columns, gathered by the names of the columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

from hardlimit.exceptions import ColumnError
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.suggesting import find_nearest
from hardlimit.foundation.tables import list_names
from hardlimit.readers.rows import measure

if TYPE_CHECKING:
    from hardlimit.readers import Row, Table
    from hardlimit.tables import TableRows


class Collector:
    """Gathers columns row by row, by their names: files may have them in any order."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = tuple(names)
        self._rows: list[Any] = []  # those that are not transposed yet
        self._columns: list[list[Any]] = [[] for _ in names]
        self._lines: list[tuple[str, int]] = []
        self._seen: object = None
        self._places: list[int] = []

    def add(self, table: Table, row: Row) -> int:
        """Take one row of a table; return about how many bytes its cells have."""
        if table.columns is not self._seen:
            self._transpose()
            self._places, self._seen = self.locate(table), table.columns
        self._rows.append(row.fields)
        self._lines.append((table.source.name, row.line))
        return measure(row.fields)

    def _transpose(self) -> None:
        """Move the rows of a file to the columns: all at once, which is many times faster."""
        rows, self._rows = self._rows, []
        if not rows:
            return
        if isinstance(rows[0], dict):
            for column, name in zip(self._columns, self.names, strict=True):
                column.extend([fields.get(name) for fields in rows])
            return
        found = list(zip(*rows, strict=True))
        for column, place in zip(self._columns, self._places, strict=True):
            column.extend(found[place])

    def locate(self, table: Table) -> list[int]:
        """Return the places of the columns in a table, and refuse one that lacks some."""
        there = list(table.columns)
        missing = [name for name in self.names if name not in there]
        if missing:
            near = find_nearest(missing[0], there)
            what = "is no column" if len(missing) == 1 else "are no columns"
            raise ColumnError(
                f"there {what} {list_names(missing)}, and the model wants "
                f"{list_names(self.names)}; there are {list_names(there)}",
                where=table.source.name,
                fix="" if near is None else f"did you mean {near!r}?",
            )
        return [there.index(name) for name in self.names]

    def rows(self) -> TableRows:
        """Return the rows gathered so far."""
        from hardlimit.tables import TableRows  # start-up: texts do without

        self._transpose()
        lines = self._lines
        return TableRows(self.names, self._columns, lambda row: f"{lines[row][0]}:{lines[row][1]}")


def feature_columns(table: Table, named: Collection[str]) -> list[str]:
    """Return the columns of a labelled table but its label.

    named : columns that were named, which the label must not be one of.

    Raises
    ------
    ColumnError
        A label that was named; two columns of one name.
    """
    label, columns = table.layout.label, list(table.columns)
    name = columns[label] if isinstance(label, int) else label
    if name in named:
        raise ColumnError(
            f"column {name!r} is the label, and cannot be learnt from too", where=table.source.name
        )
    twins = [one for one, count in Counter(columns).items() if count > 1]
    if twins:
        raise ColumnError(
            f"{plural(columns.count(twins[0]), 'column')} are called {twins[0]!r}",
            where=table.source.name,
            fix="give each column a name of its own",
        )
    return [one for one in columns if one != name]
