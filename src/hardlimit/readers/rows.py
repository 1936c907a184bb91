"""What all readers give: a `Table` of `Row`, and the `Layout` that a model remembers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from types import TracebackType
from typing import Any, NamedTuple, TypeVar

from hardlimit.exceptions import DataFormatError, abbreviate
from hardlimit.foundation.formatting import plural
from hardlimit.readers.decoding import Source
from hardlimit.readers.file_notes import FileNotes, sentences_of
from hardlimit.readers.label_sets import LabelSetReader
from hardlimit.readers.layout import Layout
from hardlimit.readers.spellings import fold

Label = str | int | float | bool
Labels = Label | tuple[Label, ...]  # a tuple where a row has several
Fields = tuple[str, ...] | dict[str, Any]
Item = TypeVar("Item")

_ROWS_NAMED = 5
_VARIANTS_NAMED = 10
_LONGEST_LABEL = 1000
_NUMBER = 8  # bytes of a cell that is no text
BATCH_CHARACTERS = 1 << 22


class Row(NamedTuple):
    """One document: where it starts, its text, its label (if any), and the row as it was."""

    line: int
    text: str | bytes
    label: Labels | None
    fields: Fields

    @property
    def size(self) -> int:
        """About how many characters the row has."""
        return max(len(self.text), measure(self.fields))


def measure(fields: Iterable[Any]) -> int:
    """Return about how many characters the cells of a row have.

    >>> measure(("a text", "ham")), measure({"text": "a text", "n": 1})
    (9, 14)
    """
    cells = fields.values() if isinstance(fields, dict) else fields
    return sum([len(cell) if isinstance(cell, str | bytes) else _NUMBER for cell in cells])


def in_batches(
    items: Iterable[Item], most: int, size: Callable[[Item], int], limit: int = BATCH_CHARACTERS
) -> Iterator[list[Item]]:
    """Group items: at most ``most``, whose sizes reach ``limit`` with the last of them at most.

    >>> list(in_batches(["a", "b", "a long text", "c"], 2, len, 10))
    [['a', 'b'], ['a long text'], ['c']]
    """
    batch: list[Item] = []
    total = 0
    for item in items:
        batch.append(item)
        total += size(item)
        if len(batch) >= most or total >= limit:
            yield batch
            batch, total = [], 0
    if batch:
        yield batch


class Table:
    """The rows of one file, in its order; one pass.

    Attributes
    ----------
    layout : Layout
        What a model remembers. Delimiter and encoding belong to a file: they are here only if
        they were asked for.
    columns : tuple of str
        Names of all columns; their numbers where there is no header.
    source : Source
        The open file: ``source.name`` for messages, ``source.replaced`` for what was replaced.
    delimiter : str
        The delimiter in use.
    """

    def __init__(
        self,
        source: Source,
        layout: Layout,
        columns: tuple[str, ...],
        rows: Callable[[Table], Iterator[Row]],
        *,
        need_label: bool,
        delimiter: str = ",",
    ) -> None:
        self.source = source
        self.layout = layout
        self.columns = columns
        self.delimiter = delimiter
        self.skipped = 0
        self.left_out = 0
        self._first_left_out = ""
        self.remarks: list[str] = []
        self.rows_read = 0
        self._need_label = need_label
        separator = layout.labels_separator
        self._sets = None if separator is None else LabelSetReader(separator)
        self._rows = self._check_rows(rows)

    def __iter__(self) -> Iterator[Row]:
        return self._rows

    def leave_out(self, path: str) -> None:
        """Count what stands in a folder and is neither a file nor a folder of its own."""
        self._first_left_out = self._first_left_out or path
        self.left_out += 1

    def _check_rows(self, rows: Callable[[Table], Iterator[Row]]) -> Iterator[Row]:
        """Count the rows, and refuse those without a label where one is needed."""
        # closes the file when the rows end, also where they end in an error
        with self.source:
            given = rows(self) if self._sets is None else self._split_labels(rows(self))
            for row in given:
                if self._need_label and row.label is None and self.source.skip_bad:
                    where = f"{self.source.name}:{row.line}"
                    self.source.reject(DataFormatError("the label is missing", where=where))
                    continue
                self.rows_read += 1
                if self._need_label and row.label is None:
                    self._refuse_missing_labels(row, given)
                yield row
            self._refuse_empty()

    def _split_labels(self, rows: Iterator[Row]) -> Iterator[Row]:
        """Make a tuple of the labels of each row."""
        assert self._sets is not None
        for row in rows:
            # A document is by its folder or index; of a column an empty cell says none.
            if row.label is None and self.layout.label is None:
                yield row
                continue
            try:
                labels = self._sets.read(row.label, f"{self.source.name}:{row.line}")
            except DataFormatError as error:
                self.source.reject(error)
                continue
            yield Row(row.line, row.text, labels, row.fields)

    def _refuse_missing_labels(self, first: Row, rest: Iterator[Row]) -> None:
        """Read on, so that one message names them all."""
        # one error a run would make a user fix a file row by row
        missing = [first.line]
        count, total = 1, self.rows_read
        for row in rest:
            total += 1
            if row.label is None:
                count += 1
                if len(missing) < _ROWS_NAMED:
                    missing.append(row.line)
        lines = ", ".join(map(str, missing)) + (", ..." if count > len(missing) else "")
        column = "" if self.layout.label is None else f" in column {abbreviate(self.layout.label)}"
        raise DataFormatError(
            f"{count} of {plural(total, 'row')} {'has' if count == 1 else 'have'} no label{column} "
            f"(line {lines})",
            where=f"{self.source.name}:{first.line}",
            fix="fill them in, or remove those rows",
        )

    def _refuse_empty(self) -> None:
        """Refuse a file without rows, except standard input to predict: no rows, no answers."""
        if self.rows_read:
            return
        if self.source.bad:
            reason = f"no row is left: all break the format, such as {self.source.reasons[0]}"
            raise DataFormatError(reason, where=self.source.name)
        if self.source.number == 0:
            if self._need_label or not self.source.is_standard_input:
                raise DataFormatError("the file is empty", where=self.source.name)
        elif not self.columns:
            raise DataFormatError("there are only empty lines", where=self.source.name)
        elif self._need_label:
            raise DataFormatError("there is no row below the header", where=self.source.name)

    def close(self) -> None:
        """Close the file; a table read to its end has done so."""
        self.source.close()

    def __enter__(self) -> Table:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.close()

    def counted(self) -> list[FileNotes]:
        """Return what was met so far, by file."""
        source = self.source
        found = replace(
            source.counted(),
            replaced=source.replaced,
            first_replaced=source.first_replaced,
            guessed=source.guessed,
            skipped=self.skipped,
            left_out=self.left_out,
            first_left_out=self._first_left_out,
            rows=self.rows_read,
            sets=self._sets if self._need_label else None,
            remarks=tuple(self.remarks),
        )
        return [found]

    def notes(self) -> list[str]:
        """Return sentences on what was replaced or skipped so far; none if nothing was."""
        return sentences_of(self.counted())


def label_variants(counts: Mapping[Any, int]) -> list[str]:
    """Point out labels that differ only in case, spaces or Unicode form, or begin with a space.

    Parameters
    ----------
    counts
        How often each label occurs; labels that are not strings are left alone.

    Returns
    -------
    list of str
        One sentence a group, for `hardlimit.exceptions.DataWarning`; O(labels).

    Examples
    --------
    >>> label_variants({"spam": 120, "Spam": 3, "spam ": 1, "ham": 400})
    ["labels that differ only in case or spaces: 'spam' (120), 'Spam' (3), 'spam ' (1)"]
    """
    groups: dict[str, list[str]] = {}
    for label in counts:
        # a whole text is no label; and NFKC takes the square of the marks that follow a letter
        if isinstance(label, str) and len(label) <= _LONGEST_LABEL:
            groups.setdefault(fold(label), []).append(label)
    sentences = []
    for group in groups.values():
        if len(group) > 1:
            group.sort(key=lambda label: (-counts[label], label))
            named = ", ".join(f"{label!r} ({counts[label]})" for label in group[:_VARIANTS_NAMED])
            more = ", ..." if len(group) > _VARIANTS_NAMED else ""
            sentences.append(f"labels that differ only in case or spaces: {named}{more}")
    blank = [x for group in groups.values() for x in group if len(group) == 1 and x != x.strip()]
    if blank:
        named = ", ".join(f"{label!r}" for label in blank[:_VARIANTS_NAMED])
        more = ", ..." if len(blank) > _VARIANTS_NAMED else ""
        sentences.append(f"labels keep the spaces around them: {named}{more}")
    return sentences
