"""svmlight: ``label index:value index:value ... # comment``, sparse.

Indices count from 1, or from 0 if a 0 occurs (or as ``zero_based`` says). Unsorted rows are sorted;
an index twice in a row, several labels in a row, NaN and infinity are refused. ``qid:`` is ignored,
with a note. Zeros that are written stay stored.
"""

from __future__ import annotations

import math
import re
from array import array
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from hardlimit.exceptions import DataFormatError, InputError, Setting, abbreviate
from hardlimit.foundation.formatting import plural
from hardlimit.readers.decoding import TextSource
from hardlimit.readers.numbers import (
    Csr,
    LoadOptions,
    Numbers,
    NumericFormat,
    empty_file_error,
    parse_targets,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Possessive quantifiers (++, *+) never go back, so a hostile line costs linear time.
_NUMBER = r"[-+]?(?:\d++\.?+\d*+|\.\d++)(?:[eE][-+]?\d++)?+"
_INDEX = r"\d{1,40}+"  # Python reads no integer of more than 4,300 digits
_PAIR = rf"{_INDEX}:{_NUMBER}"
_ROW = re.compile(rf"\s*+(\S++)((?:\s++qid:\d++)?+)((?:\s++{_PAIR})*+)\s*+", re.ASCII)
_NUMERIC = re.compile(_NUMBER, re.ASCII)
_LARGEST = 2**31 - 2  # columns are numbered from 0 in int32, and their count must fit it too
_NOT_FINITE = re.compile(r"[-+]?(nan|inf|infinity)", re.IGNORECASE)


def load(source: TextSource, options: LoadOptions) -> Numbers:
    """Read a svmlight file whole: O(non-zeros), about half a microsecond each."""
    labels: list[str] = []
    lengths = array("q", [0])
    indices, data, numbers = array("q"), array("d"), array("q")
    queries = 0
    for line in source.lines():
        row = line.partition("#")[0]
        if not row.strip():
            continue
        unlabelled = not options.need_label and ":" in row.split(None, 1)[0]
        # a label is put in front, so that one expression serves both kinds of rows
        match = _ROW.fullmatch(f"0 {row}" if unlabelled else row)
        if match is None or not _NUMERIC.fullmatch(match[1]):
            raise _row_error(source, row, unlabelled=unlabelled)
        labels.append("" if unlabelled else match[1])
        queries += bool(match[2])
        flat = match[3].replace(":", " ").split()
        values = list(map(float, flat[1::2]))
        if not all(map(math.isfinite, values)):
            raise _row_error(source, row, unlabelled=unlabelled)
        places, values = _sort_indices(source, row, list(map(int, flat[::2])), values)
        indices.extend(places)
        data.extend(values)
        lengths.append(len(indices))
        numbers.append(source.number)
    if not labels:
        raise empty_file_error(source)
    rows = plural(queries, "row")
    notes = (f"{source.name}: qid was ignored in {rows}",) if queries else ()
    loaded = _build_numbers(source, options, labels, lengths, indices, data)
    return replace(loaded, notes=notes, lines=numbers)


def _sort_indices(
    source: TextSource, row: str, places: list[int], values: list[float]
) -> tuple[list[int], list[float]]:
    """Check the indices of one row, and sort them where they are not in order."""
    if places and max(places) > _LARGEST:
        raise _index_error(source, row, max(places), f"index beyond {_LARGEST}")
    if len(set(places)) != len(places):
        repeated = next(place for place, count in Counter(places).items() if count > 1)
        raise _index_error(source, row, repeated, f"index {repeated} occurs twice")
    # rows are mostly in order, and looking is cheaper than sorting
    if any(a > b for a, b in zip(places, places[1:], strict=False)):
        order = sorted(range(len(places)), key=places.__getitem__)
        return [places[i] for i in order], [values[i] for i in order]
    return places, values


def _build_numbers(
    source: TextSource,
    options: LoadOptions,
    labels: list[str],
    lengths: array[int],
    indices: array[int],
    data: array[float],
) -> Numbers:
    import numpy as np

    places: NDArray[np.int64] = np.array(indices, dtype=np.int64)
    # without any index the rule of the format holds: counting from 1
    lowest = int(places.min()) if len(places) else 1
    zero_based = lowest == 0 if options.zero_based is None else options.zero_based
    if lowest == 0 and not zero_based:
        raise DataFormatError(
            "index 0 occurs, but indices count from 1",
            where=source.name,
            fix=("say ", Setting("zero_based", True), " where they count from 0"),
        )
    first = 0 if zero_based else 1
    n_used = int(places.max()) + 1 - first if len(places) else 0
    columns = n_used if options.n_features is None else options.n_features
    if n_used > columns:
        raise InputError(
            f"has {plural(n_used, 'column')}, but {columns} were wanted",
            where=source.name,
            fix="give the larger number for both files",
        )
    matrix = Csr(
        np.array(lengths, dtype=np.int64),
        (places - first).astype(np.int32),
        np.array(data, dtype=np.float64),
        (len(labels), columns),
    )
    names = range(first, columns + first)
    y = parse_targets(labels) if all(labels) else None
    return Numbers(matrix, y, names, zero_based=zero_based)


def _index_error(source: TextSource, row: str, index: int, what: str) -> DataFormatError:
    """Point to the last place of an index."""
    places = [match.start(1) for match in re.finditer(rf"\s(0*{index}):", row)]
    return DataFormatError(what, where=f"{source.name}:{source.number}:{places[-1] + 1}")


def _row_error(source: TextSource, row: str, *, unlabelled: bool = False) -> DataFormatError:
    """Find the first field of a row that is not what it should be."""
    line = f"{source.name}:{source.number}"
    for number, field in enumerate(re.finditer(r"\S+", row), int(unlabelled)):
        text, where = field[0], f"{line}:{field.start() + 1}"
        if number == 0:
            if "," in text:
                return DataFormatError(where=where, got=text, wanted="one label, not several")
            if not _is_finite(text):
                return DataFormatError(where=where, got=text, wanted="a number as the label")
            continue
        index, colon, value = text.partition(":")
        if index == "qid" and number == 1 and value.isdecimal():
            continue
        if not colon or not re.fullmatch(r"\d+", index, re.ASCII):
            return DataFormatError(where=where, got=text, wanted="index:value")
        if not re.fullmatch(_INDEX, index, re.ASCII):
            return DataFormatError(f"index beyond {_LARGEST}", where=where)
        if not _is_finite(value):
            infinite = _NUMERIC.fullmatch(value) or _NOT_FINITE.fullmatch(value)
            kind = "finite" if infinite else "a number"
            return DataFormatError(f"the value of {abbreviate(text)} is not {kind}", where=where)
    return DataFormatError(where=line, got=row.strip()[:60], wanted="label index:value ...")


def _is_finite(text: str) -> bool:
    return _NUMERIC.fullmatch(text) is not None and math.isfinite(float(text))


NUMERIC = NumericFormat(
    "svmlight", (".svm", ".svmlight", ".libsvm", ".scale"), load, "label index:value ..., sparse"
)
