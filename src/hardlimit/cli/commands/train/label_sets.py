"""``hardlimit train --labels-separator``: several labels a text, a neuron for each."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from hardlimit.classifiers.model.ask import Ask
from hardlimit.cli import asking, terminal
from hardlimit.foundation.formatting import format_label, plural
from hardlimit.predictions.label_measuring import LabelReport

if TYPE_CHECKING:
    from hardlimit.cli.commands.train.job import Job


def check(job: Job, ask: Ask) -> None:
    """Refuse rows of which none has a label, and what does not go with lists of labels."""
    asking.refuse(replace(ask, targets=job.data.kind.targets))
    job.data.kind.check(job.data.counts, job.data.name)


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
    most, count = Counter(frozenset(data.kind.named(row)) for row in data.labels).most_common(1)[0]
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
