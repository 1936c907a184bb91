"""``hardlimit train --stream``: rows that do not fit into memory, a few at a time."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from hardlimit.classifiers.model.ask import OF_TEXTS, Ask
from hardlimit.cli import new_rows, outputs, terminal
from hardlimit.cli.commands.train import continued, thresholds
from hardlimit.cli.commands.train.classifier import build_classifier, parse_class_weight
from hardlimit.cli.commands.train.streamed_files import StreamedFiles
from hardlimit.cli.commands.train.streamed_holdout import HeldOut, calibrate
from hardlimit.cli.commands.train.streamed_rows import StreamedRows
from hardlimit.cli.labelled_rows import Labelled
from hardlimit.cli.option_words import parse_pairs
from hardlimit.cli.options import LayoutSettings
from hardlimit.exceptions import mask
from hardlimit.foundation import storage
from hardlimit.foundation.temporary_folder import make_folder, make_temporary_folder

if TYPE_CHECKING:
    from hardlimit.classifiers.fitting.streamed.memory import StreamPlan
    from hardlimit.classifiers.targets.spelled import Spelled
    from hardlimit.cli.commands.train.command import TrainOptions
    from hardlimit.cli.commands.train.job import Job
    from hardlimit.cli.models import Classifier

# One pass over the input: features that need no counting, and no second look at a row.
FEATURES = {"hash": "20", "idf": "none"}
EPOCHS = 1
# Of rows that a threshold is chosen on, as in memory.
DEFAULT_HOLDOUT = 0.2


def check(options: TrainOptions) -> None:
    """Refuse values of a stream's own options, and files that would be overwritten."""
    if options.stream:
        if options.classes is not None:
            _parse_classes(options.classes)
        _check_files(options)


def _check_files(options: TrainOptions) -> None:
    """See before the work that what is kept on the way can be written, and destroys nothing."""
    for option, path in (("--checkpoint", options.checkpoint), ("--cache", options.cache)):
        if path is None:
            continue
        outputs.refuse_inputs(path, *options.sources, option=option)
        if os.path.realpath(path) == os.path.realpath(options.output):
            raise click.UsageError(f"{option} {path} is the model too: name another file")
        outputs.check_writable(path)


def _announce(plan: StreamPlan) -> None:
    """Say what the stream will do."""
    passes = f"{terminal.plural(len(plan.passes), 'pass', 'passes')} over the input"
    n_later = plan.epochs - 1
    later = f", {terminal.plural(n_later, 'epoch')} over the cache" if plan.cached else ""
    if plan.cached and not n_later:
        later = ", then the cache to count the errors"
    terminal.remark(f"{passes} ({'; '.join(plan.passes)}){later}; {plan}")


def _manifest(sources: Sequence[str]) -> list[list[Any]]:
    """Return the names of the files and their sizes, which say what a checkpoint is of."""
    return [[mask(one), storage.size_of(one) if storage.is_file(one) else None] for one in sources]


def interrupted_after(classifier: Classifier) -> str:
    """Return what was learnt until an interruption."""
    outcome = classifier.fitted.outcome
    if outcome.progressive is not None and not outcome.history:
        judges = max(1, len(classifier.fitted.state.state.corrections))
        return terminal.plural(outcome.progressive.judged // judges, "row")
    return terminal.plural(classifier.n_iter_, "epoch")


def build(options: TrainOptions, ask: Ask) -> Classifier:
    """Build the classifier, with features that need no pass of their own unless others are asked.

    Hashing keeps memory constant whatever the texts hold; 2^20 columns are 16 MB of weights and
    sums for two classes.
    """
    changed = {**options.__dict__, "epochs": options.epochs or EPOCHS, "probability": None}
    if ask.features in OF_TEXTS:
        changed["features"] = _features(options.features or "")
    made: Any = type(options)(**changed)
    classifier = build_classifier(made, ask)
    if options.class_weight:
        classifier.set_params(class_weight=_class_weight(options.class_weight))
    return classifier


def _features(asked: str) -> str:
    """Return the features that were asked for, and those of one pass where nothing was said."""
    keys = {part.partition("=")[0].strip() for part in asked.split(",")}
    bounded = {"vocabulary", "max-features"} & keys
    limited = sorted({"min-df", "max-df"} & keys)
    if limited and not bounded:
        raise click.BadOptionUsage(
            "--features",
            f"--features {limited[0]}= counts terms, and in a stream their number needs a bound: "
            f"say how many are kept, such as --features {asked},max-features=100000",
        )
    if bounded:
        keys.add("hash")
    more = [f"{key}={value}" for key, value in FEATURES.items() if key not in keys]
    return ",".join(filter(None, [asked, *more]))


def _parse_classes(text: str) -> Spelled:
    """Read the names of classes; what kind of labels they are is told by the first rows."""
    from hardlimit.classifiers.targets.spelled import Spelled  # late: numpy

    names = [name.strip() for name in text.split(",")]
    if len({*names}) < 2 or not all(names):
        raise click.BadOptionUsage(
            "--classes", f"--classes wants at least two labels, such as ham,spam; got {text!r}"
        )
    return Spelled(names)


def _class_weight(text: str) -> dict[Any, float] | str:
    """Read weights of classes that nobody knows yet: of "1" and of the number 1."""
    if text == "balanced":
        return text
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


def open_batches(
    options: TrainOptions, settings: LayoutSettings, is_numeric: bool, classifier: object
) -> StreamedFiles:
    """Return the rows of the files as batches; of a table the columns get their kinds."""
    source = new_rows.source_of(options, settings, is_numeric=is_numeric)
    batches = StreamedFiles(source)
    if settings.get("table"):
        new_rows.decide(classifier, batches.rows.name, source)
    named = options.classes.split(",") if options.classes else ()
    divide(options, batches, [name.strip() for name in named])
    return batches


def divide(options: TrainOptions, batches: StreamedFiles, known: Sequence[Any]) -> None:
    """Let the batches fold their labels, and hold rows out, as asked; ``known``: labels' names."""
    _remark_whole(batches.read_whole)
    if options.fold_labels:
        batches.fold_labels(known)
    share = options.holdout
    if share is None and thresholds.goal_of(options) is not None:
        share = DEFAULT_HOLDOUT
    if share is not None:
        batches.held_out = HeldOut(share)


def _remark_whole(read_whole: Sequence[str]) -> None:
    if read_whole:
        terminal.remark(
            f"{read_whole[0]}: a file of this format is read whole, so that memory grows with it; "
            "svmlight, CSV, ARFF, .npy, IDX, Parquet and Arrow are read some rows at a time"
        )


def learn(
    job: Job, batches: StreamedFiles, callback: Callable[..., Any]
) -> tuple[StreamedRows, float]:
    """Learn from the batches; return what is known of the rows, and the seconds."""
    options, classifier = job.options, job.classifier
    began = time.perf_counter()
    source: Any = iter(batches()) if batches.once else batches
    more: dict[str, Any] = dict(job.start)
    if options.classes is not None:
        more["classes"] = _parse_classes(options.classes)
    if options.checkpoint is not None:
        manifest = _manifest(options.sources)
        if options.holdout is not None:
            manifest.append(["--holdout", options.holdout])
        more |= {"checkpoint": options.checkpoint, "manifest": manifest}
        if os.path.exists(options.checkpoint):
            terminal.remark(f"going on from {options.checkpoint}")
    if options.every is not None:
        more["every"] = options.every
    # Of a model in a store among the temporary files.
    if storage.is_remote(options.output):
        made = make_temporary_folder("hardlimit-rows")
    else:
        made = make_folder(storage.local_path(options.output))
    with made as folder:
        cache = options.cache or os.path.join(folder, "rows")
        classifier.fit_stream(source, callback=callback, announce=_announce, cache=cache, **more)
    seconds = time.perf_counter() - began
    rows = batches.finish(classifier)
    for note in rows.notes:
        terminal.remark(note)
    return rows, seconds


def go_on(job: Job, batches: StreamedFiles) -> None:
    """Show an earlier model the batches, an epoch or more, and ask it the first rows again."""
    from hardlimit.classifiers.fitting.streamed.continuing import needs_look  # late: numpy

    began, before = time.perf_counter(), continued.counts(job.classifier)
    epochs = job.epochs or 1
    passes = ["count new terms"] * needs_look(job.classifier.fitted) + ["learn"] * epochs
    said = f"{terminal.plural(len(passes), 'pass', 'passes')} over the input"
    terminal.remark(f"{said} ({'; '.join(passes)})")
    first: list[tuple[Any, ...]] = []

    def taking_first() -> Iterator[tuple[Any, ...]]:
        first.clear()
        n_rows = 0
        for batch in batches():
            if n_rows < continued.MOST_ASKED:
                first.append(batch)
            n_rows += len(batch[1])
            yield batch

    made: Any = job.classifier
    source: Any = taking_first() if batches.once else taking_first
    made.partial_fit_stream(source, epochs=epochs)
    rows: Any = batches.finish(job.classifier)
    job.data, job.seconds = rows, time.perf_counter() - began
    for note in rows.notes:
        terminal.remark(note)
    asked = _joined(rows, first)
    job.continued = continued.measure(job.classifier, asked, epochs, before)


def _joined(rows: StreamedRows, batches: list[tuple[Any, ...]]) -> Labelled:
    """Return batches as the rows of one file."""
    examples = [batch[0] for batch in batches]
    labels = [label for batch in batches for label in batch[1]]
    return Labelled(
        rows.name,
        examples[0].joined(examples),
        labels,
        rows.layout,
        label_columns=rows.label_columns,
    )


def hold_out(
    options: TrainOptions, classifier: object, batches: StreamedFiles, rows: StreamedRows
) -> Labelled | None:
    """Return the rows that were held out; the probabilities are fitted to them, where asked for."""
    gathered = batches.gather_held_out()
    if gathered is None:
        return None
    held_out = gathered.rows(rows.name, batches.told, classifier)
    if options.probability:
        calibrate(classifier, held_out)
    return held_out
