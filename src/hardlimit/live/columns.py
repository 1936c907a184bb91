"""The base of a model of several columns: texts side by side, or mixed tables.

An example is a row: a dict of its columns, a tuple in their order, or the JSON of such a dict. It
is kept as JSON with the columns of the model alone, in the model's order: so ledgers, the inbox and
guards hold it as they hold a text, and what they hold can be asked about again.

>>> keep_row({"n": 3, "city": "Gand", "id": 7}, ("city", "n"))
'{"city": "Gand", "n": 3}'
"""

from __future__ import annotations

import contextlib
import json
import numbers
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from hardlimit import model_file
from hardlimit._native import LiveRow, Overlay
from hardlimit.exceptions import Given, InputError, KindError
from hardlimit.foundation.names import is_text
from hardlimit.foundation.tables import list_names
from hardlimit.live.base import Grown, Kept
from hardlimit.live.rows import LoadedBase, score_rows
from hardlimit.tables.cells import is_missing

Cell = str | bytes | int | float | bool | None


class ColumnsBase(LoadedBase):
    """A model of texts in several columns, or of a mixed table.

    Of a mixed table a correction adds the categories that training did not see; it adds no words.
    """

    precision = "float32"

    def __init__(self, file: model_file.ModelFile) -> None:
        super().__init__(file)
        self._model: Any = self.classifier.fitted
        self._columns = self.form.columns
        self._vectorizer = self._model.vectorizer
        self.grows = bool(self._vectorizer.growing)

    def keep(self, example: object) -> str:
        """Return the JSON of a row."""
        return keep_row(example, self._columns)

    def batch(self, examples: object) -> list[str]:
        """Return the JSON of each row of a table or a list."""
        if isinstance(examples, list) and any(isinstance(one, str | bytes) for one in examples):
            return [self.keep(one) for one in examples]
        return [self.keep(tuple(row)) for row in self._model.batch(examples)]

    def kept(self, batch: list[str]) -> list[str]:
        """Return the JSON of each row."""
        return batch

    def each(self, batch: list[str]) -> Iterable[list[str]]:
        """Yield each row."""
        return ([one] for one in batch)

    def row(self, overlay: Overlay, example: object, learn: bool) -> LiveRow:
        """Return one row."""
        return self._rows(overlay, [self.keep(example)], learn)[0]

    def rows(self, overlay: Overlay, batch: list[str]) -> list[LiveRow]:
        """Return several rows that were kept."""
        return self._rows(overlay, batch, False)

    def scores(self, overlay: Overlay, batch: list[str]) -> tuple[bytes, list[int | None]]:
        """Return the scores of rows that were kept, and how many terms of each are known."""
        return score_rows(self, overlay, self.rows(overlay, batch))

    def _rows(self, overlay: Overlay, kept: Sequence[str], learn: bool) -> list[LiveRow]:
        if not kept:
            return []
        table = [read_row(one, self._columns) for one in kept]
        found = self._vectorizer.rows(table)
        scores = np.asarray(self._model.scores(self._model.rows(found)), np.float64)
        fresh = self._new_terms(table) if learn or overlay.n_terms else [[]] * len(table)
        made = []
        for place, terms in enumerate(fresh):
            own = slice(int(found.indptr[place]), int(found.indptr[place + 1]))
            columns, values = found.indices[own].tolist(), found.data[own].tolist()
            base = scores[place].reshape(-1).tolist()
            names, sizes = [name for name, _ in terms], [size for _, size in terms]
            made.append(overlay.row(columns, values, base, names, sizes, learn))
        return made

    def _new_terms(self, table: list[tuple[Cell, ...]]) -> list[list[tuple[str, float]]]:
        """Return the categories of each row that training did not see, with their values."""
        found: list[list[tuple[str, float]]] = [[] for _ in table]
        for k, block, scale in self._vectorizer.growing:
            names = block.new_names([row[k] for row in table])
            for terms, name in zip(found, names, strict=True):
                # Of "a" and "a = b" the columns may give one name.
                if name is not None and is_text(name) and name not in dict(terms):
                    terms.append((name, float(np.float32(scale))))
        return found

    def name(self, column: int) -> str:
        """Return the term of a column, behind the name of its column of the table."""
        return str(self._vectorizer.terms([column])[0]) or f"column {column}"

    def width(self, model: Grown, n_columns: int) -> int:
        """Return how many terms and values there are, with those of corrections."""
        return int(model.vectorizer.n_columns_)

    def read_again(self, kept: Kept, row: LiveRow) -> object:
        """Return the row of an entry."""
        return None if kept is None else read_row(kept, self._columns)


def keep_row(example: object, names: Sequence[str]) -> str:
    """Return a row as JSON: its columns of these names, in their order.

    Raises
    ------
    InputError, KindError
        What is no row, lacks a column, or has a value that JSON cannot hold.
    """
    row = _as_row(example, names)
    cells = {name: _cell(name, value) for name, value in zip(names, row, strict=True)}
    return json.dumps(cells, ensure_ascii=False)


def read_row(kept: str | bytes, names: Sequence[str]) -> tuple[Cell, ...]:
    r"""Return the values of a row; bytes where a text is none of Unicode.

    >>> read_row('{"a": "x", "b": "\\udcff"}', ("b", "a"))
    (b'\xff', 'x')
    """
    return tuple(map(_value, _as_row(kept, names)))


def _as_row(example: object, names: Sequence[str]) -> tuple[Any, ...]:
    if isinstance(example, str | bytes):
        example = _parse(example, names)
    if hasattr(example, "to_dict"):  # a row of pandas
        example = example.to_dict()
    if isinstance(example, Mapping):
        missing = [name for name in names if name not in example]
        if missing:
            got = Given(f"a row without {list_names(missing)}")
            raise InputError(parameter="row", got=got, wanted=_wanted(names))
        return tuple(example[name] for name in names)
    if isinstance(example, tuple | list) and len(example) == len(names):
        return tuple(example)
    what = f"a value of type {type(example).__name__}"
    if isinstance(example, tuple | list):
        what = f"a {type(example).__name__} of {len(example)}"
    raise KindError(parameter="row", got=Given(what), wanted=_wanted(names))


def _parse(text: str | bytes, names: Sequence[str]) -> Mapping[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):  # no JSON, or a number of a million digits
        found = None
    if not isinstance(found, dict):
        raise KindError(parameter="row", got=Given("a text"), wanted=_wanted(names))
    return found


def _wanted(names: Sequence[str]) -> str:
    shown = ", ".join(f"{json.dumps(name, ensure_ascii=False)}: ..." for name in names[:5])
    return f"a row as {{{shown}{', ...' if len(names) > 5 else ''}}}"


def _cell(name: str, value: object) -> Cell:
    """Return a value as JSON can hold it."""
    if isinstance(value, bytes):
        return value.decode("utf-8", "surrogateescape")
    if isinstance(value, str):
        return str(value)
    if hasattr(value, "item") and not hasattr(value, "__len__"):  # numpy's own
        value = value.item()
    if isinstance(value, bool | int | float) and value == value:
        return _number(name, value)
    if not hasattr(value, "__len__") and is_missing(value, frozenset()):
        return None
    if isinstance(value, numbers.Number):  # fractions, decimals
        return float(value)  # type: ignore[arg-type]
    raise KindError(
        where=f"column {name!r}",
        got=Given(f"a value of type {type(value).__name__}"),
        wanted="a text, a number, a truth value or None",
    )


def _number(name: str, value: bool | int | float) -> bool | int | float:
    if isinstance(value, int) and abs(value) >= 1 << 1024 or value in (np.inf, -np.inf):
        raise InputError(where=f"column {name!r}", got=Given("a number"), wanted="a finite number")
    return value


def _value(cell: Cell) -> Cell:
    """Return what a cell stood for: bytes that are no UTF-8 were kept as lone surrogates."""
    if not isinstance(cell, str) or cell.isascii() or is_text(cell):
        return cell
    with contextlib.suppress(UnicodeEncodeError):  # other surrogates, which no bytes gave
        return cell.encode("utf-8", "surrogateescape")
    return cell
