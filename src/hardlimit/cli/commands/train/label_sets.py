"""``hardlimit train --labels-separator``: several labels a text, a neuron for each."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import click

from hardlimit.cli import terminal
from hardlimit.cli.commands.train import thresholds
from hardlimit.cli.options import given_names
from hardlimit.exceptions import DataFormatError
from hardlimit.foundation.formatting import format_label, plural
from hardlimit.predictions.label_measuring import LabelReport

if TYPE_CHECKING:
    from hardlimit.cli.commands.train.command import TrainOptions
    from hardlimit.cli.commands.train.job import Job

# What is about one label a text.
_SINGLE = (*thresholds.OF_ONE_LABEL, "positive", "class_weight", "multiclass")


def refuse_options(options: TrainOptions) -> None:
    """Refuse what has no meaning where each label is learnt by itself."""
    if options.labels_separator is None:
        return
    for option in given_names(options, _SINGLE):
        raise click.UsageError(f"{option} does not go with several labels a text")


def check(job: Job) -> None:
    """Refuse rows of which none has a label, and options that an earlier model does not go with."""
    if not job.data.several:
        return
    for option in given_names(job.options, _SINGLE):
        raise click.UsageError(f"{option} does not go with several labels a text")
    if not job.data.counts:
        raise DataFormatError("no row has a label", where=job.data.name)


def warn_of_little_use(job: Job) -> None:
    """Warn of a model that is hardly better than always predicting the most frequent labels."""
    data, wrong = job.data, job.classifier.n_training_errors_
    rows = "training"
    if isinstance(job.report, LabelReport):
        assert job.held_out is not None  # they were measured
        data, wrong, rows = (
            job.held_out,
            job.report.figures.n - job.report.figures.exact,
            "held-out",
        )
    if wrong is None:
        return
    most, count = Counter(map(frozenset, data.labels)).most_common(1)[0]
    constant = len(data) - count
    # Nine tenths: a model that saves less than every tenth error has hardly learnt anything.
    if 10 * wrong > 9 * constant:
        named = " and ".join(sorted(repr(format_label(label)) for label in most)) or "no label"
        mistakes = plural(wrong, f"{rows} row has", f"{rows} rows have")
        terminal.remark(
            f"{job.options.output}: {mistakes} a label predicted wrongly, and always predicting "
            f"{named} would err on {constant:,}; look at the figures of each label, leave out the "
            "options that you are least sure of, or train longer"
        )
