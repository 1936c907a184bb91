"""Vowpal Wabbit's text: ``label importance 'tag |namespace:scale feature:value ...``, sparse.

A feature is the column ``namespace^feature``, or ``feature`` where the namespace has no name;
without a value it is 1, and one that comes twice in a row counts twice. Columns are numbered as
they come, and their names belong to the model: of a later file, features with other names are left
out and counted. The importance is the weight of the example. Initial predictions (a third number)
and tags are ignored. Labels are numbers.

Rows are read by compiled code (native/readers/vowpal.cpp), which leaves a line that is broken or
written in a rare way to `_read_line`: what a file may hold and what an error says stands here only.
"""

from __future__ import annotations

import math
import re
from array import array
from collections.abc import Iterator
from typing import NamedTuple

from hardlimit._native import VowpalRows
from hardlimit.exceptions import DataFormatError
from hardlimit.foundation.formatting import plural
from hardlimit.readers.decoding import TextSource
from hardlimit.readers.numbers import (
    Csr,
    LoadOptions,
    Numbers,
    NumericFormat,
    as_targets,
    empty_file_error,
    gathered_numbers,
)

# Possessive quantifiers (++, *+) never go back, so a hostile line costs linear time. Groups have
# none: Python before 3.11.5 takes a possessive group that has matched in part for a match.
_NUMBER = re.compile(r"[-+]?(?:\d++\.?+\d*+|\.\d++)(?:[eE][-+]?\d++)?", re.ASCII)
_FEATURE = re.compile(r"([^\s:|]*+)(:[^\s|]*+)?", re.ASCII)
_WORD = re.compile(r"\S++", re.ASCII)
_BLANKS = " \t\n\v\f\r"
_LEADING = ("the label", "the importance", "the initial prediction")


class _Row(NamedTuple):
    numbers: list[float]
    features: list[tuple[str, str, float]]


def read(source: TextSource, options: LoadOptions, whole: bool) -> Iterator[Numbers]:
    """Read a file whole: O(bytes log bytes)."""
    rows = VowpalRows(options.need_label)
    if options.columns is not None:
        rows.know([name.encode() for name in options.columns])
    gathered = gathered_numbers(source.name)
    for block in source.blocks():
        gathered.add(6 * block.count(b" "))  # half of a cell, as of svmlight
        _read_block(source, rows, block, need_label=options.need_label)
    labels, weights, starts, indices, data, lines = rows.take()
    if not len(labels):
        raise empty_file_error(source)
    # as the model knows them: bytes that are no UTF-8 are spelled out
    names = tuple(name.decode("utf-8", "backslashreplace") for name in rows.names())
    names = options.columns if options.columns is not None else names
    yield Numbers(
        Csr(starts, indices, data, len(names)),
        None if rows.n_unlabelled else as_targets(labels),
        names,
        header=True,
        zero_based=True,
        notes=tuple(_notes(source, rows)),
        lines=array("q", lines.tobytes()),
        weights=None if (weights == 1).all() else weights,
    )


def _notes(source: TextSource, rows: VowpalRows) -> list[str]:
    notes = []
    if rows.n_bases:
        told = plural(rows.n_bases, "row")
        notes.append(f"{source.name}: initial predictions were ignored in {told}")
    if rows.n_unknown:
        told = plural(rows.n_unknown, "feature")
        notes.append(f"{source.name}: {told} with names that the model does not know, left out")
    return notes


def _read_block(source: TextSource, rows: VowpalRows, block: bytes, *, need_label: bool) -> None:
    """Read whole lines; those that the compiled reader leaves are read here, one by one."""
    at = rows.read(block, 0)
    while at < len(block):
        end = block.find(b"\n", at) + 1 or len(block)
        source.number = rows.n_lines + 1
        line = block[at:end].decode("utf-8", "surrogateescape")
        try:
            _add(rows, _read_line(f"{source.name}:{source.number}", line, need_label=need_label))
        except DataFormatError as error:
            source.reject(error)
            rows.skip_line()
        at = end + rows.read(block, end)
    source.number = rows.n_lines


def _add(rows: VowpalRows, row: _Row) -> None:
    spaces = [space.encode("utf-8", "surrogateescape") for space, _, _ in row.features]
    names = [name.encode("utf-8", "surrogateescape") for _, name, _ in row.features]
    rows.add(
        row.numbers[0] if row.numbers else 0.0,
        row.numbers[1] if len(row.numbers) > 1 else 1.0,
        spaces,
        names,
        [value for _, _, value in row.features],
        bool(row.numbers),
        len(row.numbers) > 2,
    )


def _read_line(where: str, line: str, *, need_label: bool) -> _Row:
    """Read one line, whatever is wrong or rare in it."""
    bar = line.find("|")
    if bar < 0:
        raise DataFormatError(
            where=f"{where}:1", got=line.strip()[:60], wanted="a label, then |namespace features"
        )
    numbers = _read_numbers(where, line[:bar])
    if need_label and not numbers:
        raise DataFormatError("the label is missing", where=f"{where}:1")
    features: list[tuple[str, str, float]] = []
    space, scale = "", 1.0
    at = bar
    while at < len(line):
        if line[at] in _BLANKS:
            at += 1
            continue
        begins = line[at] == "|"
        match = _FEATURE.match(line, at + begins)
        assert match is not None  # it matches nothing, too
        value = _read_value(f"{where}:{at + 1}", match[2])
        if begins:
            space, scale = match[1], value
            if match[2] and not space:
                raise DataFormatError("a scale without a namespace", where=f"{where}:{at + 1}")
        elif not match[1]:
            raise DataFormatError("a value without a name", where=f"{where}:{at + 1}")
        elif not math.isfinite(value * scale):
            raise DataFormatError(
                f"the value of {match[1]!r} is not finite", where=f"{where}:{at + 1}"
            )
        else:
            features.append((space, match[1], value * scale))
        at = match.end()
    _check_sums(where, features)
    return _Row(numbers, features)


def _check_sums(where: str, features: list[tuple[str, str, float]]) -> None:
    """Refuse a feature that comes more than once and overflows."""
    sums: dict[str, float] = {}
    for space, name, value in features:
        column = f"{space}^{name}" if space else name
        sums[column] = sums.get(column, 0.0) + value
        if not math.isfinite(sums[column]):
            raise DataFormatError(f"the values of {name!r} have no finite sum", where=where)


def _read_numbers(where: str, text: str) -> list[float]:
    """Read label, importance and initial prediction; a tag is left out."""
    words = list(_WORD.finditer(text))
    if words and (words[-1][0].startswith("'") or words[-1].end() == len(text)):
        words.pop()
    if len(words) > len(_LEADING):
        more = words[len(_LEADING)]
        raise DataFormatError(
            where=f"{where}:{more.start() + 1}", got=more[0], wanted="'tag or |namespace"
        )
    numbers = []
    for word, what in zip(words, _LEADING, strict=False):
        value = float(word[0]) if _NUMBER.fullmatch(word[0]) else math.nan
        if not math.isfinite(value) or (what == _LEADING[1] and value < 0):
            wanted = f"a number as {what}" + (", 0 or more" if what == _LEADING[1] else "")
            place = f"{where}:{word.start() + 1}"
            raise DataFormatError(where=place, got=word[0], wanted=wanted)
        numbers.append(value)
    return numbers


def _read_value(where: str, text: str | None) -> float:
    if text is None:
        return 1.0
    value = float(text[1:]) if _NUMBER.fullmatch(text[1:]) else math.nan
    if not math.isfinite(value):
        raise DataFormatError(where=where, got=text[1:], wanted="a finite number behind the colon")
    return value


NUMERIC = NumericFormat(
    "vw", (".vw",), read, "Vowpal Wabbit: label |namespace feature:value ...", streams=False
)
