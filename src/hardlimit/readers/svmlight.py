"""svmlight: ``label index:value index:value ... # comment``, sparse.

Indices count from 1, or from 0 if a 0 occurs (or as told). Unsorted rows are sorted; an index
twice in a row, several labels in a row, NaN and infinity are refused. ``qid:`` is left out, with
a note. Zeros that are written stay stored.
"""

from __future__ import annotations

import math
import re
from array import array
from dataclasses import replace
from typing import TYPE_CHECKING

from hardlimit.exceptions import DataFormatError, InputError
from hardlimit.readers.decoding import TextSource
from hardlimit.readers.numbers import Csr, Numbers, NumericFormat, Wanted, no_rows, targets

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_NUMBER = r"[-+]?(?:\d++\.?+\d*+|\.\d++)(?:[eE][-+]?\d++)?+"
_PAIR = rf"\d++:{_NUMBER}"
_ROW = re.compile(rf"\s*+(\S++)((?:\s++qid:\d++)?+)((?:\s++{_PAIR})*+)\s*+", re.ASCII)
_NUMERIC = re.compile(_NUMBER, re.ASCII)
_LARGEST = 2**31 - 2
_NOT_FINITE = re.compile(r"[-+]?(nan|inf|infinity)", re.IGNORECASE)


def load(source: TextSource, wanted: Wanted) -> Numbers:
    """Read a svmlight file whole: O(non-zeros), about half a microsecond each."""
    labels: list[str] = []
    lengths = array("q", [0])
    indices, data, numbers = array("q"), array("d"), array("q")
    queries = 0
    for line in source.lines():
        row = line.partition("#")[0]
        if not row.strip():
            continue
        unlabelled = not wanted.need_label and ":" in row.split(None, 1)[0]
        match = _ROW.fullmatch(f"0 {row}" if unlabelled else row)
        if match is None or not _NUMERIC.fullmatch(match[1]):
            raise _broken(source, row, unlabelled=unlabelled)
        labels.append("" if unlabelled else match[1])
        queries += bool(match[2])
        flat = match[3].replace(":", " ").split()
        values = list(map(float, flat[1::2]))
        if not all(map(math.isfinite, values)):
            raise _broken(source, row, unlabelled=unlabelled)
        places, values = _ascending(source, row, list(map(int, flat[::2])), values)
        indices.extend(places)
        data.extend(values)
        lengths.append(len(indices))
        numbers.append(source.number)
    if not labels:
        raise no_rows(source)
    notes = (f"{source.name}: qid was left out in {queries} rows",) if queries else ()
    found = _numbers(source, wanted, labels, lengths, indices, data)
    return replace(found, notes=notes, lines=numbers)


def _ascending(
    source: TextSource, row: str, places: list[int], values: list[float]
) -> tuple[list[int], list[float]]:
    """Check the indices of one row, and sort them if need be."""
    if places and max(places) > _LARGEST:
        raise _at(source, row, max(places), f"index beyond {_LARGEST}")
    if len(set(places)) != len(places):
        twice = next(place for place in places if places.count(place) > 1)
        raise _at(source, row, twice, f"index {twice} occurs twice")
    if any(a > b for a, b in zip(places, places[1:], strict=False)):
        order = sorted(range(len(places)), key=places.__getitem__)
        return [places[i] for i in order], [values[i] for i in order]
    return places, values


def _numbers(
    source: TextSource,
    wanted: Wanted,
    labels: list[str],
    lengths: array[int],
    indices: array[int],
    data: array[float],
) -> Numbers:
    import numpy as np

    places: NDArray[np.int64] = np.array(indices, dtype=np.int64)
    lowest = int(places.min()) if len(places) else 1
    zero_based = lowest == 0 if wanted.zero_based is None else wanted.zero_based
    if lowest == 0 and not zero_based:
        raise DataFormatError(f"{source.name}: index 0 occurs, but indices were to count from 1")
    first = 0 if zero_based else 1
    found = int(places.max()) + 1 - first if len(places) else 0
    columns = found if wanted.n_features is None else wanted.n_features
    if found > columns:
        raise InputError(
            f"{source.name}: has {found} columns, but {columns} were wanted; "
            "give the larger number for both files"
        )
    matrix = Csr(
        np.array(lengths, dtype=np.int64),
        (places - first).astype(np.int32),
        np.array(data, dtype=np.float64),
        (len(labels), columns),
    )
    names = range(first, columns + first)
    y = targets(labels) if all(labels) else None
    return Numbers(matrix, y, names, zero_based=zero_based)


def _at(source: TextSource, row: str, index: int, what: str) -> DataFormatError:
    """Point to the last place of an index."""
    places = [match.start(1) for match in re.finditer(rf"\s(0*{index}):", row)]
    return DataFormatError(f"{source.name}:{source.number}:{places[-1] + 1}: {what}")


def _broken(source: TextSource, row: str, *, unlabelled: bool = False) -> DataFormatError:
    """Find the first field of a row that is not what it should be."""
    where = f"{source.name}:{source.number}"
    for number, field in enumerate(re.finditer(r"\S+", row), int(unlabelled)):
        text, column = field[0], f"(column {field.start() + 1})"
        if number == 0:
            if "," in text:
                return DataFormatError(f"{where}: several labels {text!r} {column}; one was wanted")
            if not _finite(text):
                return DataFormatError(
                    f"{where}: expected a number as label, got {text!r} {column}"
                )
            continue
        index, colon, value = text.partition(":")
        if index == "qid" and number == 1 and value.isdecimal():
            continue
        if not colon or not re.fullmatch(r"\d+", index, re.ASCII):
            return DataFormatError(f"{where}: expected 'index:value', got {text!r} {column}")
        if not _finite(value):
            unbounded = _NUMERIC.fullmatch(value) or _NOT_FINITE.fullmatch(value)
            kind = "not finite" if unbounded else "no number"
            return DataFormatError(f"{where}: {value!r} is {kind}, in {text!r} {column}")
    return DataFormatError(f"{where}: expected 'label index:value ...', got {row.strip()[:60]!r}")


def _finite(text: str) -> bool:
    return _NUMERIC.fullmatch(text) is not None and math.isfinite(float(text))


NUMERIC = NumericFormat(
    "svmlight", (".svm", ".svmlight", ".libsvm", ".scale"), load, "label index:value ..., sparse"
)
