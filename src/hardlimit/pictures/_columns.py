"""Rows of any width as points of a plane: which columns, and what the others are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from hardlimit.engine import to_dense
from hardlimit.exceptions import ColumnError, Given, InputError, Setting
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.types import Array, ArrayLike
from hardlimit.pictures import _text

# Columns by name or number; None shows all. The others: their mean, one number, or one for each.
Columns = Sequence[int | str] | str | None
Rest = str | float | Sequence[float] | Array | Mapping[int | str, float] | None
MOST_CELLS = 50_000_000


@dataclass(frozen=True)
class ShownColumns:
    """The columns that are shown, and a row for the place of all others."""

    rows: Array
    names: list[str]
    columns: list[int]
    rest: Array  # (n_columns,), its values in the shown columns without meaning

    @property
    def points(self) -> list[list[float]]:
        """The shown columns of every row."""
        points: list[list[float]] = self.rows[:, self.columns].tolist()
        return points

    @property
    def shown_names(self) -> list[str]:
        """The names of the shown columns."""
        return [self.names[j] for j in self.columns]

    @property
    def others(self) -> list[str]:
        """The fixed values of the others, in words."""
        hidden = [j for j in range(len(self.names)) if j not in self.columns]
        return [
            f"{_text.format_label(self.names[j])} = {_text.format_number(float(self.rest[j]))}"
            for j in hidden
        ]


def make_dense(who: str, X: ArrayLike) -> Array:
    """Return rows as a dense array."""
    shape = getattr(X, "shape", (0, 0))
    # before it is made dense: a sparse matrix of texts would fill the memory
    if len(shape) == 2 and shape[0] * shape[1] > MOST_CELLS:
        raise InputError(
            f"{plural(shape[0], 'row')} of {plural(shape[1], 'column')} are too many for a picture",
            who=who,
            fix="take some of the rows or columns",
        )
    rows = np.asarray(to_dense(X), dtype=float)
    if rows.ndim != 2 or not rows.size:
        got = Given(f"an array of shape {rows.shape}")
        raise InputError(who=who, got=got, wanted="rows of numbers")
    if not np.isfinite(rows).all():
        raise InputError(who=who, got=Given("numbers that are not finite"), wanted="finite ones")
    return rows


def choose_columns(
    who: str, X: ArrayLike, wanted: int, columns: Columns, rest: Rest, names: Sequence[str] | None
) -> ShownColumns:
    """Choose the columns to show: all if there are as many as wanted, else those that are named."""
    rows = make_dense(who, X)
    n = rows.shape[1]
    given = names if names is not None else getattr(X, "columns", None)
    known = [str(name) for name in given] if given is not None else []
    # every column gets a name, so that each can be asked for by one
    known += [f"x{j + 1}" for j in range(len(known), n)]
    if n < wanted:
        raise InputError(who=who, got=Given(plural(n, "column")), wanted=f"at least {wanted}")
    if columns is None and n == wanted:
        columns = range(n)
    if columns is None or isinstance(columns, str) or len(columns) != wanted:
        raise InputError(
            f"{wanted} of {plural(n, 'column')} can be shown",
            who=who,
            fix=(
                "name them, for example ",
                Setting("columns", known[:wanted]),
                ", with ",
                Setting("rest", "mean"),
                " or the values of the others",
            ),
        )
    numbers = [_find_column(who, column, known, n) for column in columns]
    if len(set(numbers)) < wanted:
        raise ColumnError(
            who=who, parameter="columns", got=list(columns), wanted="different columns"
        )
    return ShownColumns(rows, known, numbers, _fill_rest(who, rows, rest, known, set(numbers)))


def _find_column(who: str, column: int | str, names: list[str], n: int) -> int:
    if isinstance(column, str) and column in names[:n]:
        return names.index(column)
    if isinstance(column, int) and 0 <= column < n:
        return column
    there = ", ".join(names[: min(n, 10)]) + (", ..." if n > 10 else "")
    reason = f"there is no column {column!r}; there are {there}, or 0 to {n - 1}"
    raise ColumnError(reason, who=who)


def _fill_rest(who: str, rows: Array, rest: Rest, names: list[str], shown: set[int]) -> Array:
    n = rows.shape[1]
    if isinstance(rest, Mapping):
        values = np.zeros(n)
        given = {_find_column(who, column, names, n): value for column, value in rest.items()}
        missing = [names[j] for j in range(n) if j not in given and j not in shown]
        if missing:
            reason = f"there is no value for {', '.join(missing[:5])}"
            raise InputError(reason, who=who, parameter="rest")
        for j, value in given.items():
            values[j] = value
        return values
    if isinstance(rest, str) and rest == "mean":
        return np.asarray(rows.mean(axis=0))
    if rest is None and len(shown) == n:
        return np.zeros(n)
    if rest is None:
        raise InputError(
            plural(n - len(shown), "column without a value is", "columns without a value are")
            + " not shown",
            who=who,
            fix=("say ", Setting("rest", "mean"), ", a number, or a value for each"),
        )
    values = np.asarray(rest, dtype=float) if not isinstance(rest, str) else np.empty((0, 0))
    if values.shape not in ((), (n,)):
        wanted = f"'mean', a number, or {plural(n, 'number')}"
        raise InputError(who=who, parameter="rest", got=rest, wanted=wanted)
    # copied, because a broadcast array cannot be written to
    return np.broadcast_to(values, (n,)).copy()
