"""ARFF of numbers, as Weka writes it: dense rows, or sparse ones in braces.

Attributes are numeric; the label may be nominal. It is the attribute that is asked for, else one
with an obvious name such as ``class``, else the only nominal one, else the last. In a sparse row an
attribute that is not there is 0, or the first of its nominal values. A ``?`` is refused.
"""

from __future__ import annotations

import math
import re
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from hardlimit.exceptions import ColumnError, DataFormatError, Given, Setting, abbreviate
from hardlimit.foundation import dtypes
from hardlimit.foundation.formatting import plural
from hardlimit.readers.decoding import TextSource
from hardlimit.readers.label_sets import ONE
from hardlimit.readers.numbers import (
    Csr,
    LoadOptions,
    Numbers,
    NumericFormat,
    as_words,
    empty_file_error,
    gathered_numbers,
    parse_targets,
)
from hardlimit.readers.numeric_csv import Head, read_head

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Possessive quantifiers (++, *+) never go back, so a hostile line costs linear time.
_QUOTED = r"'(?:[^'\\]|\\.)*+'|\"(?:[^\"\\]|\\.)*+\""
_ATTRIBUTE = re.compile(rf"@attribute\s++({_QUOTED}|[^\s{{]++)\s*+(.*+)", re.IGNORECASE)
_CELL = re.compile(rf"\s*+({_QUOTED}|[^,]*+)[^,]*+(,|$)")
_NUMERIC = ("numeric", "real", "integer")
_BLOCK_ROWS = 1024
_BLOCK_CELLS = 1 << 20


@dataclass(frozen=True)
class Attribute:
    """One column, by its declaration."""

    name: str
    kind: str  # "number", "nominal" or "other"
    values: tuple[str, ...] = ()


@dataclass
class _Rows:
    """What was read so far; ``is_sparse`` is told by the first row."""

    is_sparse: bool | None = None
    labels: list[str] = field(default_factory=list)
    cells: array[float] = field(default_factory=lambda: array("d"))
    indices: array[int] = field(default_factory=lambda: array("i"))
    ends: array[int] = field(default_factory=lambda: array("q", [0]))
    lines: array[int] = field(default_factory=lambda: array("q"))


def read(source: TextSource, options: LoadOptions, whole: bool) -> Iterator[Numbers]:
    """Read an ARFF: O(bytes). In a stream the declaration tells whether labels are numbers."""
    lines = source.lines()
    attributes = read_attributes(source, lines)
    names = [attribute.name for attribute in attributes]
    label = options.label
    if label is None and options.columns is None:
        label = default_label(attributes)
    head = read_head(source, replace(options, header=True, label=label), names)
    for place in head.places:
        if attributes[place].kind != "number":
            raise ColumnError(
                f"the attribute {abbreviate(names[place])} holds no numbers",
                where=source.name,
                fix=("leave it out: ", Setting("drop", [names[place]])),
            )
    rows, n_rows = _Rows(), 0
    words = not whole and head.target is not None and _has_words(attributes[head.target])
    for line in _count(lines, source.name) if whole else lines:
        text = line.strip()
        if not text or text.startswith("%"):
            continue
        try:
            _read_row(source, text, attributes, head, rows, need_label=options.need_label)
        except DataFormatError as error:
            source.reject(error)
        if not whole and (len(rows.labels) == _BLOCK_ROWS or len(rows.cells) >= _BLOCK_CELLS):
            n_rows += len(rows.labels)
            yield _to_numbers(rows, head, names, words)
            rows = _Rows(is_sparse=rows.is_sparse)
    if rows.labels:
        yield _to_numbers(rows, head, names, words)
    elif not n_rows:
        raise empty_file_error(source)


def _count(lines: Iterator[str], name: str) -> Iterator[str]:
    """Give the lines, of which about as much is held as they have characters."""
    gathered = gathered_numbers(name)
    for line in lines:
        gathered.add(len(line))
        yield line


def _has_words(attribute: Attribute) -> bool:
    """Whether a value of an attribute is no number."""
    return bool(attribute.values) and dtypes.is_text(parse_targets(list(attribute.values)).dtype)


def _to_numbers(rows: _Rows, head: Head, names: list[str], words: bool) -> Numbers:
    labels = as_words(rows.labels) if words else parse_targets(rows.labels)
    return Numbers(
        _build_matrix(rows, len(head.places)),
        labels if all(rows.labels) else None,
        tuple(names[place] for place in head.places),
        label="label" if head.target is None else names[head.target],
        place=head.target,
        header=True,
        zero_based=True,
        lines=rows.lines,
    )


def read_attributes(source: TextSource, lines: Iterator[str]) -> list[Attribute]:
    """Read the declarations, up to ``@data``."""
    found: list[Attribute] = []
    for line in lines:
        text = line.strip()
        lower = text[:12].lower()
        if not text or text.startswith("%") or lower.startswith("@relation"):
            continue
        if lower.startswith("@data"):
            if not found:
                break
            return found
        match = _ATTRIBUTE.fullmatch(text)
        if match is None:
            raise DataFormatError(
                where=f"{source.name}:{source.number}:1",
                got=text[:60],
                wanted="@attribute NAME TYPE, or @data",
            )
        found.append(Attribute(_unquote(match[1]), *_read_type(match[2])))
    raise DataFormatError("there is no @data below attributes", where=source.name)


def _read_type(text: str) -> tuple[str, tuple[str, ...]]:
    if text.startswith("{"):
        return "nominal", tuple(_split(text.strip("{} \t")))
    first = text.split(None, 1)[0].lower() if text.strip() else ""
    return ("number" if first in _NUMERIC else "other"), ()


def default_label(attributes: list[Attribute]) -> str | int:
    """Return the attribute that is the label where nobody says."""
    lower = [attribute.name.lower() for attribute in attributes]
    named = next((lower.index(name) for name in ONE.names if name in lower), None)
    if named is not None:
        return attributes[named].name
    nominal = [attribute.name for attribute in attributes if attribute.kind == "nominal"]
    return nominal[0] if len(nominal) == 1 else attributes[-1].name


def _split(text: str) -> list[str]:
    """Split at commas outside of quotes."""
    if "'" not in text and '"' not in text:
        return [cell.strip() for cell in text.split(",")]
    return [_unquote(match[1]) for match in _CELL.finditer(text) if match[0] or match.end() == 0]


def _unquote(text: str) -> str:
    text = text.strip()
    if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"":
        return re.sub(r"\\(.)", r"\1", text[1:-1])
    return text


def _read_row(
    source: TextSource,
    text: str,
    attributes: list[Attribute],
    head: Head,
    rows: _Rows,
    *,
    need_label: bool,
) -> None:
    """Read one row; nothing of a bad one is kept."""
    where = f"{source.name}:{source.number}"
    is_sparse = text.startswith("{")
    if rows.is_sparse is not None and is_sparse is not rows.is_sparse:
        raise DataFormatError("dense and sparse rows in one file", where=where)
    read = read_sparse if is_sparse else read_dense
    cells = read(where, text, attributes)
    label = ""
    if head.target is not None:
        label = cells.pop(head.target, first_value(attributes[head.target]))
        label = _check_label(where, label, attributes[head.target], need_label=need_label)
    found = {place: _to_number(where, attributes[place], cells[place]) for place in cells}
    rows.is_sparse = is_sparse
    rows.labels.append(label)
    rows.lines.append(source.number)
    columns = {place: column for column, place in enumerate(head.places) if place in found}
    chosen = sorted((column, found[place]) for place, column in columns.items())
    rows.indices.extend(column for column, _ in chosen)
    rows.cells.extend(value for _, value in chosen)
    rows.ends.append(len(rows.cells))


def first_value(attribute: Attribute) -> str:
    """Return what an attribute is that a sparse row leaves out."""
    return attribute.values[0] if attribute.values else "0"


def read_dense(where: str, text: str, attributes: list[Attribute]) -> dict[int, str]:
    """Return the cells of a row with all values, by the number of the attribute."""
    cells = _split(text)
    if len(cells) != len(attributes):
        reason = (
            f"{plural(len(cells), 'value')}, but there are {plural(len(attributes), 'attribute')}"
        )
        raise DataFormatError(reason, where=f"{where}:1")
    return dict(enumerate(cells))


def read_sparse(where: str, text: str, attributes: list[Attribute]) -> dict[int, str]:
    """Return the cells of a row that leaves zeros out, by the number of the attribute."""
    if not text.endswith("}"):
        raise DataFormatError("the row is not closed by a }", where=f"{where}:{len(text)}")
    cells: dict[int, str] = {}
    for pair in _split_pairs(text[1:-1]):
        index, _, value = pair.partition(" ")
        if not (index.isdecimal() and len(index) < 10 and int(index) < len(attributes) and value):
            at = text.find(pair) + 1
            wanted = f"INDEX VALUE, the index below {len(attributes)}"
            raise DataFormatError(where=f"{where}:{at}", got=pair, wanted=wanted)
        if int(index) in cells:
            raise DataFormatError(f"index {index} occurs twice", where=where)
        cells[int(index)] = _unquote(value)
    return cells


def _split_pairs(text: str) -> list[str]:
    if not text.strip():
        return []
    if "'" not in text and '"' not in text:
        return [" ".join(pair.split()) for pair in text.split(",")]
    pattern = rf"\s*+(\d++)\s++({_QUOTED}|[^,]*+)\s*+(?:,|$)"
    return [f"{match[1]} {match[2]}" for match in re.finditer(pattern, text)]


def _check_label(where: str, label: str, attribute: Attribute, *, need_label: bool) -> str:
    if label in ("?", ""):
        if need_label:
            raise DataFormatError("the label is missing", where=where)
        return ""
    if attribute.values and label not in attribute.values:
        wanted = f"one of {', '.join(map(abbreviate, attribute.values[:12]))}"
        raise DataFormatError(where=where, got=label, wanted=wanted)
    return label


def _to_number(where: str, attribute: Attribute, cell: str) -> float:
    if attribute.kind != "number":
        return 0.0  # a column that is left out
    try:
        value = float(cell) if "_" not in cell else math.nan
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        got: Any = Given("a missing value (?)") if cell == "?" else cell
        place = f"{where}: attribute {abbreviate(attribute.name)}"
        raise DataFormatError(where=place, got=got, wanted="a finite number")
    return value


def _build_matrix(rows: _Rows, n_columns: int) -> Csr | NDArray[np.float64]:
    import numpy as np

    cells = np.array(rows.cells, dtype=np.float64)
    if not rows.is_sparse:
        return cells.reshape(len(rows.labels), n_columns)
    indices = np.array(rows.indices, dtype=np.int32)
    return Csr(np.array(rows.ends, np.int64), indices, cells, n_columns)


NUMERIC = NumericFormat("arff", (".arff",), read, "Weka's attributes of numbers, dense or sparse")
