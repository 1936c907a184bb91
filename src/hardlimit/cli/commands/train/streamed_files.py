"""The rows of files as batches: read again for every pass, and counted on the way."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from hardlimit import readers
from hardlimit.cli import labelled_rows, numeric_rows, tables, terminal
from hardlimit.cli.label_kinds import OneLabelRows, kind_of_file
from hardlimit.cli.labelled_rows import Labelled
from hardlimit.cli.options import LayoutSettings
from hardlimit.foundation import progress, storage
from hardlimit.readers.opening import DIGESTS, STANDARD_INPUT
from hardlimit.sources.reading import SIZE, read_batches

if TYPE_CHECKING:
    from hardlimit.cli.commands.train.streamed_holdout import HeldOut
    from hardlimit.examples.of_rows import Gather
    from hardlimit.readers import Layout, Numbers

HEAD = 10_000  # rows that are looked at before others, and
HEAD_SIZE = 1 << 26  # characters at most


@dataclass
class StreamedRows:
    """What is known of rows that went by: their number a class, and how the files were read.

    digests : of the files, as they were read.
    """

    name: str
    layout: Layout | None = None
    remembered: dict[str, Any] | None = None
    counts: Counter[Any] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)
    digests: dict[str, tuple[str, int]] = field(default_factory=dict)
    weights: Sequence[float] = ()
    n: int = 0
    label_columns: tuple[str, ...] = ()

    def __len__(self) -> int:
        return self.n

    @property
    def kind(self) -> OneLabelRows:
        """How many labels a row has: one, or several in a tuple."""
        return kind_of_file(self.layout, self.label_columns)

    def none(self) -> Labelled:
        """Return none of the rows, with what is known of how they were read."""
        return Labelled(self.name, layout=self.layout, label_columns=self.label_columns)

    def count(self, labels: Sequence[Any]) -> None:
        """Count the labels of some rows."""
        self.n += len(labels)
        self.counts.update(self.kind.listed(labels))

    def to_remember(self) -> dict[str, Any] | None:
        """Return how the files were read, for the model."""
        return self.remembered if self.layout is None else self.layout.to_json()


class StreamedFiles:
    """The rows of files, a few at a time; each call reads them from their beginning."""

    def __init__(self, sources: Sequence[str]) -> None:
        self._sources = sources
        self._spellings: readers.Spellings | None = None
        self._folds = self._looked = False
        self.held_out: HeldOut | None = None
        self.rows = StreamedRows(labelled_rows.name_sources(sources))

    @property
    def once(self) -> bool:
        """Whether the rows come once: standard input, and pipes with a name."""
        return any(one == STANDARD_INPUT or not _is_regular(one) for one in self._sources)

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
        raise NotImplementedError

    def finish(self, classifier: Any) -> StreamedRows:
        """Return what is known of all rows, the most frequent class first."""
        rows = self.rows
        rows.notes += labelled_rows.note_variants(rows.kind.spellings(rows.counts))
        rows.counts = Counter(dict(rows.counts.most_common()))
        return rows


class WordBatches(StreamedFiles):
    """The rows of files of words.

    gather : what gathers the rows of a file: a text each, several, or the columns of a table.
    """

    def __init__(self, sources: Sequence[str], layout: Layout, gather: Gather) -> None:
        super().__init__(sources)
        self._layout, self._gather = layout, gather

    def decide(self, classifier: Any) -> None:
        """Give the classifier the kind of each column of a table, by all rows; print them."""
        rows = StreamedRows(self.rows.name)
        tables.decide_in_parts(
            classifier, self.rows.name, lambda: self._tables(rows), lambda: rows.layout
        )

    def _tables(self, rows: StreamedRows) -> Iterator[Any]:
        """Yield the columns without the labels."""
        n_rows = 0
        for columns, labels in self._read(rows):
            yield columns
            n_rows += len(labels)
            progress.report("looking at the columns", n_rows, 0, "rows")

    def _read(self, rows: StreamedRows) -> Iterator[tuple[Any, ...]]:
        with readers.open_rows(self._sources, self._layout, need_label=True) as table:
            rows.layout = table.layout
            for batch in read_batches(table, self._gather):
                yield batch.examples, batch.labels
            # Only a table that was read to its end knows its notes.
            rows.notes = [*table.notes()]


class NumberBatches(StreamedFiles):
    """The rows of files of numbers."""

    def __init__(self, sources: Sequence[str], settings: LayoutSettings) -> None:
        super().__init__(sources)
        self._settings, self._remembered = readers.without_folding(settings), settings
        self._first: Numbers | None = None
        self.rows.label_columns = tuple(settings.get("label_columns", ()))
        numeric_rows.refuse_text_options(settings)
        self._remark_whole()

    def _remark_whole(self) -> None:
        from hardlimit.readers import numeric_blocks  # late: numpy

        format = self._settings.get("format")
        whole = [one for one in self._sources if not numeric_blocks.streams(one, format)]
        if whole:
            terminal.remark(
                f"{whole[0]}: a file of this format is read whole, so that memory grows with it; "
                "svmlight, CSV, ARFF, .npy, IDX, Parquet and Arrow are read some rows at a time"
            )

    def _read(self, rows: StreamedRows) -> Iterator[tuple[Any, ...]]:
        from hardlimit.examples.dense import read_numbers  # late: numpy
        from hardlimit.readers import numeric_blocks

        for _, found in numeric_blocks.read_blocks(self._sources, **self._settings):
            self._first = self._first or found
            rows.notes += found.notes
            labels = numeric_rows.labels_of(found)
            weights = () if found.weights is None else (found.weights,)
            yield (read_numbers(found.X, grows=True), labels, *weights)

    def finish(self, classifier: Any) -> StreamedRows:
        """Return what is known of all rows, and how later files are read."""
        rows, first = super().finish(classifier), self._first
        if first is not None:
            n_columns = classifier.n_features_in_
            columns: Any = first.columns
            if first.is_sparse and not first.header:
                lowest = 0 if first.zero_based else 1
                columns = range(lowest, n_columns + lowest)
            whole, source = replace(first, columns=columns), self._sources[0]
            rows.remembered = numeric_rows.remember(source, whole, self._remembered, n_columns)
        return rows


def _is_regular(path: str) -> bool:
    return storage.is_file(path) or storage.is_folder(path)
