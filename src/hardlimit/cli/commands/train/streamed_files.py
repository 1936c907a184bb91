"""The rows of files as batches: read again for every pass, and counted on the way."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from hardlimit import readers
from hardlimit.cli import labelled_rows, terminal
from hardlimit.cli.commands.train.streamed_rows import StreamedRows
from hardlimit.readers.opening import DIGESTS
from hardlimit.sources.files import is_stream
from hardlimit.sources.reading import SIZE

if TYPE_CHECKING:
    from hardlimit.cli.commands.train.streamed_holdout import HeldOut
    from hardlimit.sources.files import FileRows, Told

HEAD = 10_000  # rows that are looked at before others, and
HEAD_SIZE = 1 << 26  # characters at most


class StreamedFiles:
    """The rows of files, a few at a time; each call reads them from their beginning."""

    def __init__(self, source: FileRows) -> None:
        self._source = source
        self._spellings: readers.Spellings | None = None
        self._folds = self._looked = False
        self.held_out: HeldOut | None = None
        self.rows = StreamedRows(labelled_rows.name_sources(source.paths))
        self.rows.take(source.told)

    @property
    def once(self) -> bool:
        """Whether the rows come once: standard input, and pipes with a name."""
        return any(map(is_stream, self._source.paths))

    @property
    def told(self) -> Told:
        """What the files said of their rows in the last pass."""
        return self._source.told

    @property
    def read_whole(self) -> list[str]:
        """The files whose rows cannot be read some at a time."""
        return self._source.read_whole

    def __call__(self) -> Iterator[tuple[Any, ...]]:
        """Yield examples and labels, from the beginning of the first file."""
        rows = self.rows = replace(self._new_rows(), digests=self.rows.digests)
        # By the thread that reads: others may read other files meanwhile.
        DIGESTS.found = None if rows.digests else {}
        try:
            for batch in self._divided(rows):
                rows.count(batch[1])
                if rows.n >= HEAD:
                    self._look(rows)
                examples, labels, *weights = batch
                yield (examples, rows.kind.learnable(labels), *weights)
            self._look(rows)
            rows.digests = DIGESTS.found or rows.digests
        finally:
            DIGESTS.found = None

    def _new_rows(self) -> StreamedRows:
        """Return what is known before the first row."""
        return StreamedRows(self.rows.name, label_columns=self.rows.label_columns)

    def _look(self, rows: StreamedRows) -> None:
        """Note once what the first rows, or all if they are fewer, say of their classes."""
        if not self._looked:
            self._looked = True
            labelled_rows.note_rare(rows)

    def _divided(self, rows: StreamedRows) -> Iterator[tuple[Any, ...]]:
        """Yield the rows without those that are held out."""
        held_out = self.held_out
        if held_out is None:
            yield from self._folded(rows)
            return
        held_out.begin()
        for batch in self._folded(rows):
            left = held_out.divide(batch)
            if len(left[1]):
                yield left
        held_out.end()

    def fold_labels(self, known: Sequence[str]) -> None:
        """Make labels one that differ only in their spelling; ``known``: names that were given."""
        self._folds, self._known = True, known

    def _folded(self, rows: StreamedRows) -> Iterator[tuple[Any, ...]]:
        """Yield the rows, whose labels are called as most of the first rows call them."""
        batches = self._read(rows)
        if not self._folds:
            yield from batches
            return
        head: list[tuple[Any, ...]] = []
        if self._spellings is None:
            spellings, first = readers.Spellings(self._known), StreamedRows("", rows.layout)
            for batch in batches:
                head.append(batch)
                first.layout = rows.layout
                first.count(batch[1][: HEAD - first.n])
                if first.n >= HEAD or len(head) * SIZE >= HEAD_SIZE:
                    break
            spellings.take(first.counts)
            for sentence in spellings.notes(first.counts):
                terminal.remark(sentence)
            self._spellings = spellings
        for examples, labels, *more in itertools.chain(head, batches):
            yield (examples, self._spellings.names(labels), *more)

    def gather_held_out(self) -> HeldOut | None:
        """Return the rows that were held out; read the files once more where no pass was whole."""
        if self.held_out is not None and not self.held_out.complete:
            for _ in self._divided(self._new_rows()):
                pass
        return self.held_out

    def _read(self, rows: StreamedRows) -> Iterator[tuple[Any, ...]]:
        for batch in self._source.batches():
            rows.take(self._source.told)
            yield (batch.examples, batch.labels, *batch.weights)
        # Only files that were read to their end have told all.
        rows.take(self._source.told)

    def finish(self, classifier: Any) -> StreamedRows:
        """Return what is known of all rows, the most frequent class first."""
        rows = self.rows
        rows.take(self._source.widened(lambda: classifier.n_features_in_))
        rows.notes += labelled_rows.note_variants(rows.kind.spellings(rows.counts))
        rows.counts = Counter(dict(rows.counts.most_common()))
        return rows
