"""svmlight: ``label index:value index:value ... # comment``, sparse.

Indices count from 1, or from 0 if a 0 occurs (or as ``zero_based`` says). Unsorted rows are sorted;
an index twice in a row, NaN and infinity are refused, and so are several labels in a row unless
their separator is given (``1,3 5:0.2``). ``qid:`` is ignored,
with a note. Zeros that are written stay stored.

Rows are read by compiled code (native/readers/svmlight.cpp), which leaves a line that is broken or
written in a rare way to `_read_line`: what a file may hold and what an error says stands here only.
"""

from __future__ import annotations

import math
import re
from array import array
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from hardlimit._native import SvmlightRows
from hardlimit.exceptions import DataFormatError, Setting, abbreviate
from hardlimit.readers.decoding import TextSource
from hardlimit.readers.leading_labels import LeadingLabels
from hardlimit.readers.numbers import (
    Csr,
    LoadOptions,
    Numbers,
    NumericFormat,
    as_targets,
    check_columns,
    empty_file_error,
    gathered_numbers,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Possessive quantifiers (++, *+) never go back, so a hostile line costs linear time.
_NUMBER = r"[-+]?(?:\d++\.?+\d*+|\.\d++)(?:[eE][-+]?\d++)?"
_INDEX = r"\d{1,40}+"  # Python reads no integer of more than 4,300 digits
_PAIR = rf"{_INDEX}:{_NUMBER}"
_ROW = re.compile(rf"\s*+(\S++)((?:\s++qid:\d++)?+)((?:\s++{_PAIR})*+)\s*+", re.ASCII)
_NUMERIC = re.compile(_NUMBER, re.ASCII)
_LARGEST = 2**31 - 2  # columns are numbered from 0 in int32, and their count must fit it too
_NOT_FINITE = re.compile(r"[-+]?(nan|inf|infinity)", re.IGNORECASE)


def read(source: TextSource, options: LoadOptions, whole: bool) -> Iterator[Numbers]:
    """Read svmlight: O(bytes), at several hundred MB/s of unpacked text.

    In a stream the first rows tell whether indices count from 0.
    """
    sets, need_label = _open_sets(source, options)
    rows, before = SvmlightRows(need_label), 0
    gathered = gathered_numbers(source.name)
    for block in source.blocks():
        if whole:  # half of a cell: nothing is made of them that is as large
            gathered.add(6 * block.count(b":"))
        plain = block if sets is None else sets.take_off(block, before + rows.n_lines)
        _read_block(source, rows, plain, need_label=need_label, before=before)
        if whole:
            continue
        found = _take_rows(source, options, rows, sets, before)
        if found is not None:
            options = replace(options, zero_based=found.zero_based)
            yield found
        before += rows.n_lines
        rows = SvmlightRows(need_label)
    if whole:
        found = _take_rows(source, options, rows, sets, 0)
        if found is None:
            raise empty_file_error(source)
        yield found


def _take_rows(
    source: TextSource,
    options: LoadOptions,
    rows: SvmlightRows,
    sets: LeadingLabels | None,
    before: int,
) -> Numbers | None:
    """Return what was read; None where it is no row.

    before : lines of the file that came before these rows.
    """
    labels, lengths, indices, data, lines = rows.take()
    if not len(labels):
        return None
    source.queries += rows.n_queries
    matrix, zero_based = _build_matrix(source, options, lengths, indices, data)
    first, places = 0 if zero_based else 1, array("q", (lines + before).tobytes())
    known = None if rows.n_unlabelled else as_targets(labels)
    return Numbers(
        matrix,
        known if sets is None else sets.of_lines(places),
        range(first, matrix.shape[1] + first),
        zero_based=zero_based,
        lines=places,
    )


def _open_sets(source: TextSource, options: LoadOptions) -> tuple[LeadingLabels | None, bool]:
    """Return what reads several labels a line, and whether each line must have one."""
    if options.labels_separator is None:
        return None, options.need_label
    return LeadingLabels(source, options.labels_separator), False


def _read_block(
    source: TextSource, rows: SvmlightRows, block: bytes, *, need_label: bool, before: int = 0
) -> None:
    """Read whole lines; those that the compiled reader leaves are read here, one by one.

    before : lines of the file that came before these rows.
    """
    at = rows.read(block, 0)
    while at < len(block):
        end = block.find(b"\n", at) + 1 or len(block)
        source.number = before + rows.n_lines + 1
        line = block[at:end].decode("utf-8", "replace").partition("#")[0]
        if line.strip():
            try:
                _read_line(source, rows, line, need_label=need_label)
            except DataFormatError as error:
                source.reject(error)
                rows.skip_line()
        else:
            rows.skip_line()
        at = end + rows.read(block, end)
    source.number = before + rows.n_lines


def _read_line(source: TextSource, rows: SvmlightRows, row: str, *, need_label: bool) -> None:
    """Read one line, whatever is wrong or rare in it."""
    unlabelled = not need_label and ":" in row.split(None, 1)[0]
    # a label is put in front, so that one expression serves both kinds of rows
    match = _ROW.fullmatch(f"0 {row}" if unlabelled else row)
    if match is None or not _is_finite(match[1]):
        raise _row_error(source, row, unlabelled=unlabelled)
    flat = match[3].replace(":", " ").split()
    values = list(map(float, flat[1::2]))
    if not all(map(math.isfinite, values)):
        raise _row_error(source, row, unlabelled=unlabelled)
    places, values = _sort_indices(source, row, list(map(int, flat[::2])), values)
    rows.add(float(match[1]), places, values, not unlabelled, bool(match[2]))


def _sort_indices(
    source: TextSource, row: str, places: list[int], values: list[float]
) -> tuple[list[int], list[float]]:
    """Check the indices of one row, and sort them."""
    if places and max(places) > _LARGEST:
        raise _index_error(source, row, max(places), f"index beyond {_LARGEST}")
    if len(set(places)) != len(places):
        repeated = next(place for place, count in Counter(places).items() if count > 1)
        raise _index_error(source, row, repeated, f"index {repeated} occurs twice")
    order = sorted(range(len(places)), key=places.__getitem__)
    return [places[i] for i in order], [values[i] for i in order]


def _build_matrix(
    source: TextSource,
    options: LoadOptions,
    lengths: NDArray[np.int64],
    indices: NDArray[np.int32],
    data: NDArray[np.float64],
) -> tuple[Csr, bool]:
    """Number the columns from 0, and check their count; whether the file counts from 0 too."""
    # without any index the rule of the format holds: counting from 1
    lowest = int(indices.min()) if len(indices) else 1
    zero_based = lowest == 0 if options.zero_based is None else options.zero_based
    if lowest == 0 and not zero_based:
        raise DataFormatError(
            "index 0 occurs, but indices count from 1",
            where=source.name,
            fix=("say ", Setting("zero_based", True), " where they count from 0"),
        )
    indices -= 0 if zero_based else 1
    n_used = int(indices.max()) + 1 if len(indices) else 0
    columns = n_used if options.n_features is None else options.n_features
    check_columns(source.name, n_used, columns)
    return Csr(lengths, indices, data, columns), zero_based


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
    "svmlight",
    (".svm", ".svmlight", ".libsvm", ".scale"),
    read,
    "label index:value ..., sparse",
    label_sets=True,
)
