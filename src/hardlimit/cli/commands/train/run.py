"""The run of ``hardlimit train``, in the order of its stays; each has a file."""

from __future__ import annotations

import contextlib
import functools
import os
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, NoReturn

import click

from hardlimit import describing
from hardlimit.classifiers.model.ask import CLUSTER, MEMORY, STREAM, Ask
from hardlimit.cli import (
    asking,
    errors,
    json_output,
    numeric_rows,
    outputs,
    signals,
    streams,
    tables,
    terminal,
)
from hardlimit.cli.command import INTERRUPTED
from hardlimit.cli.commands.train import comparison, provenance, summary, thresholds
from hardlimit.cli.commands.train.classifier import NewModel
from hardlimit.cli.commands.train.clustered import Clustered
from hardlimit.cli.commands.train.continued import EarlierModel
from hardlimit.cli.commands.train.in_memory import InMemory
from hardlimit.cli.commands.train.job import TrainingJob, WayOfRows
from hardlimit.cli.commands.train.streamed import Streamed
from hardlimit.cli.digests import TrainingFiles
from hardlimit.cli.label_reports import reports_of
from hardlimit.cli.progress import Progress, check_machine
from hardlimit.exceptions import InputError, NotFittedError
from hardlimit.foundation.file_lock import holding
from hardlimit.predictions.answerers import Fitted

if TYPE_CHECKING:
    from hardlimit.cli.commands.train.command import TrainOptions

WAYS: Mapping[str, Callable[[], WayOfRows]] = {
    MEMORY: InMemory,
    STREAM: Streamed,
    CLUSTER: Clustered,
}


def run(options: TrainOptions) -> None:
    """Train as the options say, save the model, and print a summary."""
    thresholds.goal_of(options)
    # Training may take an hour; that the model cannot be saved is found out first.
    outputs.check_writable(options.output)
    outputs.refuse_inputs(options.output, *options.sources)
    ask = asking.ask_to_train(options)
    asking.refuse(ask)
    way = WAYS[ask.way]()
    way.check(options)
    check_machine(options.progress, options.cluster, *options.sources)
    begin = NewModel if options.train_from is None else EarlierModel
    with _held(options), _input_of(options, ask) as options:
        files = TrainingFiles(options.sources)
        job = _train(TrainingJob(options, files, begin(options, ask, way)), way)
    summary.warn_of_little_use(job)
    if options.as_json:
        json_output.print_json(summary.to_json(job))
    else:
        summary.show(job)


def _train(job: TrainingJob, way: WayOfRows) -> TrainingJob:
    """Read, hold out, learn, measure and save."""
    output = job.options.output
    with Progress(job.beginning.epochs, machine=job.options.progress) as progress:
        progress.stage("reading")
        way.open(job)
        try:
            way.learn(job, progress)
            # Before the measurement: its baseline is what was frequent in training.
            _remember(job, job.files.take_digest(job.data.digests))
            _measure(job, progress)
        except InputError as error:
            raise numeric_rows.locate(error, job.data) from None
        # Ctrl-C is how people end a training that is good enough: it must not lose the work.
        except KeyboardInterrupt as ended:
            # At once: writing a large model takes longer than people wait for an answer.
            progress.stage(
                f"interrupted: keeping the model so far in {output} (Ctrl-C again leaves "
                "without it)"
            )
            _save_interrupted(job, way, ended)
        _save(job)
    return job


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


def _measure(job: TrainingJob, progress: Progress) -> None:
    """Measure the model on the rows that were held out."""
    held_out, options = job.held_out, job.options
    if held_out is None:
        return
    progress.stage("measuring on the held-out rows")
    # Before a threshold is chosen, which would favour the read-out that answers.
    if options.keep is not None:
        job.compared = comparison.compare(job.classifier, held_out)
    thresholds.choose(job, held_out)
    try:
        answerer = Fitted(job.classifier)
        job.report = reports_of(answerer).measure(answerer, held_out, options.positive)
    except InputError as error:  # votes that cost too much are no reason to lose the model
        terminal.remark(errors.sentence(error))


def _remember(job: TrainingJob, digest: provenance.Digest | None) -> None:
    """Let the model know its rows, once."""
    if not job.remembered:
        is_first, note = job.options.train_from is None, job.options.note
        provenance.remember(job.classifier, job.data, digest, note, is_first=is_first)
        job.remembered = True


def _save(job: TrainingJob) -> None:
    """Write the model, which knows how well it answers the rows that were held out."""
    classifier, options = job.classifier, job.options
    metadata = classifier.metadata
    # Of the earlier training: of this model it is no longer true.
    metadata.pop(describing.HELD_OUT, None)
    if options.positive is not None:
        metadata[describing.POSITIVE] = options.positive
    if job.held_out is not None and job.report is not None:
        measured = {"rows": len(job.held_out), "accuracy": job.report.accuracy}
        metadata[describing.HELD_OUT] = measured
    classifier.save(options.output, training_state=not options.slim)


def _save_interrupted(job: TrainingJob, way: WayOfRows, ended: KeyboardInterrupt) -> NoReturn:
    """Save what was learnt so far, say so, and leave."""
    output = job.options.output
    try:
        _ = job.classifier.fitted  # before files are read for their digest
        _remember(job, way.digest_so_far(job))
        _save(job)
        said = f"interrupted after {way.learnt_so_far(job)}; the model so far was written: {output}"
    except NotFittedError:
        said = f"interrupted before anything was learnt; {output} was not written"
    terminal.error(signals.with_notes(said, ended))
    raise click.exceptions.Exit(INTERRUPTED)
