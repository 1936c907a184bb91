"""Rows of any width as points of a plane: which columns, and what the others are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hardlimit.engine import to_dense
from hardlimit.exceptions import ColumnError, InputError
from hardlimit.pictures import _text

Array = np.ndarray[Any, Any]
MOST_CELLS = 50_000_000


@dataclass(frozen=True)
class Shown:
    """The columns that are shown, and a row for the place of all others."""

    rows: Array
    names: list[str]
    columns: list[int]
    rest: Array  # (n_columns,), its values in the shown columns without meaning

    @property
    def points(self) -> list[list[float]]:
        """The shown columns of every row."""
        found: list[list[float]] = self.rows[:, self.columns].tolist()
        return found

    @property
    def shown_names(self) -> list[str]:
        """The names of the shown columns."""
        return [self.names[j] for j in self.columns]

    @property
    def others(self) -> list[str]:
        """The fixed values of the others, in words."""
        hidden = [j for j in range(len(self.names)) if j not in self.columns]
        return [
            f"{_text.label(self.names[j])} = {_text.number(float(self.rest[j]))}" for j in hidden
        ]


def dense(who: str, X: Any) -> Array:
    """Rows as a dense array."""
    shape = getattr(X, "shape", (0, 0))
    if len(shape) == 2 and shape[0] * shape[1] > MOST_CELLS:
        raise InputError(
            f"{who}: {shape[0]:,} rows of {shape[1]:,} columns are too many for a picture; take "
            "some of the rows or columns"
        )
    rows = np.asarray(to_dense(X), dtype=float)
    if rows.ndim != 2 or not rows.size:
        raise InputError(f"{who}: got an array of shape {rows.shape}, wanted rows of numbers")
    if not np.isfinite(rows).all():
        raise InputError(f"{who}: got numbers that are not finite; wanted finite ones")
    return rows


def choose(
    who: str, X: Any, wanted: int, columns: Any, rest: Any, names: Sequence[str] | None
) -> Shown:
    """The columns to show: all where there are as many as wanted, else those that are named."""
    rows = dense(who, X)
    n = rows.shape[1]
    given = names if names is not None else getattr(X, "columns", None)
    known = [str(name) for name in given] if given is not None else []
    known += [f"x{j + 1}" for j in range(len(known), n)]
    if n < wanted:
        raise InputError(f"{who}: got {n} column, wanted at least {wanted}")
    if columns is None and n == wanted:
        columns = range(n)
    if columns is None or isinstance(columns, str) or len(columns) != wanted:
        raise InputError(
            f"{who}: got {n} columns, of which {wanted} can be shown; name them, for example "
            f"columns={known[:wanted]!r}, with rest='mean' or the values of the others"
        )
    numbers = [_number(who, column, known, n) for column in columns]
    if len(set(numbers)) < wanted:
        raise ColumnError(f"{who}: got the columns {list(columns)!r}, wanted different ones")
    return Shown(rows, known, numbers, _rest(who, rows, rest, known, set(numbers)))


def _number(who: str, column: Any, names: list[str], n: int) -> int:
    if isinstance(column, str) and column in names[:n]:
        return names.index(column)
    if isinstance(column, int) and 0 <= column < n:
        return column
    there = ", ".join(names[: min(n, 10)]) + (", ..." if n > 10 else "")
    raise ColumnError(f"{who}: there is no column {column!r}; there are {there}, or 0 to {n - 1}")


def _rest(who: str, rows: Array, rest: Any, names: list[str], shown: set[int]) -> Array:
    n = rows.shape[1]
    if isinstance(rest, Mapping):
        found = np.zeros(n)
        given = {_number(who, column, names, n): value for column, value in rest.items()}
        missing = [names[j] for j in range(n) if j not in given and j not in shown]
        if missing:
            raise InputError(f"{who}: rest={{...}} lacks a value for {', '.join(missing[:5])}")
        for j, value in given.items():
            found[j] = value
        return found
    if isinstance(rest, str) and rest == "mean":
        return np.asarray(rows.mean(axis=0))
    if rest is None and len(shown) == n:
        return np.zeros(n)
    if rest is None:
        raise InputError(
            f"{who}: {n - len(shown)} columns are not shown; say where they are: rest='mean', a "
            "number, or a value for each"
        )
    values = np.asarray(rest, dtype=float) if not isinstance(rest, str) else np.empty((0, 0))
    if values.shape not in ((), (n,)):
        raise InputError(f"{who}: got rest={rest!r}, wanted 'mean', a number, or {n} of them")
    return np.broadcast_to(values, (n,)).copy()
