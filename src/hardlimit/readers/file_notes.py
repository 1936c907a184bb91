"""What there is to say of the rows of a file, in counts that add up over the pieces of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from hardlimit.exceptions import abbreviate
from hardlimit.foundation.formatting import plural
from hardlimit.readers.label_sets import LabelSetReader

MOST_REASONS = 10  # of bad rows that are told


@dataclass(frozen=True)
class FileNotes:
    """What was met in a file, or in a piece of it.

    replaced, first_replaced : undecodable places, and the line of the first.    guessed : whether
    the encoding is cp1252, since a line showed it.    skipped : empty rows.    left_out : what
    stands in a folder and is no file.    rows, sets : of several labels a row, how many rows there
    are and what was met in their cells.    queries : rows with a qid.    bad, reasons : rows that
    were left out, and why the first ones were.
    """

    name: str
    replaced: int = 0
    first_replaced: int = 0
    guessed: bool = False
    skipped: int = 0
    left_out: int = 0
    first_left_out: str = ""
    rows: int = 0
    sets: LabelSetReader | None = None
    remarks: tuple[str, ...] = ()
    queries: int = 0
    bad: int = 0
    reasons: tuple[str, ...] = ()

    def with_piece(self, later: FileNotes) -> FileNotes:
        """Return what was met here and in a later piece of the same file."""
        sets = self.sets if later.sets is None or self.sets is None else self.sets + later.sets
        return replace(
            self,
            replaced=self.replaced + later.replaced,
            first_replaced=self.first_replaced or later.first_replaced,
            guessed=self.guessed or later.guessed,
            skipped=self.skipped + later.skipped,
            left_out=self.left_out + later.left_out,
            first_left_out=self.first_left_out or later.first_left_out,
            rows=self.rows + later.rows,
            sets=sets,
            remarks=tuple(dict.fromkeys(self.remarks + later.remarks)),
            queries=self.queries + later.queries,
            bad=self.bad + later.bad,
            reasons=(self.reasons + later.reasons)[:MOST_REASONS],
        )

    def sentences(self) -> list[str]:
        """Return sentences on what was replaced or skipped; none if nothing was."""
        name, sentences = self.name, []
        if self.replaced:
            what = plural(self.replaced, "invalid byte sequence was", "invalid byte sequences were")
            sentences.append(f"{name}: {what} replaced (first in line {self.first_replaced})")
        if self.guessed:
            sentences.append(f"{name}: not UTF-8, read as cp1252 (Windows)")
        if self.skipped:
            what = plural(self.skipped, "empty row was", "empty rows were")
            sentences.append(f"{name}: {what} skipped")
        if self.left_out:
            what = plural(
                self.left_out,
                "entry is not a regular file and was",
                "entries are not regular files and were",
            )
            sentences.append(f"{name}: {what} skipped (first {abbreviate(self.first_left_out)})")
        if self.sets is not None:
            sentences += self.sets.notes(name, self.rows)
        sentences += self.remarks
        if self.queries:
            sentences.append(f"{name}: qid was ignored in {plural(self.queries, 'row')}")
        if self.bad:
            what = plural(self.bad, "bad row was", "bad rows were")
            more = f", the first {MOST_REASONS}" if self.bad > MOST_REASONS else ""
            sentences += [f"{name}: {what} left out{more}:", *self.reasons]
        return sentences


def sentences_of(pieces: Iterable[FileNotes]) -> list[str]:
    """Return the sentences on files, of which there may be several pieces each."""
    files: dict[str, FileNotes] = {}
    for one in pieces:
        files[one.name] = files[one.name].with_piece(one) if one.name in files else one
    return [sentence for file in files.values() for sentence in file.sentences()]
