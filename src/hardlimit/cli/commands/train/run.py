"""The work of ``hardlimit train``: read, hold out, learn, measure, save."""

from __future__ import annotations

import contextlib
import functools
import os
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NoReturn, cast

import click

from hardlimit import describing, model_file
from hardlimit.classifiers import kind_of
from hardlimit.classifiers.model.ask import CLUSTER, COLUMNS, MEMORY, STREAM, Ask
from hardlimit.cli import (
    asking,
    errors,
    figures,
    json_output,
    judged_rows,
    label_columns,
    labelled_rows,
    models,
    new_rows,
    numeric_rows,
    outputs,
    signals,
    streams,
    tables,
    terminal,
)
from hardlimit.cli.choice_options import READOUTS, STREAMED
from hardlimit.cli.command import INTERRUPTED
from hardlimit.cli.commands.train import (
    clustered,
    comparison,
    continued,
    label_sets,
    provenance,
    streamed,
    summary,
    thresholds,
)
from hardlimit.cli.commands.train.classifier import (
    build_classifier,
    parse_class_weight,
    start_of,
)
from hardlimit.cli.commands.train.job import Job
from hardlimit.cli.commands.train.streamed_files import StreamedFiles
from hardlimit.cli.digests import TrainingFiles
from hardlimit.cli.label_reports import reports_of
from hardlimit.cli.options import LayoutSettings
from hardlimit.cli.progress import Progress, check_machine
from hardlimit.exceptions import (
    ColumnError,
    DataFormatError,
    InputError,
    NotFittedError,
)
from hardlimit.foundation.file_lock import holding
from hardlimit.foundation.formatting import format_label
from hardlimit.predictions.judges import Fitted
from hardlimit.sources.numbers import NAMED

if TYPE_CHECKING:
    from hardlimit.cli.commands.train.command import TrainOptions
    from hardlimit.cli.labelled_rows import Labelled
    from hardlimit.cli.models import Classifier

# A threshold chosen on the training rows would promise too much.
DEFAULT_HOLDOUT = 0.2


def run(options: TrainOptions) -> None:
    """Train as the options say, save the model, and print a summary."""
    thresholds.goal_of(options)
    # Training may take an hour; that the model cannot be saved is found out first.
    outputs.check_writable(options.output)
    outputs.refuse_inputs(options.output, *options.sources)
    several_columns = _has_columns_of_labels(options)
    ask = asking.ask_to_train(options, columns=several_columns)
    asking.refuse(ask)
    streamed.check(options)
    check_machine(options.progress, options.cluster, *options.sources)
    with _held(options), _input_of(options, ask) as options:
        learn = _train if ask.way == MEMORY else _learn_in_passes
        job = learn(options, ask)
    summary.warn_of_little_use(job)
    if options.as_json:
        json_output.print_json(summary.to_json(job))
    else:
        summary.show(job)


def _has_columns_of_labels(options: TrainOptions) -> bool:
    """Whether rows of numbers have several columns of labels, or an earlier model knows such."""
    if options.train_from is not None:
        models.require(options.train_from)
        # By its header, before it is loaded.
        return kind_of(model_file.open(options.train_from)).targets == COLUMNS
    # Of texts the labels stand in one column, whose name may have a comma.
    return options.labels_separator is None and bool(label_columns.split_names(options.label))


@contextlib.contextmanager
def _input_of(options: TrainOptions, ask: Ask) -> Iterator[TrainOptions]:
    """Give the options of rows that can be gone through as often as this training does."""
    if not ask.piped:
        yield options
        return
    is_table = tables.settle(options, options.layout) is not None
    again = is_table or "train_from" in ask.asked
    if ask.way == CLUSTER or (ask.way == STREAM and again):
        from hardlimit.cli.copied_input import copied_input  # start-up: few trainings need it

        with copied_input(options) as copied:
            yield copied
        return
    with streams.hashed_input():
        yield options


@contextlib.contextmanager
def _held(options: TrainOptions) -> Iterator[None]:
    """Hold a model that is read and written, so that of two trainings none undoes the other."""
    path, earlier = options.output, options.train_from
    if not earlier or os.path.realpath(path) != os.path.realpath(earlier):
        yield
        return
    waiting = functools.partial(
        terminal.remark, f"{path} is being trained by another process; waiting for it to end"
    )
    with holding(path, waiting):
        yield


def _train(options: TrainOptions, ask: Ask) -> Job:
    """Read, learn, measure and save."""
    files = TrainingFiles(options.sources)
    start: dict[str, Any] = {}
    if options.train_from:
        classifier = continued.load_earlier(options, ask)
    else:
        settings, is_numeric, ask = _detect(options, ask)
        classifier = build_classifier(options, ask)
        _note_lost(options, classifier, ask)
        start = start_of(options, is_numeric)
    # Once unless asked: the earlier rows cannot be shown again beside the new ones.
    epochs = (options.epochs or 1) if options.train_from else None
    with Progress(epochs or classifier.max_iter) as progress:
        progress.stage("reading")
        if options.train_from:
            data = judged_rows.read(Fitted(classifier), options.sources, options.layout)
        else:
            data = _read_new(options, classifier, settings, is_numeric)
        # Behind the reading, and before hours of learning.
        files.take_digest()
        job = Job(options, files, classifier, data, epochs, start)
        label_sets.check(job, ask)
        _check_positive(job)
        labelled_rows.note_rare(job.data)
        _hold_out(job)
        if options.class_weight:
            # Only now: which labels there are is known from the rows.
            weight = parse_class_weight(options.class_weight, job.data.counts)
            classifier.set_params(class_weight=weight)
        try:
            _learn(job, progress)
            _measure(job, progress)
        # Ctrl-C is how people end a training that is good enough: it must not lose the work.
        except KeyboardInterrupt as ended:
            # At once: writing a large model takes longer than people wait for an answer.
            progress.stage(
                f"interrupted: keeping the model so far in {options.output} (Ctrl-C again leaves "
                "without it)"
            )
            _save_interrupted(job, ended)
        _save(job)
    return job


def _continue_in_passes(options: TrainOptions, ask: Ask) -> Job:
    """Show an earlier model rows that are never all in memory, and save it."""
    files = TrainingFiles(options.sources)
    classifier = continued.load_earlier(options, ask)
    judge = Fitted(classifier)
    batches = StreamedFiles(judged_rows.source_of(judge, options.sources, options.layout))
    streamed.divide(options, batches, judge.classes)
    epochs = options.epochs or 1
    job = Job(options, files, classifier, cast("Any", batches.rows), epochs)
    job.classifier = continued.take_readout(job.classifier, options)
    with Progress(epochs) as progress:
        try:
            streamed.go_on(job, batches)
        except KeyboardInterrupt as ended:
            job.data = cast("Any", batches.rows)
            _save_interrupted(job, ended)
        _check_positive(job)
        _remember(job, files.take_digest(batches.rows.digests))
        job.held_out = streamed.hold_out(options, job.classifier, batches, batches.rows)
        _measure(job, progress)
        _save(job)
    return job


def _continue_in_shards(options: TrainOptions, ask: Ask) -> Job:
    """Let a cluster show an earlier model rows, and save it."""
    files = TrainingFiles(options.sources)
    classifier = continued.take_readout(continued.load_earlier(options, ask), options)
    source = judged_rows.source_of(Fitted(classifier), options.sources, options.layout)
    shards = clustered.Shards(options, source, classifier, _part_held_out(options))
    epochs = options.epochs or 1
    job = Job(options, files, classifier, cast("Any", shards.rows), epochs)
    shards.check_labels = functools.partial(_check_positive, job)
    with Progress(epochs, machine=options.progress) as progress:
        try:
            clustered.go_on(job, shards)
        except KeyboardInterrupt as ended:
            _save_interrupted(job, ended)
        _remember(job, files.take_digest(shards.rows.digests))
        job.held_out = shards.measured
        _measure(job, progress)
        _save(job)
    return job


def _learn_in_passes(options: TrainOptions, ask: Ask) -> Job:
    """Learn from rows that are never all in memory, and save."""
    if options.train_from:
        go_on = _continue_in_shards if options.cluster else _continue_in_passes
        return go_on(options, ask)
    files = TrainingFiles(options.sources)
    settings, is_numeric, ask = _detect(options, ask)
    if options.cluster:
        classifier = build_classifier(options, ask)
        source = new_rows.source_of(options, settings, is_numeric=is_numeric)
        passes: Any = clustered.Shards(options, source, classifier, _part_held_out(options))
    else:
        classifier = streamed.build(options, ask)
        passes = streamed.open_batches(options, settings, is_numeric, classifier)
    _note_lost(options, classifier, ask)
    learn: Any = clustered.learn if options.cluster else streamed.learn
    start = start_of(options, is_numeric)
    job: Any = Job(options, files, classifier, cast("Any", passes.rows), None, start)
    if options.cluster:
        passes.check_labels = functools.partial(_check_positive, job)
    with Progress(classifier.max_iter, machine=options.progress) as progress:
        progress.stage("reading")
        try:
            job.data, job.seconds = learn(job, passes, progress)
        except KeyboardInterrupt as ended:
            job.data = passes.rows
            progress.stage(
                f"interrupted: keeping the model so far in {options.output} (Ctrl-C again leaves "
                "without it)"
            )
            _save_interrupted(job, ended)
        _check_positive(job)
        _remember(job, files.take_digest(job.data.digests))
        if options.stream:
            job.held_out = streamed.hold_out(options, classifier, passes, job.data)
            _measure(job, progress)
        elif options.cluster:
            job.held_out = passes.measured
            _measure(job, progress)
        _save(job)
    made: Job = job
    return made


def _detect(options: TrainOptions, ask: Ask) -> tuple[LayoutSettings, bool, Ask]:
    """Return how the file is read, whether it holds numbers, and what is asked of its rows.

    A mixed table has numbers and texts.
    """
    settings, is_numeric = tables.find_kind(options, options.layout, options.features)
    is_table = bool(settings.get("table"))
    features = asking.features_of(options, is_numeric=is_numeric, is_table=is_table)
    ask = replace(ask, features=features)
    asking.refuse(ask)
    return settings, is_numeric, ask


def _read_new(
    options: TrainOptions, classifier: Classifier, settings: LayoutSettings, is_numeric: bool
) -> Labelled:
    """Read the rows of a new model; of a file that nearly holds numbers, say what it lacks."""
    try:
        return new_rows.read(classifier, options, settings, is_numeric=is_numeric)
    except (ColumnError, DataFormatError) as error:
        # Said or seen to be texts or a table: then numbers are no likely explanation.
        if is_numeric or {"format", "text", "table"} & settings.keys():
            raise
        hint = _hint_at_numbers(options.source, settings)
        raise click.ClickException(errors.sentence(error) + hint) from None


def _hint_at_numbers(source: str, settings: LayoutSettings) -> str:
    """Say why a file of texts is not read as numbers, where it nearly is one."""
    if source == "-":
        return "; if these are numbers, add --format svmlight or --format numeric-csv"
    word = numeric_rows.find_word(source, settings.get("label"))
    if not word:
        return ""
    return f"; it is not read as numbers because of {word}: remove that, or add --text"


def _note_lost(options: TrainOptions, classifier: Classifier, ask: Ask) -> None:
    """Note read-outs that the model file would not hold."""
    # On held-out rows all are compared, so that none was kept in vain.
    if _part_held_out(options) is not None:
        return
    chosen = classifier.resolve_parameters(rule_known=False, ask=ask)
    lost = [name for name in chosen.kept if name in READOUTS and name not in STREAMED]
    lost = [name for name in lost if name != chosen.readout]
    if lost:
        terminal.remark(
            f"--keep: the file holds the read-out that answers, and not {', '.join(lost)}; with "
            "--holdout 0.2 all of them are measured and compared"
        )


def _check_positive(job: Job) -> None:
    """Refuse a class that is not there, and a threshold that has no meaning, before hours."""
    thresholds.check(job)
    there = [format_label(label) for label in job.data.counts]
    if job.options.positive is not None and job.options.positive not in there:
        raise click.UsageError(
            f"--positive: no class {job.options.positive!r}; the file has {', '.join(there[:20])}"
        )


def _hold_out(job: Job) -> None:
    """Hold rows out when asked to, or when a threshold is to be chosen on them."""
    part = _part_held_out(job.options)
    if part is not None:
        job.data, job.held_out = figures.split(job.data, part)


def _part_held_out(options: TrainOptions) -> float | None:
    """Return which part of the rows is held out; None: none are."""
    chosen = thresholds.goal_of(options) is not None
    return DEFAULT_HOLDOUT if options.holdout is None and chosen else options.holdout


def _learn(job: Job, progress: Progress) -> None:
    data = job.data
    began = time.perf_counter()
    progress.stage(f"learning from {terminal.plural(len(data), 'row')}")
    if job.epochs is not None:
        job.classifier = continued.take_readout(job.classifier, job.options)
    classifier = job.classifier
    before = continued.counts(classifier) if job.epochs else (0, 0)
    try:
        if job.epochs is None:
            more = {**job.start, **_weights(data)}
            classifier.fit(data.examples, data.targets, callback=progress, **more)
        for epoch in range(job.epochs or 0):
            progress.stage(f"epoch {epoch + 1} of {job.epochs}")
            classifier.partial_fit(data.examples, data.targets, **_weights(data))
    except InputError as error:
        raise numeric_rows.locate(error, data) from None
    job.seconds = time.perf_counter() - began
    if job.epochs:
        job.continued = continued.measure(classifier, data, job.epochs, before)
    vectorizer = getattr(classifier, "vectorizer_", None)  # numbers have none
    if vectorizer is not None and vectorizer.n_replaced_:
        count = terminal.plural(vectorizer.n_replaced_, "byte is", "bytes are")
        terminal.remark(f"{data.name}: {count} not valid UTF-8, replaced by U+FFFD")
    _remember(job, job.files.take_digest())


def _weights(data: Labelled) -> dict[str, Any]:
    return {"sample_weight": data.weights} if data.weights else {}


def _remember(job: Job, digest: dict[str, Any] | None) -> None:
    """Store with the model how its files were read, their digest and the rows of each class."""
    metadata = job.classifier.metadata
    columns = (job.data.to_remember() or {}).get("columns")
    if columns:  # so that a table with other names is refused in Python too
        job.classifier.fitted.feature_names = tuple(columns)
    layout = job.data.to_remember()
    if layout is not None and layout.get("format") == NAMED:
        layout = {name: value for name, value in layout.items() if name != "columns"}
    if layout is not None:
        metadata[describing.LAYOUT] = layout
    if job.data.label_columns:
        metadata[label_columns.NAMES] = list(job.data.label_columns)
    _count_classes(job)
    provenance.remember(metadata, digest, job.options.note)
    # Of the earlier training: of this model it is no longer true.
    metadata.pop(describing.HELD_OUT, None)
    if job.options.positive is not None:
        metadata[describing.POSITIVE] = job.options.positive


def _count_classes(job: Job) -> None:
    """Store how often each class occurred in all trainings; nothing if that is not known."""
    metadata = job.classifier.metadata
    new = job.data.kind.to_remember(job.data.counts)
    # The weights remember the rows of before too; a model fitted in Python has not counted them.
    if new is None or (job.epochs is not None and describing.COUNTS not in metadata):
        return
    counts = {label: n for label, n in metadata.get(describing.COUNTS, [])}
    for label, n in new.items():
        counts[label] = counts.get(label, 0) + n
    metadata[describing.COUNTS] = [
        [json_output.label_to_json(label), n] for label, n in counts.items()
    ]


def _save_interrupted(job: Job, ended: KeyboardInterrupt) -> NoReturn:
    """Save what was learnt so far, say so, and leave."""
    output = job.options.output
    try:
        _ = job.classifier.fitted  # before files are read for their digest
        known = getattr(job.data, "digests", None)  # of rows that were streamed
        # Files of a cluster may be larger than anybody waits for.
        _remember(job, None if job.options.cluster else job.files.take_digest_if_same(known))
        _save(job)
    except NotFittedError:
        said = f"interrupted before anything was learnt; {output} was not written"
    else:
        epochs = terminal.plural(job.classifier.n_iter_, describing.epoch_name(job.classifier))
        if job.options.stream:
            epochs = streamed.interrupted_after(job.classifier)
        said = f"interrupted after {epochs}; the model so far was written: {output}"
    terminal.error(signals.with_notes(said, ended))
    raise click.exceptions.Exit(INTERRUPTED)


def _measure(job: Job, progress: Progress) -> None:
    held_out, classifier, options = job.held_out, job.classifier, job.options
    if held_out is None:
        return
    progress.stage("measuring on the held-out rows")
    # Before a threshold is chosen, which would favour the read-out that answers.
    if options.keep is not None:
        job.compared = comparison.compare(classifier, held_out)
    thresholds.choose(job)
    try:
        judge = Fitted(classifier)
        job.report = reports_of(judge).measure(judge, held_out, options.positive)
    except InputError as error:  # votes that cost too much are no reason to lose the model
        terminal.remark(errors.sentence(error))
        return
    classifier.metadata[describing.HELD_OUT] = {
        "rows": len(held_out),
        "accuracy": job.report.accuracy,
    }


def _save(job: Job) -> None:
    job.classifier.save(job.options.output, training_state=not job.options.slim)
