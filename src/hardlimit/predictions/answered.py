"""Rows of a table with their answers, batch by batch, so that memory stays bounded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from hardlimit.foundation.formatting import plural
from hardlimit.predictions.answerers import Answerer
from hardlimit.predictions.showing import Showing, Shown
from hardlimit.sources.reading import read_batches

if TYPE_CHECKING:
    from hardlimit.readers import Row, Table

# Enough to hide the cost of a call, and few enough for any memory.
BATCH_ROWS = 512


class AnsweredRows:
    """Rows with their answers; counts the texts of which the model knows no term.

    total, unknown : rows so far, and those of them whose terms the model does not know.
    """

    def __init__(
        self, answerer: Answerer, showing: Showing, table: Table, rows: int = BATCH_ROWS
    ) -> None:
        self.answerer = answerer
        self._showing = showing
        self._gather = answerer.form.gathering()
        self._table = table
        self._rows = rows
        self.total = self.unknown = 0

    def __iter__(self) -> Iterator[tuple[Row, Shown]]:
        for batch in read_batches(self._table, self._gather, self._rows, keep=True):
            examples = batch.examples
            found = self._showing.shown(self.answerer.answers(examples), examples)
            for row, shown in zip(batch.rows, found, strict=True):
                self.total += 1
                self.unknown += self.answerer.is_default(shown.answer)
                yield row, shown
        if not self.total:
            # A line alone was taken for the names, and no answer would be no sign of it.
            self.answerer.form.check_columns(self._table)

    def notes(self) -> list[str]:
        """Return notes on new categories, and on texts of which the model knows no term."""
        return note_new_categories(self.answerer.unknown) + note_unknown(self.unknown, self.total)


def note_unknown(unknown: int, total: int) -> list[str]:
    """Return a note on texts of which the model knows no term, if there are any.

    >>> note_unknown(1, 20)
    ['1 of 20 texts has no term that the model knows (known_features: 0): its label is the default']
    """
    if not unknown:
        return []
    have, their = ("has", "its") if unknown == 1 else ("have", "their")
    return [
        f"{unknown:,} of {plural(total, 'text')} {have} no term that the model knows "
        f"(known_features: 0): {their} label is the default"
    ]


def note_new_categories(unknown: Counter[tuple[str, str]]) -> list[str]:
    """Return a note on each column with categories that training did not see."""
    said = []
    for column in dict.fromkeys(name for name, _ in unknown):
        found = {value: n for (name, value), n in unknown.items() if name == column}
        shown = ", ".join(f"{value!r} ({n:,})" for value, n in Counter(found).most_common(3))
        more = ", ..." if len(found) > 3 else ""
        rows = plural(sum(found.values()), "row has", "rows have")
        what = plural(len(found), "value")
        said.append(
            f"column {column!r}: {rows} {what} that training did not see: {shown}{more}; "
            "they count as none"
        )
    return said
