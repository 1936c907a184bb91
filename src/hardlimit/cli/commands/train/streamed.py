"""``hardlimit train --stream``: rows that do not fit into memory, a few at a time."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import click

from hardlimit import readers
from hardlimit.cli import labelled_rows, layouts, terminal
from hardlimit.cli.commands.train.classifier import build_classifier, parse_class_weight
from hardlimit.cli.options import given_names, parse_pairs
from hardlimit.cli.table_options import NAMES
from hardlimit.foundation.temporary_folder import make_folder
from hardlimit.readers.opening import STANDARD_INPUT

if TYPE_CHECKING:
    from hardlimit.classifiers.fitting.streamed.memory import StreamPlan
    from hardlimit.cli.commands.train.command import TrainOptions
    from hardlimit.cli.models import Classifier
    from hardlimit.readers import Layout, Table

ROWS = 1024  # of a batch, and
SIZE = 1 << 22  # characters at most
# One pass over the input: features that need no counting, and no second look at a row.
FEATURES = {"hash": "20", "idf": "none"}
EPOCHS = 1
_WHOLE = {
    "labels_separator": "a stream learns one label a text; teach parts with --train-from",
    "holdout": "which rows are held out depends on all of them; keep a file for evaluate",
    "max_false_positive": "the threshold is chosen on held-out rows",
    "max_f1": "the threshold is chosen on held-out rows",
    "train_from": "an earlier model takes new rows as they come; leave --stream out",
    "start": "weights at the start are for rows in memory",
    "probability": "probabilities are fitted by a second fit; use calibrate(X, y) in Python",
    "kernel": "a kernel model keeps its rows",
    "map": "a map is fitted to all rows",
    **dict.fromkeys(NAMES, "of a mixed table all rows are measured"),
}


@dataclass
class StreamedRows:
    """What is known of rows that went by: their number a class, and how the files were read."""

    name: str
    layout: Layout | None = None
    counts: Counter[Any] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)
    weights: Sequence[float] = ()
    several: bool = False  # a stream learns one label a row

    def __len__(self) -> int:
        return self.counts.total()

    def to_remember(self) -> dict[str, Any] | None:
        """Return how the files were read, for the model."""
        return None if self.layout is None else self.layout.to_json()


def check(options: TrainOptions) -> None:
    """Refuse options that need all rows at once, and those of a stream where there is none."""
    if not options.stream:
        for option in given_names(options, ("checkpoint", "every", "cache")):
            raise click.UsageError(f"{option} goes with --stream")
        return
    if options.every is not None and options.checkpoint is None:
        raise click.UsageError("--every goes with --checkpoint")
    for option, name in zip(given_names(options, _WHOLE), _given(options), strict=True):
        raise click.UsageError(f"{option} does not go with --stream: {_WHOLE[name]}")
    if len(options.texts) > 1:
        raise click.UsageError("--stream takes one --text column")
    if options.class_weight == "balanced":
        raise click.UsageError(
            "--class-weight balanced does not go with --stream; give numbers, such as spam=2,ham=1"
        )


def _announce(plan: StreamPlan) -> None:
    """Say what the stream will do."""
    passes = f"{terminal.plural(len(plan.passes), 'pass', 'passes')} over the input"
    later = f", {terminal.plural(plan.epochs - 1, 'epoch')} over the cache" if plan.cached else ""
    terminal.remark(f"{passes} ({'; '.join(plan.passes)}){later}; {plan}")


def _manifest(sources: Sequence[str]) -> list[list[Any]]:
    """Return the names of the files and their sizes, which say what a checkpoint is of."""
    return [[one, os.path.getsize(one) if os.path.isfile(one) else None] for one in sources]


def interrupted_after(options: TrainOptions, classifier: Classifier) -> tuple[str, str]:
    """Return what was learnt until an interruption, and what else was kept."""
    outcome = classifier.fitted.outcome
    after = terminal.plural(classifier.n_iter_, "epoch")
    if outcome.progressive is not None and not outcome.history:
        judges = max(1, len(classifier.fitted.state.state.corrections))
        after = terminal.plural(outcome.progressive.judged // judges, "row")
    if options.checkpoint is None or not os.path.exists(options.checkpoint):
        return after, ""
    return after, f"; the same command goes on from {options.checkpoint}"


def _given(options: TrainOptions) -> list[str]:
    return [name for name in _WHOLE if getattr(options, name) not in (None, (), {})]


def build(options: TrainOptions) -> Classifier:
    """Build the classifier, with features that need no pass of their own unless others are asked.

    Hashing keeps memory constant whatever the texts hold; 2^20 columns are 16 MB of weights and
    sums for two classes.
    """
    asked = options.features or ""
    keys = {part.partition("=")[0].strip() for part in asked.split(",")}
    if {"vocabulary", "max-features"} & keys:
        keys.add("hash")
    more = [f"{key}={value}" for key, value in FEATURES.items() if key not in keys]
    features = ",".join(filter(None, [asked, *more]))
    changed: Any = type(options)(
        **{**options.__dict__, "features": features, "epochs": options.epochs or EPOCHS}
    )
    classifier = build_classifier(changed, is_numeric=False)
    if options.class_weight:
        classifier.set_params(class_weight=_class_weight(options.class_weight))
    return classifier


def _class_weight(text: str) -> dict[Any, float]:
    """Read weights of classes that nobody knows yet: of "1" and of the number 1."""
    named = parse_pairs(text.split(","), "--class-weight")
    weights = parse_class_weight(text, named)
    assert isinstance(weights, dict)
    numbers = {_as_number(str(name)): weight for name, weight in weights.items()}
    return {**weights, **{k: w for k, w in numbers.items() if k is not None}}


def _as_number(name: str) -> int | float | None:
    for kind in (int, float):
        try:
            return kind(name)
        except ValueError:
            continue
    return None


class TextBatches:
    """The rows of text files, a few at a time; read again for every pass.

    The first pass counts, and keeps the notes of the readers.
    """

    def __init__(self, sources: Sequence[str], layout: Layout) -> None:
        self._sources, self._layout = sources, layout
        self.rows = StreamedRows(labelled_rows.name_sources(sources))

    @property
    def once(self) -> bool:
        """Whether the rows come once: standard input, and pipes with a name."""
        return any(one == STANDARD_INPUT or not _is_regular(one) for one in self._sources)

    def __call__(self) -> Iterator[tuple[list[Any], list[Any]]]:
        """Yield texts and labels, from the beginning of the first file."""
        with readers.open_rows(self._sources, self._layout, need_label=True) as table:
            rows = StreamedRows(self.rows.name, table.layout)
            yield from self._batches(table, rows)
            # Only a table that was read to its end knows its notes.
            rows.notes = [*table.notes(), *readers.label_variants(rows.counts)]
        self.rows = rows

    def _batches(self, table: Table, rows: StreamedRows) -> Iterator[tuple[list[Any], list[Any]]]:
        self.rows = rows
        texts: list[Any] = []
        labels: list[Any] = []
        size = 0
        for row in table:
            texts.append(row.text)
            labels.append(row.label)
            size += len(row.text)
            if len(texts) >= ROWS or size >= SIZE:
                rows.counts.update(labels)
                yield texts, labels
                texts, labels, size = [], [], 0
        if texts:
            rows.counts.update(labels)
            yield texts, labels


def _is_regular(path: str) -> bool:
    return os.path.isfile(path) or os.path.isdir(path)


def open_batches(options: TrainOptions) -> TextBatches:
    """Return the rows of the files as batches."""
    layout = layouts.layout_for(options.sources, {}, options.layout)
    return TextBatches(options.sources, layout)


def learn(
    options: TrainOptions, classifier: Any, batches: TextBatches, callback: Callable[..., Any]
) -> tuple[StreamedRows, float]:
    """Learn from the batches; return what is known of the rows, and the seconds."""
    began = time.perf_counter()
    source: Any = iter(batches()) if batches.once else batches
    more: dict[str, Any] = {}
    if options.checkpoint is not None:
        manifest = _manifest(options.sources)
        more = {"checkpoint": options.checkpoint, "manifest": manifest}
        if os.path.exists(options.checkpoint):
            terminal.remark(f"going on from {options.checkpoint}")
    if options.every is not None:
        more["every"] = options.every
    with make_folder(options.output) as folder:
        cache = options.cache or os.path.join(folder, "rows")
        classifier.fit_stream(source, callback=callback, announce=_announce, cache=cache, **more)
    seconds = time.perf_counter() - began
    for note in batches.rows.notes:
        terminal.remark(note)
    rows = batches.rows
    rows.counts = Counter(dict(rows.counts.most_common()))
    return rows, seconds
