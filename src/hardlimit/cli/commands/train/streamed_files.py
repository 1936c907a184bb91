"""The rows of files as batches: read again for every pass, and counted on the way."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from hardlimit import readers
from hardlimit.cli import labelled_rows, terminal
from hardlimit.cli.labelled_rows import CountedRows, Labelled
from hardlimit.readers.opening import DIGESTS
from hardlimit.sources.files import is_stream
from hardlimit.sources.reading import SIZE

if TYPE_CHECKING:
    from hardlimit.cli.commands.train.streamed_holdout import HeldOutOfStream
    from hardlimit.sources.files import FileRows

HEAD = 10_000  # rows that are looked at before others, and
HEAD_SIZE = 1 << 26  # characters at most
Batch = tuple[Any, ...]


class StreamedFiles:
    """The rows of files, a few at a time; each call reads them from their beginning.

    known : names of labels where labels are one that differ only in their spelling; None: they are
    told apart.    held_out : takes the rows that are not learnt.    kept : how many of the first
    rows are kept.
    """

    def __init__(
        self,
        source: FileRows,
        known: Sequence[Any] | None = None,
        held_out: HeldOutOfStream | None = None,
        kept: int = 0,
    ) -> None:
        self._source, self._known, self._held_out, self._kept = source, known, held_out, kept
        self._spellings: readers.Spellings | None = None
        self._looked = False
        self._first: list[Batch] = []
        self.rows = CountedRows(labelled_rows.name_sources(source.paths))
        self.rows.take(source.told)

    def source(self) -> Callable[[], Iterator[Batch]] | Iterator[Batch]:
        """Return what a classifier takes: of standard input, and pipes, what comes once."""
        return self() if any(map(is_stream, self._source.paths)) else self

    def __call__(self) -> Iterator[Batch]:
        """Yield examples and labels, from the beginning of the first file."""
        rows = self.rows = self._new_rows(self.rows.digests)
        self._first.clear()
        # By the thread that reads: others may read other files meanwhile.
        DIGESTS.found = None if rows.digests else {}
        try:
            for batch in self._divided(rows):
                examples, labels, *weights = batch
                if rows.n < self._kept:
                    self._first.append(batch)
                rows.count(labels)
                if rows.n >= HEAD:
                    self._look(rows)
                yield (examples, rows.kind.learnable(labels), *weights)
            self._look(rows)
            rows.digests = DIGESTS.found or rows.digests
        finally:
            DIGESTS.found = None

    def _new_rows(self, digests: dict[str, tuple[str, int]]) -> CountedRows:
        """Return what is known before the first row."""
        columns = self.rows.label_columns
        return CountedRows(self.rows.name, label_columns=columns, digests=digests)

    def _look(self, rows: CountedRows) -> None:
        """Note once what the first rows, or all if they are fewer, say of their classes."""
        if not self._looked:
            self._looked = True
            labelled_rows.note_rare(rows)

    def _divided(self, rows: CountedRows) -> Iterator[Batch]:
        """Yield the rows without those that are held out."""
        held_out = self._held_out
        if held_out is None:
            yield from self._folded(rows)
            return
        held_out.begin()
        for batch in self._folded(rows):
            left = held_out.divide(batch)
            if len(left[1]):
                yield left
        held_out.end()

    def _folded(self, rows: CountedRows) -> Iterator[Batch]:
        """Yield the rows, whose labels are called as most of the first rows call them."""
        batches = self._read(rows)
        if self._known is None:
            yield from batches
            return
        head: list[Batch] = []
        if self._spellings is None:
            spellings, first = readers.Spellings(self._known), CountedRows("", layout=rows.layout)
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

    def _read(self, rows: CountedRows) -> Iterator[Batch]:
        for batch in self._source.batches():
            rows.take(self._source.told)
            yield (batch.examples, batch.labels, *batch.weights)
        # Only files that were read to their end have told all.
        rows.take(self._source.told)

    def first_rows(self) -> Labelled:
        """Return the first rows of the last pass, as many as were kept."""
        labels = [label for batch in self._first for label in batch[1]]
        examples = [batch[0] for batch in self._first]
        return self.rows.labelled(examples[0].joined(examples) if examples else [], labels)

    def gather_held_out(self, classifier: Any) -> Labelled | None:
        """Return the rows that were held out; read the files once more where no pass was whole."""
        held_out = self._held_out
        if held_out is None:
            return None
        if not held_out.complete:
            for _ in self._divided(self._new_rows({})):
                pass
        return held_out.rows(self.rows, classifier)

    def finish(self, classifier: Any) -> CountedRows:
        """Return what is known of all rows, the most frequent class first."""
        rows = self.rows
        rows.take(self._source.widened(lambda: classifier.n_features_in_))
        rows.notes += labelled_rows.note_variants(rows.kind.spellings(rows.counts))
        rows.counts = Counter(dict(rows.counts.most_common()))
        return rows
