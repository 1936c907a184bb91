"""Which kind each column of a table is: as it was named, else as its values look."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from hardlimit.exceptions import Given, InputError, Setting
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.tables import list_names
from hardlimit.tables.cells import (
    as_number,
    count_values,
    fold_spellings,
    is_missing,
    spell_category,
)
from hardlimit.tables.rows import TableRows, missing_columns_error
from hardlimit.tables.settings import TableSettings

KINDS = ("number", "category", "text")
# A column of words is a text where its values have so many words, or so many characters, on
# average, and most of them occur once.
_WORDS = 3
_LENGTH = 40
_NEARLY_ALL = 0.9
_SLIPS = 0.1


@dataclass(frozen=True)
class Kind:
    """One column: number, category, text or dropped, and what was seen of it.

    named : whether the user said so.      missing, distinct, rows : how many.
    """

    name: str
    kind: str
    named: bool
    missing: int
    distinct: int
    rows: int

    def describe(self, missing: str = "refuse") -> str:
        """Return the column in a few words, for people.

        >>> Kind("city", "category", False, 0, 81, 900).describe()
        'category (81 values)'
        """
        parts = []
        if self.kind == "category":
            parts.append(plural(self.distinct, "value"))
        if self.missing and self.kind != "drop":
            became = {"number": " -> mean", "category": " -> a value", "text": " -> empty"}
            gone = became[self.kind] if missing == "mean" else ""
            parts.append(f"{self.missing:,} missing{gone}")
        if self.kind == "drop":
            return "left out" if self.named else "left out: it has no values"
        if self.kind == "category" and self.distinct > _NEARLY_ALL * self.rows > 20:
            parts.append("nearly all different")
        return f"{self.kind} ({', '.join(parts)})" if parts else self.kind


Kinds = tuple[Kind, ...]


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
    named = settings.named
    absent = [name for name in named if name not in rows.names]
    if settings.decided:  # nothing is told by values, and what is left out need not be there
        absent = [name for name in absent if named[name] != "drop"]
    if absent:
        raise missing_columns_error(absent, rows.names)
    spellings = fold_spellings(settings.missing_values)
    found = []
    for name, values in zip(rows.names, rows.columns, strict=True):
        if name not in named and settings.decided:
            continue
        if name in named and not counted:
            found.append(Kind(name, named[name], True, 0, 0, len(values)))
        else:
            found.append(_decide(name, values, named.get(name), spellings))
    if not any(kind.kind != "drop" for kind in found):
        there = f"; there are {list_names(rows.names)}" if rows.names else ""
        raise InputError(f"no column is left{there}")
    return tuple(found)


def _decide(name: str, values: list[Any], named: str | None, spellings: frozenset[str]) -> Kind:
    there = [(v, n) for v, n in count_values(values) if not is_missing(v, spellings)]
    missing = len(values) - sum(n for _, n in there)
    spelled = {spell_category(value) for value, _ in there}
    kind = named or _look(name, there, len(spelled), None in spelled)
    return Kind(name, kind, named is not None, missing, len(spelled), len(values))


def _look(name: str, counted: list[tuple[Any, int]], distinct: int, has_others: bool) -> str:
    if not counted:
        return "drop"
    values, n_rows = [value for value, _ in counted], sum(n for _, n in counted)
    words = sum(n for value, n in counted if math.isnan(as_number(value)))
    if are_numbers(values[0], words, n_rows):
        return "number"
    if has_others:
        other = next(value for value in values if spell_category(value) is None)
        raise no_value_error(name, type(other).__name__)
    if not all(isinstance(value, str | bytes) for value in values):
        return "category"
    spaces = sum(map(count_spaces, values))
    is_text = are_texts(distinct, n_rows, len(values), spaces, sum(map(len, values)))
    return "text" if is_text else "category"


def are_numbers(first: Any, words: int, n_rows: int) -> bool:
    """Tell a column of numbers by its first value, and how many of its values are none."""
    # True and False are numbers to Python, and a category to people.
    # Few words among many numbers are slips, and are refused by their place: see NumberBlock.
    return type(first) is not bool and words <= _SLIPS * n_rows


def are_texts(distinct: int, n_rows: int, n_values: int, spaces: int, length: int) -> bool:
    """Tell a column of texts.

    distinct : categories that it would have.      n_values, spaces, length : of its different
    values, how many there are, and their blanks and characters.
    """
    long = spaces >= (_WORDS - 1) * n_values or length >= _LENGTH * n_values
    return 2 * distinct > n_rows and long


def count_spaces(value: str | bytes) -> int:
    """Return the blanks in a text."""
    return value.count(b" ") if isinstance(value, bytes) else value.count(" ")


def no_value_error(name: str, kind: str) -> InputError:
    """Build the error for a column with a value of a type that no column has."""
    return InputError(
        "it is no number, category or text",
        where=f"column {name!r}",
        got=Given(f"a value of type {kind}"),
        fix=("turn it into one, or leave the column out: ", Setting("drop_columns", [name])),
    )
