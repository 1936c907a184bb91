"""What was asked for of a table: its columns, what is missing, and what weighs how much."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from hardlimit.exceptions import InputError
from hardlimit.foundation.parameters import as_float
from hardlimit.foundation.tables import check_column_names

MISSING = ("refuse", "mean")
# Spellings of "no value" in files, compared without case; None and NaN always are.
MISSING_VALUES = ("", "?", "na", "n/a", "nan", "null")
# Measured on newsgroups and mails with categories and numbers beside: a text has its length in many
# small terms, a category has it in one.
COLUMN_WEIGHTS = (1.0, 1.0, 4.0)
_MOST_BITS = 24


@dataclass(frozen=True)
class TableSettings:
    """How the columns of a table become features, as it was given; None: as the values look."""

    text_columns: tuple[str, ...] | None = None
    number_columns: tuple[str, ...] | None = None
    category_columns: tuple[str, ...] | None = None
    drop_columns: tuple[str, ...] = ()
    missing: str = "refuse"
    missing_values: tuple[str, ...] = MISSING_VALUES
    hash_categories: int | None = None
    column_weights: tuple[float, float, float] = COLUMN_WEIGHTS

    @property
    def named(self) -> dict[str, str]:
        """The kind of each column that was named: text, number, category or drop."""
        groups = (
            ("text", self.text_columns),
            ("number", self.number_columns),
            ("category", self.category_columns),
            ("drop", self.drop_columns),
        )
        return {name: kind for kind, names in groups for name in names or ()}

    @property
    def decided(self) -> bool:
        """Whether only the named columns count; else the others are told by their values."""
        return None not in (self.text_columns, self.number_columns, self.category_columns)


SETTINGS = tuple(field.name for field in fields(TableSettings))


def check_settings(given: Mapping[str, Any]) -> TableSettings:
    """Return the settings of a table among the arguments of a classifier.

    Raises
    ------
    InputError
        A column that is named twice, a value out of its range.
    """
    found = {name: given[name] for name in SETTINGS if name in given}
    for name in ("text_columns", "number_columns", "category_columns", "drop_columns"):
        found[name] = _check_names(name, found.get(name))
    found["drop_columns"] = found["drop_columns"] or ()
    _refuse_twins(found)
    if found.get("missing", "refuse") not in MISSING:
        wanted = "one of " + ", ".join(map(repr, MISSING))
        raise InputError(parameter="missing", got=found["missing"], wanted=wanted)
    found["missing_values"] = _check_spellings(found.get("missing_values", MISSING_VALUES))
    bits = found.get("hash_categories")
    if bits is not None and (type(bits) is not int or not 1 <= bits <= _MOST_BITS):
        wanted = f"None, or bits from 1 to {_MOST_BITS}"
        raise InputError(parameter="hash_categories", got=bits, wanted=wanted)
    found["column_weights"] = _check_weights(found.get("column_weights", COLUMN_WEIGHTS))
    return TableSettings(**found)


def _check_names(parameter: str, names: Sequence[str] | None) -> tuple[str, ...] | None:
    if names is None:
        return None
    # By type: a class of the user's could do anything when it is asked for its length.
    found = tuple(names) if type(names) in (list, tuple) else None
    if found is None or not all(type(name) is str for name in found):
        wanted = "None, or names of columns, such as ['age', 'city']"
        raise InputError(parameter=parameter, got=names, wanted=wanted)
    return check_column_names(found)


def _refuse_twins(found: Mapping[str, Any]) -> None:
    seen: dict[str, str] = {}
    for parameter in ("text_columns", "number_columns", "category_columns", "drop_columns"):
        for name in found[parameter] or ():
            if name in seen:
                there = f"the column {name!r} is named twice"
                raise InputError(there, parameter=parameter, fix="name each column once")
            seen[name] = parameter


def _check_spellings(values: Sequence[str]) -> tuple[str, ...]:
    found = tuple(values) if type(values) in (list, tuple) else None
    if found is None or not all(type(value) is str for value in found):
        wanted = "texts that stand for a missing value, such as ['?', '-999']"
        raise InputError(parameter="missing_values", got=values, wanted=wanted)
    return found


def _check_weights(weights: Sequence[float]) -> tuple[float, float, float]:
    found = tuple(map(as_float, weights)) if type(weights) in (list, tuple) else ()
    if len(found) != 3 or not all(0 < weight < math.inf for weight in found):
        wanted = "three numbers > 0: the weights of numbers, categories and texts"
        raise InputError(parameter="column_weights", got=weights, wanted=wanted)
    return found[0], found[1], found[2]
