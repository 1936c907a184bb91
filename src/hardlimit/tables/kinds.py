"""Which kind each column of a table is: as it was named, else as its values look."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence

from hardlimit.exceptions import Given, InputError, Setting
from hardlimit.foundation.tables import list_names
from hardlimit.tables.cells import fold_spellings
from hardlimit.tables.column_kinds import COLUMN_KINDS, TableColumn
from hardlimit.tables.column_values import ColumnValues, TableValues, merge
from hardlimit.tables.rows import TableRows, missing_columns_error
from hardlimit.tables.settings import TableSettings

KINDS = ("number", "category", "text")
# A column of words is a text where its values have so many words, or so many characters, on
# average, and most of them occur once.
_WORDS = 3
_LENGTH = 40


Kinds = tuple[TableColumn, ...]


def decide_kinds(rows: TableRows, settings: TableSettings, *, counted: bool = True) -> Kinds:
    """Return the kind of each column that counts, in the order of the table.

    A column that is not named is a number where all values are numbers, but for at most a tenth of
    them, which are refused later; a text where they are
    mostly different and long; else a category. Where every kind was named, no other column counts.

    counted : whether the values of named columns are counted, for people.

    Raises
    ------
    InputError
        A named column that is not there; no column at all.
    """
    survey = KindSurvey(rows.names, settings, counted=counted)
    return survey.decide(survey.look(rows))


def decide_kinds_of_parts(
    parts: Callable[[], Iterable[TableRows]], settings: TableSettings
) -> Kinds:
    """Return what :func:`decide_kinds` returns of all rows together.

    parts : gives the rows from their beginning, some at a time; called once, or twice where the
    first rows of a column were numbers and too many others are not.
    """
    survey: KindSurvey | None = None
    while True:
        seen: TableValues | None = None
        for rows in parts():
            survey = survey or KindSurvey(rows.names, settings)
            seen = survey.look(rows, seen)
        if survey is None or seen is None:
            raise InputError("there are no rows")
        if not survey.needs_another_pass(seen):
            return survey.decide(seen)


class KindSurvey:
    """Decides the kinds of columns by all rows, which may be looked at in parts.

    names : the columns that may count.      wanted : those whose different values must be known
    even where they look like numbers.

    >>> parts = [TableRows(["age"], [["41", "23"]]), TableRows(["age"], [["old"]])]
    >>> survey = KindSurvey(["age"], TableSettings())
    >>> survey.needs_another_pass(survey.merged(map(survey.look, parts)))
    True
    >>> survey.decide(survey.merged(map(survey.look, parts)))[0].describe()
    'category (3 values)'
    """

    def __init__(
        self, names: Sequence[str], settings: TableSettings, *, counted: bool = True
    ) -> None:
        self.names = check_named(names, settings)
        self.wanted: list[str] = []
        self._named, self._there = settings.named, names
        self._spellings = fold_spellings(settings.missing_values)
        self._uncounted = frozenset(() if counted else self._named)

    def look(self, rows: TableRows, before: TableValues | None = None) -> TableValues:
        """Return what was seen of the columns: in these rows, and in those ``before`` them."""
        found = {name: self._look(name, rows) for name in self.names}
        return found if before is None else merge(before, found, self.wanted)

    def _look(self, name: str, rows: TableRows) -> ColumnValues:
        if name in self._uncounted:
            return ColumnValues(0, len(rows))
        return ColumnValues.of(rows.column(name), self._spellings)

    def condense(self, seen: TableValues) -> TableValues:
        """Return what was seen as it travels: with digests in place of values."""
        return {name: one.condense(name in self.wanted) for name, one in seen.items()}

    def merged(self, parts: Iterable[TableValues]) -> TableValues:
        """Return what all parts have, in their order."""
        return functools.reduce(lambda one, other: merge(one, other, self.wanted), parts)

    @property
    def is_open(self) -> bool:
        """Whether the kind of a column depends on its values."""
        return not self._named.keys() >= {*self.names}

    def needs_another_pass(self, seen: TableValues) -> bool:
        """Tell whether all rows must be looked at once more; the different values come then.

        A part whose values look like numbers has not listed them.
        """
        self.wanted = [name for name in self.names if self._is_undecided(name, seen[name])]
        return bool(self.wanted)

    def _is_undecided(self, name: str, seen: ColumnValues) -> bool:
        if seen.complete or name in self._uncounted:
            return False
        kind = self._named.get(name)
        return kind == "category" or kind is None and not seen.are_numbers

    def decide(self, seen: TableValues) -> Kinds:
        """Return the kind of each column."""
        found = tuple(self._decide(name, seen[name]) for name in self.names)
        if not any(column.kind.has_features for column in found):
            there = f"; there are {list_names(self._there)}" if self._there else ""
            raise InputError(f"no column is left{there}")
        return found

    def _decide(self, name: str, seen: ColumnValues) -> TableColumn:
        named, rows = self._named.get(name), seen.there + seen.missing
        distinct = 0
        if named is None:
            kind, distinct = _kind_of(name, seen)
        else:
            kind = named
            if kind == "category" and name not in self._uncounted:
                distinct = seen.count().categories
        return TableColumn(
            name, COLUMN_KINDS[kind], named is not None, seen.missing, distinct, rows
        )


def check_named(names: Sequence[str], settings: TableSettings) -> list[str]:
    """Return the columns that may count; a named one that is not there is refused."""
    named = settings.named
    absent = [name for name in named if name not in names]
    if settings.decided:  # nothing is told by values, and what is left out need not be there
        absent = [name for name in absent if named[name] != "drop"]
    if absent:
        raise missing_columns_error(absent, names)
    return [name for name in names if name in named] if settings.decided else list(names)


def _kind_of(name: str, seen: ColumnValues) -> tuple[str, int]:
    """Return the kind of a column by its values, and how many categories it has."""
    if not seen.there:
        return "drop", 0
    if seen.are_numbers:
        return "number", 0
    found = seen.count()
    if seen.other is not None:
        raise _no_value_error(name, seen.other)
    mostly_different = 2 * found.categories > seen.there
    long = found.spaces >= (_WORDS - 1) * found.n_texts or found.length >= _LENGTH * found.n_texts
    is_text = seen.only_texts and mostly_different and long
    return ("text" if is_text else "category"), found.categories


def _no_value_error(name: str, kind: str) -> InputError:
    """Build the error for a column with a value of a type that no column has."""
    return InputError(
        "it is no number, category or text",
        where=f"column {name!r}",
        got=Given(f"a value of type {kind}"),
        fix=("turn it into one, or leave the column out: ", Setting("drop_columns", [name])),
    )
