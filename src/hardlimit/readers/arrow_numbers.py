"""Tables of numbers by columns: Parquet and Arrow.

All columns but the label are numbers or booleans; an empty cell, NaN and infinity are refused.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from hardlimit.exceptions import ColumnError, DataFormatError, Given, Setting, abbreviate
from hardlimit.foundation import storage
from hardlimit.readers.arrow_files import Open, arrow_errors, import_arrow
from hardlimit.readers.columns import TEXT_NAMES
from hardlimit.readers.decoding import Source
from hardlimit.readers.label_sets import ONE
from hardlimit.readers.numbers import LoadOptions, Numbers, as_targets, as_words, gathered_numbers
from hardlimit.readers.numeric_csv import read_head

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from pyarrow import RecordBatch


def guess(path: str, label: str | None, drop: Sequence[str], open: Open) -> str | None:
    """Return the label's column of a table of numbers; None where it may hold texts."""
    with arrow_errors(path):
        opened = open(path)
    pairs = [
        (name, kind)
        for number, (name, kind) in enumerate(zip(opened.names, opened.kinds, strict=True))
        if kind not in ("other", "list") and name not in drop and str(number) not in drop
    ]
    words = [name for name, kind in pairs if kind == "text"]
    if len(pairs) < 2 or any(name.lower() in TEXT_NAMES for name in words):
        return None
    found = label if label is not None else _default_label(pairs, words)
    numbered = {str(number): name for number, name in enumerate(opened.names)}
    name = found if found in opened.names else numbered.get(found)
    return name if name is not None and words in ([], [name]) else None


def _default_label(pairs: list[tuple[str, str]], words: list[str]) -> str:
    if words:
        return words[0]
    lower = {name.lower(): name for name, _ in reversed(pairs)}
    return next((lower[name] for name in ONE.names if name in lower), pairs[-1][0])


def read(path: str, options: LoadOptions, whole: bool, open: Open) -> Iterator[Numbers]:
    """Read a table of numbers: O(cells); notes come with the last rows."""
    last: _Part | None = None
    parts = _read_parts(path, options, open)
    for part in [_join(path, parts)] if whole else parts:
        if last is not None:
            yield replace(last.numbers(), notes=())
        last = part
    if last is not None:
        yield last.numbers()


@dataclass
class _Part:
    """Some rows, and what all have alike."""

    X: Any
    labels: list[Any]
    lines: list[int]
    names: tuple[str, ...]
    target: str | None
    place: int | None
    source: Source

    def numbers(self) -> Numbers:
        """Return these rows, with the notes so far."""
        known = self.target is not None and all(value is not None for value in self.labels)
        return Numbers(
            self.X,
            _to_targets(self.labels) if known else None,
            self.names,
            label=self.target or "label",
            place=self.place,
            header=True,
            notes=tuple(self.source.notes()),
            lines=self.lines,
        )


def _join(path: str, parts: Iterable[_Part]) -> _Part:
    """Return all rows as one part, whose memory is watched on the way."""
    import numpy as np

    found, gathered = [], gathered_numbers(path, lambda: storage.size_of(path))
    for part in parts:
        gathered.add(part.X.nbytes + sum(len(y) if isinstance(y, str) else 8 for y in part.labels))
        found.append(part)
    return replace(
        found[-1],
        X=np.concatenate([part.X for part in found]),
        labels=[label for part in found for label in part.labels],
        lines=[line for part in found for line in part.lines],
    )


def _read_parts(path: str, options: LoadOptions, open: Open) -> Iterator[_Part]:
    """Yield the rows batch by batch; none of them empty."""
    import numpy as np

    with arrow_errors(path):
        opened = open(path)
    source = Source(path)
    source.skip_bad = options.skip_bad
    label = options.label
    if label is None and options.columns is None and options.need_label:
        label = guess(path, None, options.drop, open)
    # names stand in every such file, so that the head of a CSV's rules holds
    head = read_head(source, replace(options, header=True, label=label), opened.names)
    names = [head.names[place] for place in head.places]
    for place in head.places:
        if opened.kinds[place] not in ("number", "boolean"):
            raise ColumnError(
                f"the column {abbreviate(head.names[place])} holds no numbers",
                where=path,
                fix=("leave it out: ", Setting("drop", [head.names[place]])),
            )
    target = None if head.target is None else head.names[head.target]
    n_rows = 0
    with arrow_errors(path):
        wanted = [*names, *([] if target is None else [target])]
        for batch in opened.batches(wanted, options.max_line):
            X = _to_matrix(batch, names)
            y = [None] * len(X) if target is None else batch.column(target).to_pylist()
            rows = np.arange(source.number + 1, source.number + len(X) + 1)
            source.number += len(X)
            good = _find_good(source, X, y, names, rows, options.need_label)
            labels = [y[place] for place in np.flatnonzero(good)]
            n_rows += len(labels)
            lines = rows[good].tolist()
            if labels:
                yield _Part(X[good], labels, lines, tuple(names), target, head.target, source)
    if not n_rows:
        raise DataFormatError("there is no row of numbers", where=path)


def _to_matrix(batch: RecordBatch, names: list[str]) -> NDArray[np.float64]:
    """Return columns as numbers; null is NaN."""
    import numpy as np

    arrow = import_arrow("")
    X = np.empty((batch.num_rows, len(names)))
    for place, name in enumerate(names):
        column = batch.column(name)
        if arrow.types.is_boolean(column.type):
            column = column.cast(arrow.int8())
        X[:, place] = column.cast(arrow.float64(), safe=False).to_numpy(zero_copy_only=False)
    return X


def _find_good(
    source: Source,
    X: NDArray[np.float64],
    y: list[Any],
    names: list[str],
    rows: NDArray[np.int64],
    need_label: bool,
) -> NDArray[np.bool_]:
    """Tell the rows that can be used; the others are refused, or counted."""
    import numpy as np

    good: NDArray[np.bool_] = np.array(np.isfinite(X).all(axis=1))
    for place in np.flatnonzero(~good):
        column = int(np.flatnonzero(~np.isfinite(X[place]))[0])
        where = f"{source.name}: row {rows[place]}, column {abbreviate(names[column])}"
        value = float(X[place, column])
        got = Given("an empty cell") if math.isnan(value) else value
        source.reject(DataFormatError(where=where, got=got, wanted="a finite number"))
    if need_label:
        for number, value in enumerate(y):
            if value is None and good[number]:
                where = f"{source.name}: row {rows[number]}"
                source.reject(DataFormatError("the label is missing", where=where))
                good[number] = False
    return good


def _to_targets(labels: list[Any]) -> NDArray[Any]:
    import numpy as np

    if all(isinstance(label, str) for label in labels):
        return as_words(labels)
    if all(isinstance(label, str | bool) for label in labels):
        return np.array(labels)
    return as_targets(np.array(labels, dtype=np.float64))
