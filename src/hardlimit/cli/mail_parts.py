"""Which parts of a mail decided: the contributions of its terms, summed by the part they are of."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from hardlimit import describing
from hardlimit.classifiers.model.explanation import share_among_words
from hardlimit.cli import layouts, terminal
from hardlimit.exceptions import FileError
from hardlimit.readers.documents import make_reader, read_document

if TYPE_CHECKING:
    from hardlimit.classifiers.model.explanation import Explanation
    from hardlimit.readers import Layout

TEXT = "text"


def layout_of(typed: str, metadata: Mapping[str, Any]) -> Layout | None:
    """Return how a mail is read that stands in a file or comes by standard input; None for a text.

    typed : "-", the path of a mail, or a text.
    metadata : of the model; only one of mail reads files as mail.
    """
    remembered = describing.layout_of(metadata)
    if not remembered.get("mail") or (typed != "-" and not os.path.isfile(typed)):
        return None
    return layouts.layout_for(typed, remembered, {}, bare=True)


def read_text(path: str, layout: Layout) -> str:
    """Read the mail in a file, or on standard input, as the model's text."""
    reader = make_reader(layout)
    if reader is None:
        raise FileError("this model does not read mail", where=path)
    return reader.read(read_document(path, layout))


def sum_parts(explanation: Explanation, text: str) -> list[tuple[str, int, float]]:
    """Return the parts with their numbers of terms and their sums, the heaviest first.

    A term is of the part that marks its first word; words without a mark are the text's, and
    fragments of words are of the words that they stand in.
    """
    found: dict[str, list[float]] = {}
    for one in share_among_words(explanation, text, len(explanation.terms)).terms:
        kind, mark, _ = one.term.partition(" ")[0].partition("__")
        sums = found.setdefault(kind if mark and kind else TEXT, [0, 0.0])
        sums[0] += 1
        sums[1] += one.contribution
    rows = [(name, int(n), total) for name, (n, total) in found.items()]
    return sorted(rows, key=lambda row: (-abs(row[2]), row[0]))


def show(parts: list[tuple[str, int, float]]) -> None:
    """Print the parts as a table."""
    terminal.heading("Parts of the mail")
    rows = [(f"{total:+.3f}", name, f"{n:,}") for name, n, total in parts]
    for line in terminal.table((">contribution", "part", ">terms"), rows):
        terminal.say(line)
