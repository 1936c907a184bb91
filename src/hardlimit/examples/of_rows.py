"""The rows of files as examples: gathered one by one, as a model wants them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Any

from hardlimit.examples.texts import Texts
from hardlimit.examples.tuples import TextTuples
from hardlimit.exceptions import ColumnError
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.suggesting import find_nearest
from hardlimit.foundation.tables import list_names
from hardlimit.readers.registry import DOCUMENTS
from hardlimit.readers.rows import measure

if TYPE_CHECKING:
    from hardlimit.readers import Row, Table
    from hardlimit.readers.decoding import Source
    from hardlimit.tables import TableRows


class GatheredTexts:
    """Gathers a text of each row."""

    def __init__(self) -> None:
        self._texts = Texts()

    def add(self, table: Table, row: Row) -> int:
        """Take one row of a table; return about how many bytes it has."""
        self._texts.append(row.text)
        return len(row.text)

    def examples(self) -> Texts:
        """Return the texts gathered so far."""
        return self._texts


class GatheredTuples:
    """Gathers the texts of each row, in the order of the names."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names
        self._tuples = TextTuples((), names)
        self._seen: object = None
        self._places: list[int] = []

    def add(self, table: Table, row: Row) -> int:
        """Take one row of a table; return about how many bytes its texts have."""
        found = self.texts_of(table, row)
        self._tuples.append(found)
        return sum(map(len, found))

    def texts_of(self, table: Table, row: Row) -> tuple[str, ...]:
        """Return the texts of a row.

        Raises
        ------
        ColumnError
            A row that lacks one of them.
        """
        if table.columns is not self._seen:
            self._places, self._seen = self._locate(table), table.columns
        fields = row.fields
        if isinstance(fields, dict):
            missing = [name for name in self._names if not isinstance(fields.get(name), str)]
            found = () if missing else tuple(fields[name] for name in self._names)
        else:
            pairs = zip(self._names, self._places, strict=True)
            missing = [name for name, place in pairs if not 0 <= place < len(fields)]
            found = () if missing else tuple(fields[place] for place in self._places)
        if missing:
            where = "column" if len(missing) == 1 else "columns"
            raise ColumnError(
                f"no text in the {where} {list_names(missing)}, and the model wants texts in "
                f"{list_names(self._names)}",
                where=f"{table.source.name}:{row.line}",
                fix="give a file with these columns, such as CSV with a header",
            )
        return found

    def _locate(self, table: Table) -> list[int]:
        """Return the places of the columns, by name or by number; -1 where there is none."""
        there, format = list(table.columns), table.layout.format
        if format in ("lines", *DOCUMENTS) or format is None and not there:
            return [-1] * len(self._names)
        return [
            there.index(name) if name in there else int(name) if name.isdecimal() else -1
            for name in self._names
        ]

    def examples(self) -> TextTuples:
        """Return the tuples gathered so far."""
        return self._tuples


class GatheredColumns:
    """Gathers the columns of a table, by their names: files may have them in any order."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = tuple(names)
        self._rows: list[Any] = []  # those that are not transposed yet
        self._columns: list[list[Any]] = [[] for _ in names]
        self._lines: list[tuple[Source, int]] = []
        self._seen: object = None
        self._places: list[int] = []

    def add(self, table: Table, row: Row) -> int:
        """Take one row of a table; return about how many bytes its cells have."""
        if table.columns is not self._seen:
            self._transpose()
            self._places, self._seen = locate(table, self.names), table.columns
        self._rows.append(row.fields)
        self._lines.append((table.source, row.line))
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

    def examples(self) -> TableRows:
        """Return the rows gathered so far."""
        from hardlimit.tables import TableRows  # start-up: texts do without

        self._transpose()
        lines = self._lines
        return TableRows(self.names, self._columns, lambda row: lines[row][0].place(lines[row][1]))


# No Protocol, since making one takes as long as reading this file.
Gathered = GatheredTexts | GatheredTuples | GatheredColumns


# Begins to gather the rows of a table.
Gather = Callable[["Table"], Gathered]


def gather_texts(names: Sequence[str] | None = ()) -> Gather:
    """Return what begins to gather the texts of rows: those of columns, or, without names, one."""
    return lambda table: GatheredTuples(names) if names else GatheredTexts()


def gather_columns(names: Sequence[str] | None, named: Collection[str] = ()) -> Gather:
    """Return what begins to gather columns; None: all but the label, which is none of ``named``."""
    return lambda table: GatheredColumns(feature_columns(table, named) if names is None else names)


def locate(table: Table, names: Sequence[str]) -> list[int]:
    """Return the places of columns in a table, and refuse one that lacks some."""
    there = list(table.columns)
    missing = [name for name in names if name not in there]
    if missing:
        near = find_nearest(missing[0], there)
        what = "is no column" if len(missing) == 1 else "are no columns"
        raise ColumnError(
            f"there {what} {list_names(missing)}, and the model wants "
            f"{list_names(names)}; there are {list_names(there)}",
            where=table.source.name,
            fix="" if near is None else f"did you mean {near!r}?",
        )
    return [there.index(name) for name in names]


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
