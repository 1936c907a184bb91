"""``train --label a,b,c --cluster``: a layer of neurons, learnt from shards of files."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from hardlimit.classifiers.model.ask import Ask
from hardlimit.cli import labelled_rows, numeric_rows, several_labels
from hardlimit.cli.commands.train.classifier import build_classifier, start_of
from hardlimit.cli.commands.train.streamed_files import StreamedRows
from hardlimit.cli.progress import Progress

if TYPE_CHECKING:
    from hardlimit.classifiers.targets.columns import LabelTable
    from hardlimit.cli.commands.train.command import TrainOptions

    HeldOut = tuple[labelled_rows.Labelled, LabelTable]


class _Columns:
    """What is known of rows with several columns of labels: a listener of the training."""

    def __init__(self, options: TrainOptions, names: list[str]) -> None:
        numeric_rows.refuse_text_options(options.layout)
        given = {"format": "numeric-csv", **options.layout}
        self.settings: dict[str, Any] = {**given, "label": names}
        drop = (*given.pop("drop", ()), *names[:-1])
        self._wanted = {**given, "label": names[-1], "drop": drop}
        self._options, self._names = options, names
        self.rows = StreamedRows(labelled_rows.name_sources(options.sources))
        self.held_out = options.holdout
        self.measured: HeldOut | None = None

    def surveyed(self, found: Any, featuriser: Any) -> None:
        """Remember how the files are read."""
        self._columns = found.columns
        source = self._options.sources[0]
        self.rows.remembered = numeric_rows.remember(
            source, found, self._wanted, featuriser.n_columns
        )

    def counted(self, labels: Counter[Any], n_rows: int) -> None:
        """Remember how many rows there are."""
        self.rows.n = n_rows

    def take(self, held_out: Any) -> None:
        """Keep the rows that are held out."""
        from hardlimit.classifiers.targets import LabelColumns  # late: numpy

        name, items = self.rows.name, held_out.labels
        data = labelled_rows.Labelled(name, held_out.examples, items, columns=self._columns)
        self.measured = data, LabelColumns(tuple(self._names)).table(items)


def begin(options: TrainOptions, ask: Ask) -> tuple[Any, StreamedRows, HeldOut | None]:
    """Fit a layer; return it, what is known of the rows, and those that are held out."""
    from hardlimit.distributed.training import train_files  # late: numpy

    made: Any = build_classifier(options, ask)
    listener = _Columns(options, several_labels.split_names(options.label))
    with Progress(made.max_iter, machine=options.progress) as progress:
        progress.stage("reading")
        train_files(
            made,
            list(options.sources),
            listener.settings,
            cluster=options.cluster,
            callback=progress,
            listener=listener,
            checkpoint=options.checkpoint,
            every=10.0 if options.every is None else options.every,
            **start_of(options, is_numeric=True),
        )
    return made, listener.rows, listener.measured
