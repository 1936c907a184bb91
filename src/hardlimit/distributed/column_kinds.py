"""The kinds of a table's columns, told by the values of all shards.

They are those of :func:`hardlimit.tables.decide_kinds` of all rows together. Values travel as
digests, and those of columns of numbers not at all.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Collection, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from hardlimit.exceptions import InputError
from hardlimit.foundation.tables import list_names
from hardlimit.foundation.types import Array
from hardlimit.tables.cells import (
    as_number,
    count_values,
    fold_spellings,
    is_missing,
    spell_category,
)
from hardlimit.tables.kinds import (
    Kind,
    Kinds,
    are_numbers,
    are_texts,
    count_spaces,
    no_value_error,
)
from hardlimit.tables.rows import TableRows, missing_columns_error
from hardlimit.tables.settings import TableSettings

_DIGEST = 12  # bytes


class Values(NamedTuple):
    """Digests of the different values of a column: as categories, and of texts as they are."""

    categories: Array
    texts: Array
    spaces: Array
    lengths: Array


class ColumnValues(NamedTuple):
    """What a shard has in a column.

    first : the first value that is there.    words : how many are no numbers.    other : the type
    of a value that is no category.    values : None where nobody asked.
    """

    missing: int
    there: int
    words: int
    first: Any
    other: str | None
    only_texts: bool
    values: Values | None


def look_at_columns(
    table: TableRows, settings: TableSettings, distinct: Collection[str]
) -> dict[str, ColumnValues]:
    """Look at the columns of a shard; the different values of those that are named here too."""
    spellings = fold_spellings(settings.missing_values)
    return {
        name: _look(values, spellings, name in distinct)
        for name, values in zip(table.names, table.columns, strict=True)
    }


def _look(values: list[Any], spellings: frozenset[str], distinct: bool) -> ColumnValues:
    there = [(v, n) for v, n in count_values(values) if not is_missing(v, spellings)]
    n = sum(count for _, count in there)
    different = [value for value, _ in there]
    words = sum(count for value, count in there if math.isnan(as_number(value)))
    others = [value for value in different if spell_category(value) is None]
    return ColumnValues(
        len(values) - n,
        n,
        words,
        different[0] if different else None,
        type(others[0]).__name__ if others else None,
        all(isinstance(value, str | bytes) for value in different),
        _digest_values(different) if distinct else None,
    )


def _digest_values(different: list[Any]) -> Values:
    texts = [value for value in different if isinstance(value, str | bytes)]
    return Values(
        np.unique(_digests(spell_category(value) or "" for value in different)),
        _digests(texts),
        np.array(list(map(count_spaces, texts)), np.int64),
        np.array(list(map(len, texts)), np.int64),
    )


def _digests(values: Iterable[str | bytes]) -> Array:
    found = [
        hashlib.blake2b(
            value.encode("utf-8", "surrogatepass") if isinstance(value, str) else value,
            digest_size=_DIGEST,
            # An equal text of bytes is another value.
            person=b"text" if isinstance(value, str) else b"bytes",
        ).digest()
        for value in values
    ]
    return np.frombuffer(b"".join(found), f"S{_DIGEST}")


def undecided(
    names: Sequence[str], parts: Sequence[dict[str, ColumnValues]], settings: TableSettings
) -> list[str]:
    """Return the columns whose different values must be known: those that are not of numbers."""
    named, found = settings.named, []
    for name in names:
        columns = [part[name] for part in parts]
        n = sum(column.there for column in columns)
        kind = named.get(name)
        if n and kind in (None, "category") and (kind or not _holds_numbers(columns)):
            found.append(name)
    return found


def _holds_numbers(columns: list[ColumnValues]) -> bool:
    first = next(column.first for column in columns if column.there)
    n = sum(column.there for column in columns)
    return are_numbers(first, sum(column.words for column in columns), n)


def check_named(names: Sequence[str], settings: TableSettings) -> list[str]:
    """Return the columns that may count; a named one that is not there is refused."""
    named = settings.named
    absent = [name for name in named if name not in names]
    if settings.decided:  # what is left out need not be there
        absent = [name for name in absent if named[name] != "drop"]
    if absent:
        raise missing_columns_error(absent, names)
    return [name for name in names if name in named] if settings.decided else list(names)


def merge_kinds(
    names: Sequence[str],
    parts: Sequence[dict[str, ColumnValues]],
    settings: TableSettings,
) -> Kinds:
    """Return the kind of each column, by what all shards have in it."""
    named = settings.named
    found = tuple(_decide(name, [part[name] for part in parts], named.get(name)) for name in names)
    if not any(kind.kind != "drop" for kind in found):
        there = f"; there are {list_names(names)}" if names else ""
        raise InputError(f"no column is left{there}")
    return found


def _decide(name: str, columns: list[ColumnValues], named: str | None) -> Kind:
    n, missing = (sum(c.there for c in columns), sum(c.missing for c in columns))
    values = [column.values for column in columns if column.values is not None]
    distinct = len(np.unique(np.concatenate([one.categories for one in values]))) if values else 0
    kind = named or _look_at_values(name, columns, values, n, distinct)
    return Kind(name, kind, named is not None, missing, distinct, n + missing)


def _look_at_values(
    name: str, columns: list[ColumnValues], values: list[Values], n: int, distinct: int
) -> str:
    if not n:
        return "drop"
    if _holds_numbers(columns):
        return "number"
    other = next((column.other for column in columns if column.other is not None), None)
    if other is not None:
        raise no_value_error(name, other)
    if not all(column.only_texts for column in columns):
        return "category"
    texts, first = np.unique(np.concatenate([one.texts for one in values]), return_index=True)
    spaces = np.concatenate([one.spaces for one in values])[first]
    lengths = np.concatenate([one.lengths for one in values])[first]
    long = are_texts(distinct, n, len(texts), int(spaces.sum()), int(lengths.sum()))
    return "text" if long else "category"
