"""The one loop over rows of words in files.

A stream takes the rows batch by batch, a file in memory and a shard take them whole: the batches
of one file or several, gathered together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from hardlimit.examples._protocol import Examples
    from hardlimit.examples.of_rows import Gather, Gathered
    from hardlimit.foundation.types import Array
    from hardlimit.readers import Row, Table
    from hardlimit.readers.file_notes import FileNotes

ROWS = 1024  # of a batch, and
SIZE = 1 << 22  # characters at most, beyond one row


class FileBatch(NamedTuple):
    """Some rows: their examples, the label of each, and about how many bytes they have.

    weights : of numbers, one array where rows have weights.    rows : as they stand in their file,
    where they are kept.    notes : of pieces of files, what was met in them.
    """

    examples: Examples
    labels: list[Any]
    size: int = 0
    weights: tuple[Any, ...] = ()
    rows: tuple[Row, ...] = ()
    notes: tuple[FileNotes, ...] = ()

    def kept(self, rows: Array | None) -> FileBatch:
        """Return the examples and labels of some rows; None: all."""
        if rows is None:
            return self
        places = rows.tolist()
        labels = [self.labels[place] for place in places]
        return FileBatch(self.examples.take(places), labels, notes=self.notes)

    @classmethod
    def joined(cls, parts: Sequence[FileBatch]) -> FileBatch:
        """Return the examples and labels of several batches as one."""
        if len(parts) == 1:
            return parts[0]
        examples = parts[0].examples.joined([part.examples for part in parts])
        labels = [label for part in parts for label in part.labels]
        return cls(examples, labels, notes=tuple(note for part in parts for note in part.notes))


def read_batches(
    table: Table, gather: Gather, most: int | None = None, *, keep: bool = False
) -> Iterator[FileBatch]:
    """Yield the rows of a table, some at a time.

    gather : begins a batch.    most : rows of a batch.    keep : whether rows are kept as they
    stand beside their examples.
    """
    most, limit = ROWS if most is None else most, SIZE
    gathered, labels, size, rows = gather(table), list[Any](), 0, list[Any]()
    for row in table:
        n_bytes = gathered.add(table, row)
        labels.append(row.label)
        if keep:  # with cells that are no part of the example
            rows.append(row)
            n_bytes = row.size
        size += n_bytes
        if len(labels) >= most or size >= limit:
            yield FileBatch(gathered.examples(), labels, size, (), tuple(rows))
            gathered, labels, size, rows = gather(table), [], 0, []
    if labels:
        yield FileBatch(gathered.examples(), labels, size, (), tuple(rows))


class WholeFiles:
    """All rows of a source together.

    gather : what gathers the rows of its first file.    taken : told about how many bytes each
    batch has, so that memory can be watched.
    """

    def __init__(self, gather: Gather, taken: Callable[[int], object] | None = None) -> None:
        self._gather, self._taken = gather, taken
        self._gathered: Gathered | None = None
        self.labels: list[Any] = []

    def begin(self, table: Table) -> Gathered:
        """Return what gathers all rows, whatever their file is."""
        if self._gathered is None:
            self._gathered = self._gather(table)
        return self._gathered

    def read(self, batches: Iterable[FileBatch]) -> FileBatch:
        """Take the batches that :meth:`begin` has begun; return all rows as one."""
        size = 0
        for batch in batches:
            self.labels += batch.labels
            size += batch.size
            if self._taken is not None:
                self._taken(batch.size)
        assert self._gathered is not None  # there is a file
        return FileBatch(self._gathered.examples(), self.labels, size)
