"""``hardlimit train --stream``: rows that do not fit into memory, a few at a time."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from hardlimit.cli import outputs, terminal
from hardlimit.cli.commands.train import thresholds
from hardlimit.cli.commands.train.classifier import parse_class_weight
from hardlimit.cli.commands.train.job import TrainingJob, WayOfRows
from hardlimit.cli.commands.train.streamed_files import StreamedFiles
from hardlimit.cli.commands.train.streamed_holdout import HeldOutOfStream, calibrate
from hardlimit.exceptions import mask
from hardlimit.foundation import storage
from hardlimit.foundation.temporary_folder import make_folder, make_temporary_folder

if TYPE_CHECKING:
    from hardlimit.classifiers.fitting.streamed.memory import StreamPlan
    from hardlimit.classifiers.targets.spelled import Spelled
    from hardlimit.cli.commands.train.command import TrainOptions
    from hardlimit.cli.progress import Progress

# One pass over the input: features that need no counting, and no second look at a row.
FEATURES = {"hash": "20", "idf": "none"}
EPOCHS = 1


class Streamed(WayOfRows):
    """The rows come some at a time, and are read again for every pass."""

    def check(self, options: TrainOptions) -> None:
        """Refuse values of its own options, and files that would be overwritten."""
        if options.classes is not None:
            _parse_classes(options.classes)
        for option, path in (("--checkpoint", options.checkpoint), ("--cache", options.cache)):
            if path is None:
                continue
            outputs.refuse_inputs(path, *options.sources, option=option)
            if os.path.realpath(path) == os.path.realpath(options.output):
                raise click.UsageError(f"{option} {path} is the model too: name another file")
            outputs.check_writable(path)

    def defaults(self, options: TrainOptions) -> TrainOptions:
        """Return the options with features that need no pass of their own.

        Hashing keeps memory constant whatever the texts hold; 2^20 columns are 16 MB of weights
        and sums for two classes. Probabilities are fitted to the rows that are held out.
        """
        features = _features(options.features or "")
        changed = {"epochs": options.epochs or EPOCHS, "probability": None, "features": features}
        return type(options)(**{**options.__dict__, **changed})

    def open(self, job: TrainingJob) -> None:
        """Open the files; nothing is read yet, but the columns of a table."""
        options, share = job.options, thresholds.share_of(job.options)
        source = job.beginning.source()
        if source.read_whole:
            terminal.remark(
                f"{source.read_whole[0]}: a file of this format is read whole, so that memory "
                "grows with it; svmlight, CSV, ARFF, .npy, IDX, Parquet and Arrow are read some "
                "rows at a time"
            )
        if options.class_weight:
            weight = parse_class_weight(options.class_weight, None)
            job.classifier.set_params(class_weight=weight)
        self._batches = StreamedFiles(
            source,
            job.beginning.names if options.fold_labels else None,
            None if share is None else HeldOutOfStream(share),
            job.beginning.asked_again,
        )
        job.data = self._batches.rows

    def learn(self, job: TrainingJob, progress: Progress) -> None:
        """Learn from the batches; then gather the rows that were held out."""
        batches, began = self._batches, time.perf_counter()
        try:
            job.beginning.learn_in_batches(job, batches, progress, _asked(job.options))
        finally:
            job.data = batches.rows
        rows = batches.finish(job.classifier)
        job.seconds = time.perf_counter() - began
        for note in rows.notes:
            terminal.remark(note)
        thresholds.check_labels(job)
        job.beginning.ask_again(job, batches.first_rows())
        job.held_out = batches.gather_held_out(job.classifier)
        if job.held_out is not None and job.options.probability:
            calibrate(job.classifier, job.held_out)

    def learnt_so_far(self, job: TrainingJob) -> str:
        """Return what was learnt until an interruption: in the first pass so many rows."""
        outcome = job.classifier.fitted.outcome
        if outcome.progressive is None or outcome.history:
            return super().learnt_so_far(job)
        judges = max(1, len(job.classifier.fitted.state.state.corrections))
        return terminal.plural(outcome.progressive.judged // judges, "row")


@contextlib.contextmanager
def _asked(options: TrainOptions) -> Iterator[dict[str, Any]]:
    """Give what ``fit_stream`` is told beside the rows, with a place for its cache."""
    more: dict[str, Any] = {"announce": _announce}
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
        yield more | {"cache": options.cache or os.path.join(folder, "rows")}


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
