"""``train --cluster``: shards of files, learnt by threads, processes or other machines."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from hardlimit.cli import labelled_rows, layouts, terminal
from hardlimit.cli.commands.train.streamed_files import StreamedRows
from hardlimit.cli.options import LayoutSettings, given_names
from hardlimit.cli.table_options import NAMES
from hardlimit.foundation import storage

if TYPE_CHECKING:
    from hardlimit.cli.commands.train.command import TrainOptions
    from hardlimit.readers import Layout

_REFUSED = {
    "stream": "a stream is one run over its rows",
    "labels_separator": "shards of files learn one label a text",
    "holdout": "which rows are held out depends on all of them; keep a file for evaluate",
    "max_false_positive": "the threshold is chosen on held-out rows",
    "max_f1": "the threshold is chosen on held-out rows",
    "train_from": "an earlier model takes new rows as they come; leave --cluster out",
    "start": "weights at the start are for rows in memory",
    "probability": "probabilities are fitted by a second fit; use calibrate() in Python",
    "kernel": "kernels are of numbers, and shards of files are of texts",
    "map": "maps are of numbers, and shards of files are of texts",
    **dict.fromkeys(NAMES, "shards of files have one column of texts"),
}


def check(options: TrainOptions, is_numeric: bool, is_table: bool) -> None:
    """Refuse options that need all rows at once, and rows that are no texts."""
    given = [name for name in _REFUSED if getattr(options, name) not in (None, (), {}, False)]
    for option, name in zip(given_names(options, given), given, strict=True):
        raise click.UsageError(f"{option} does not go with --cluster: {_REFUSED[name]}")
    if options.every is not None and options.checkpoint is None:
        raise click.UsageError("--every goes with --checkpoint")
    if len(options.texts) > 1:
        raise click.UsageError("--cluster takes one --text column")
    if is_numeric or is_table:
        kind = "a mixed table" if is_table else "a file of numbers"
        raise click.UsageError(f"--cluster is for texts; this is {kind}")


class Shards:
    """What is known of the rows of all shards, and how they are read."""

    def __init__(self, options: TrainOptions, settings: LayoutSettings) -> None:
        self.layout = layouts.layout_for(options.sources, {}, settings)
        self.rows = StreamedRows(labelled_rows.name_sources(options.sources))

    def know(self, layout: Layout, labels: Counter[Any]) -> None:
        """Remember how the first file is read, and the rows of each label."""
        self.rows.layout = layout
        self.rows.counts = Counter(dict(labels.most_common()))
        self.rows.n = labels.total()


def learn(
    options: TrainOptions, classifier: Any, shards: Shards, callback: Callable[..., Any]
) -> tuple[StreamedRows, float]:
    """Learn from the files; return what is known of the rows, and the seconds."""
    from hardlimit.distributed.training import train_files  # late: numpy

    began = time.perf_counter()
    train_files(
        classifier,
        list(options.sources),
        shards.layout,
        cluster=options.cluster,
        callback=callback,
        counted=shards.know,
        checkpoint=options.checkpoint,
        every=10.0 if options.every is None else options.every,
        digests=shards.rows.digests,
    )
    replaced = classifier.vectorizer_.n_replaced_
    if replaced:
        count = terminal.plural(replaced, "byte is", "bytes are")
        terminal.remark(f"{shards.rows.name}: {count} not valid UTF-8, replaced by U+FFFD")
    return shards.rows, time.perf_counter() - began


def describe_checkpoint(options: TrainOptions) -> str:
    """Say how to go on, where there is a checkpoint."""
    if options.checkpoint is None or not os.path.isdir(storage.local_path(options.checkpoint)):
        return ""
    there = bool(os.listdir(options.checkpoint))
    return f"; the same command goes on from {options.checkpoint}" if there else ""
