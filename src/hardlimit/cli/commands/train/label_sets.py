"""``hardlimit train --labels-separator``: several labels a text, a neuron for each."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import click

from hardlimit import evaluation
from hardlimit.cli import terminal
from hardlimit.cli.options import given_names
from hardlimit.exceptions import DataFormatError
from hardlimit.foundation.formatting import format_label, plural
from hardlimit.predictions.label_measuring import LabelReport

if TYPE_CHECKING:
    from hardlimit.cli.commands.train.command import TrainOptions
    from hardlimit.cli.commands.train.job import Job

# What is about one label a text.
_SINGLE = ("max_false_positive", "positive", "class_weight", "multiclass")


def refuse_options(options: TrainOptions) -> None:
    """Refuse what has no meaning where each label is learnt by itself."""
    if options.labels_separator is None:
        return
    for option in given_names(options, _SINGLE):
        raise click.UsageError(f"{option} does not go with several labels a text")


def require_several(options: TrainOptions) -> None:
    """Refuse what is for several labels a row, where each has one."""
    if options.max_f1 and options.labels_separator is None:
        raise click.UsageError("--max-f1 is for several labels a text: --labels-separator")


def check(job: Job) -> None:
    """Refuse rows of which none has a label, and options that an earlier model does not go with."""
    if not job.data.several:
        require_several(job.options)
        return
    for option in given_names(job.options, _SINGLE):
        raise click.UsageError(f"{option} does not go with several labels a text")
    if not job.data.counts:
        raise DataFormatError("no row has a label", where=job.data.name)


def choose_threshold(job: Job) -> None:
    """Set the threshold of all labels to the one of the largest micro-F1 on the held-out rows."""
    import numpy as np  # late, as all that is asked for by few

    assert job.held_out is not None  # held out for this
    classifier: Any = job.classifier
    scores = classifier.decision_function(job.held_out.examples)
    places = {label: place for place, label in enumerate(classifier.classes_.tolist())}
    truth = np.zeros(scores.shape, bool)
    for row, labels in zip(truth, job.held_out.labels, strict=True):
        row[[places[label] for label in labels if label in places]] = True
    classifier.threshold_ = evaluation.threshold_for_f1(scores, truth)


def show_threshold(job: Job) -> None:
    """Print the threshold that was chosen."""
    terminal.heading("Decision threshold of all labels, chosen on the held-out rows")
    terminal.facts(
        [
            ("threshold", f"{job.classifier.threshold_:.4g}, instead of 0"),
            (
                "note",
                "the figures above were measured on the same rows and are a little too good; "
                "measure on other rows with 'hardlimit evaluate'",
            ),
        ]
    )


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
    # Nine tenths: a model that saves less than every tenth error has hardly learned anything.
    if 10 * wrong > 9 * constant:
        named = " and ".join(sorted(repr(format_label(label)) for label in most)) or "no label"
        mistakes = plural(wrong, f"{rows} row has", f"{rows} rows have")
        terminal.remark(
            f"{job.options.output}: {mistakes} a label predicted wrongly, and always predicting "
            f"{named} would err on {constant:,}; look at the figures of each label, leave out the "
            "options that you are least sure of, or train longer"
        )
