"""Several labels in one cell: split at a separator, or given as a list.

Blanks around a label do not belong to it; what is empty between two separators, or comes again, is
left out and counted. An empty cell means that the row has none of the labels.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from hardlimit.exceptions import DataFormatError, abbreviate
from hardlimit.foundation.formatting import plural


class LabelKind(NamedTuple):
    """How many labels a row has.

    names : what the column of the label is often called.      cells : what its cells may be, in
    tables by columns.
    """

    names: tuple[str, ...]
    cells: tuple[str, ...]


ONE = LabelKind(
    tuple("label category class target folder intent topic sentiment tag spam is_spam y".split()),
    ("text", "number", "boolean"),
)
SEVERAL = LabelKind(
    (*ONE.names, "labels", "tags", "topics", "categories", "classes", "genres", "intents"),
    (*ONE.cells, "list"),
)

# What often stands between labels.
USUAL = (",", ";", "|")


@dataclass
class LabelSetReader:
    """Makes labels of cells, and counts what it met.

    >>> LabelSetReader(",").read(" sport, price,,sport", "a.csv:2")
    ('sport', 'price')
    """

    separator: str
    without: int = field(default=0, init=False)
    empty: int = field(default=0, init=False)
    again: int = field(default=0, init=False)
    _parted: bool = field(default=False, init=False)
    _other: str = field(default="", init=False)

    def read(self, cell: object, where: str) -> tuple[Any, ...]:
        """Return the labels of a cell: a text, a list, another single label, or None."""
        parts = cell.split(self.separator) if isinstance(cell, str) else _parts_of(cell)
        if len(parts) > 1:
            self._parted = True
        elif not self._parted and isinstance(cell, str):
            self._other = self._other or next((one for one in USUAL if one in cell), "")
        found: dict[Any, None] = {}
        for part in parts:
            label = part.strip() if isinstance(part, str) else part
            if label is None or label == "":
                # Of blanks two in a row are usual, and an empty cell is told as such.
                self.empty += len(parts) > 1 and not self.separator.isspace()
                continue
            if isinstance(label, str) and self.separator in label:
                raise DataFormatError(
                    f"the label {abbreviate(label)} holds the separator {self.separator!r}: it "
                    "could not be told from two labels",
                    where=where,
                    fix="give a separator that no label has",
                )
            if label in found:
                self.again += 1
            found[label] = None
        self.without += not found
        return tuple(found)

    def __add__(self, later: LabelSetReader) -> LabelSetReader:
        found = LabelSetReader(self.separator)
        found.without = self.without + later.without
        found.empty, found.again = self.empty + later.empty, self.again + later.again
        found._parted, found._other = self._parted or later._parted, self._other or later._other
        return found

    def notes(self, name: str, rows: int) -> list[str]:
        """Say what was met in a file."""
        sentences = []
        if self.without:
            have = plural(self.without, "row has", "rows have")
            sentences.append(f"{name}: {have} no label, of {rows:,}: none of the labels is theirs")
        if self._other and not self._parted:
            sentences.append(
                f"{name}: no row has the separator {self.separator!r} between labels, and some "
                f"have {self._other!r}; is it that one?"
            )
        if self.empty:
            parts = plural(self.empty, "label is", "labels are")
            sentences.append(
                f"{name}: {parts} empty, beside the separator {self.separator!r}; left out"
            )
        if self.again:
            parts = plural(self.again, "label comes", "labels come")
            sentences.append(f"{name}: {parts} twice in one row; counted once")
        return sentences


def _parts_of(cell: object) -> list[Any]:
    if cell is None:
        return []
    return list(cell) if isinstance(cell, list | tuple) else [cell]
