"""Tell a file of numbers from one of texts by its first lines, where its name does not."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from typing import NamedTuple

from hardlimit.exceptions import DataFormatError, abbreviate
from hardlimit.readers import csv, misread
from hardlimit.readers.columns import LABEL_LENGTH, TEXT_NAMES, is_number
from hardlimit.readers.decoding import TextSource

_ROWS = 50
# with two columns that have names, or hold words, label and text is the likelier reading
_FEWEST_COLUMNS = 3
_FEWEST_ROWS = 2
# Possessive quantifiers (++, *+) never go back, so a hostile cell costs linear time.
_PAIR = re.compile(r"\d++:[-+.\deE]++", re.ASCII)
_NUMBER = re.compile(r"[-+]?+(\d++\.?+\d*+|\.\d++)([eE][-+]?+\d++)?", re.ASCII)


class NumericGuess(NamedTuple):
    """A numeric format, and the column of the label (of svmlight None)."""

    format: str
    label: str | None


def detect(
    path: str, label: str | None = None, drop: Sequence[str] = (), header: bool | None = None
) -> NumericGuess | None:
    r"""Guess the numeric format of a file; None where columns beside the label may be texts.

    Parameters
    ----------
    path
        A file; its first lines are read.
    label
        The label's column, by name or number, where it is known.
    drop
        Columns that are left out, by name or number.
    header
        Whether the first row holds names, where it is known.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> file = pathlib.Path(tempfile.mkdtemp(), "iris.csv")
    >>> _ = file.write_text("a,b,kind\n" + "1,2,yes\n3,4,no\n" * 2)
    >>> detect(str(file))
    NumericGuess(format='numeric-csv', label='kind')
    """
    with TextSource(path) as source:
        try:
            if _is_svmlight(source.peek(_ROWS)):
                return NumericGuess("svmlight", None)
            if misread.is_vowpal(source.peek(_ROWS)):
                return NumericGuess("vw", None)
            rows = list(
                itertools.islice(csv.split_records(source, csv.detect_delimiter(source)), _ROWS + 1)
            )
        except DataFormatError:  # whoever reads it says what is wrong
            return None
    return _detect_table(
        [[cell.strip() for cell in fields] for _, fields in rows if any(fields)],
        label,
        drop,
        header,
    )


def find_stray_word(path: str, label: str | None = None) -> str:
    r"""Name the place of a word in a table of numbers; empty where it is not such a table.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> file = pathlib.Path(tempfile.mkdtemp(), "iris.csv")
    >>> _ = file.write_text("a,b,kind\n1,2,yes\n3,?,no\n" + "1,2,yes\n3,4,no\n")
    >>> find_stray_word(str(file)).removeprefix(str(file))
    ":3: column 'b' with '?'"
    """
    with TextSource(path) as source:
        try:
            records = csv.split_records(source, csv.detect_delimiter(source))
            rows = [(n, [c.strip() for c in row]) for n, row in itertools.islice(records, _ROWS)]
        except DataFormatError:
            return ""
    # too few or uneven rows need not be a table of numbers, so nothing is claimed
    if len(rows) < 3 or len({len(row) for _, row in rows}) > 1:
        return ""
    (_, first), *body = rows
    header = not any(map(_NUMBER.fullmatch, first))
    names = first if header else list(map(str, range(len(first))))
    words = {
        place: [(n, row[place]) for n, row in body if not _NUMBER.fullmatch(row[place])]
        for place in range(len(names))
    }
    known = names.index(label) if label in names else None
    mixed = [place for place in words if words[place] and place != known]
    if known is None and mixed:  # the column with the most words is taken for the label
        mixed.remove(max(mixed, key=lambda place: len(words[place])))
    # where many columns hold words it is a table of texts, and no word is astray
    if not mixed or len(mixed) > 2 or len(mixed) > (len(names) - 1) / 2:
        return ""
    place = min(mixed, key=lambda place: len(words[place]))
    line, cell = words[place][0]
    return f"{path}:{line}: column {abbreviate(names[place])} with {abbreviate(cell)}"


def _is_svmlight(lines: list[str]) -> bool:
    pairs = 0  # lines of labels alone are no svmlight
    for line in lines:
        first, *rest = line.partition("#")[0].split() or ["0"]
        if not _NUMBER.fullmatch(first) or not all(map(_PAIR.fullmatch, rest)):
            return False
        pairs += len(rest)
    return pairs > 0


def _detect_table(
    rows: list[list[str]], label: str | None, drop: Sequence[str], header: bool | None
) -> NumericGuess | None:
    if len(rows) < _FEWEST_ROWS or len({len(row) for row in rows}) > 1:
        return None
    first = rows[0]
    # by number, and by names that are no numbers, which would be cells of a first row of data
    numbered = {place for place in range(len(first)) if str(place) in drop}
    named = {p for p, name in enumerate(first) if name in drop and not _NUMBER.fullmatch(name)}
    if header is None:
        cells = [cell for p, cell in enumerate(first) if p not in numbered | named]
        header = not any(map(_NUMBER.fullmatch, cells))
    dropped = numbered | named if header else numbered
    body = rows[1:] if header else rows
    names = first if header else list(map(str, range(len(first))))
    if len(body) < _FEWEST_ROWS or len(names) - len(dropped) < 2:
        return None
    # a column called "text" is one, even where its first rows are all digits
    if any(name.lower() in TEXT_NAMES for p, name in enumerate(names) if p not in dropped):
        return None
    words = [
        place
        for place, cells in enumerate(zip(*body, strict=True))
        if place not in dropped and not all(map(_NUMBER.fullmatch, cells))
    ]
    if (words or header) and len(names) - len(dropped) < _FEWEST_COLUMNS:
        return None
    place = words[0] if words else max(p for p in range(len(names)) if p not in dropped)
    if label is not None:
        if label not in names and not (is_number(label) and int(label) < len(names)):
            return None
        place = names.index(label) if label in names else int(label)
    if words not in ([], [place]):
        return None
    values = {row[place] for row in body}
    # classes repeat; where most values differ it is rather a column of texts
    repeats = 2 * len(values) <= len(body) and max(map(len, values)) <= LABEL_LENGTH
    if words and not repeats:
        return None
    return NumericGuess("numeric-csv", names[place])
