"""``train --cluster``: shards of files, learnt by threads, processes or other machines."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

from hardlimit.cli import labelled_rows, tables, terminal
from hardlimit.cli.commands.train import continued
from hardlimit.cli.commands.train.classifier import parse_class_weight
from hardlimit.cli.commands.train.streamed_rows import StreamedRows

if TYPE_CHECKING:
    from hardlimit.cli.commands.train.command import TrainOptions
    from hardlimit.cli.commands.train.job import Job
    from hardlimit.cli.models import Classifier
    from hardlimit.sources.files import FileRows, Told


class Shards:
    """What is known of the rows of all shards, and how they are read: a listener of the training.

    held_out : the part of the rows that is held out, or None.    measured : those rows.
    check_labels : called as soon as the rows of each label are known.
    """

    def __init__(
        self,
        options: TrainOptions,
        source: FileRows,
        classifier: Classifier,
        held_out: float | None,
    ) -> None:
        self._options, self._classifier = options, classifier
        self.source = source
        self.rows = StreamedRows(
            labelled_rows.name_sources(options.sources),
            label_columns=source.told.label_columns,
        )
        self.held_out = held_out
        self.measured: labelled_rows.Labelled | None = None
        self.check_labels: Callable[[], object] = lambda: None
        self._kinds: Any = ()
        self._columns: Any = ()

    def surveyed(self, told: Told, featuriser: Any) -> None:
        """Remember how the files are read; of a table the columns get their kinds."""
        self.rows.layout, self.rows.remembered = told.layout, told.remembered
        self._columns = told.columns
        self._kinds = getattr(featuriser.features, "kinds", ())
        if self._kinds and told.layout is not None:  # of a new table, not of an earlier model
            tables.take_kinds(self._classifier, self._kinds, told.layout)

    def folded(self, notes: list[str]) -> None:
        """Tell which spellings of labels are one."""
        for sentence in notes:
            terminal.remark(sentence)

    def counted(self, labels: Counter[Any], n_rows: int) -> None:
        """Remember the rows of each label, and weigh them."""
        self.rows.counts = Counter(dict(labels.most_common()))
        self.rows.n = n_rows
        self.check_labels()
        # Of folded labels none differ only in that.
        for sentence in labelled_rows.note_variants(self.rows.kind.spellings(self.rows.counts)):
            terminal.remark(sentence)
        labelled_rows.note_rare(self.rows)
        if self._options.class_weight:
            # Only now: which labels there are is known from the rows.
            weight = parse_class_weight(self._options.class_weight, self.rows.counts)
            self._classifier.set_params(class_weight=weight)

    def take(self, held_out: Any) -> None:
        """Keep the rows that are held out."""
        self.measured = self.labelled(held_out)

    def labelled(self, found: Any) -> labelled_rows.Labelled:
        """Return some rows as those of one file."""
        return labelled_rows.Labelled(
            self.rows.name,
            found.examples,
            found.labels,
            self.rows.layout,
            remembered=self.rows.remembered,
            columns=self._columns,
            kinds=self._kinds,
            label_columns=self.rows.label_columns,
        )


def learn(job: Job, shards: Shards, callback: Callable[..., Any]) -> tuple[StreamedRows, float]:
    """Learn from the files; return what is known of the rows, and the seconds."""
    options, classifier = job.options, job.classifier
    from hardlimit.distributed.training import train_files  # late: numpy

    began = time.perf_counter()
    train_files(
        classifier,
        shards.source,
        cluster=options.cluster,
        callback=callback,
        listener=shards,
        checkpoint=options.checkpoint,
        every=10.0 if options.every is None else options.every,
        digests=shards.rows.digests,
        **job.start,
    )
    _note_replaced(classifier, shards)
    return shards.rows, time.perf_counter() - began


def _note_replaced(classifier: Classifier, shards: Shards) -> None:
    vectorizer = getattr(classifier, "vectorizer_", None)  # numbers have none
    replaced = 0 if vectorizer is None else vectorizer.n_replaced_
    if replaced:
        count = terminal.plural(replaced, "byte is", "bytes are")
        terminal.remark(f"{shards.rows.name}: {count} not valid UTF-8, replaced by U+FFFD")


def go_on(job: Job, shards: Shards) -> None:
    """Show an earlier model the rows of all shards, and ask it the first rows again."""
    options, classifier = job.options, job.classifier
    from hardlimit.distributed.continuing import continue_training, first_rows  # late: numpy

    began, before = time.perf_counter(), continued.counts(classifier)
    run = continue_training(
        classifier,
        shards.source,
        shards,
        cluster=options.cluster,
        epochs=job.epochs or 1,
        shards=options.shards or 1,
        mixing=options.mixing or "auto",
        digests=shards.rows.digests,
    )
    job.data, job.seconds = cast("Any", shards.rows), time.perf_counter() - began
    _note_replaced(classifier, shards)
    first = shards.labelled(first_rows(run, continued.MOST_ASKED))
    job.continued = continued.measure(classifier, first, job.epochs or 1, before)
