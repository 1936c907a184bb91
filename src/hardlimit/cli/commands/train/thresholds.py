"""The decision threshold that ``hardlimit train`` chooses on held-out rows."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from hardlimit.cli import terminal
from hardlimit.cli.commands.train.job import ChosenThreshold
from hardlimit.cli.json_output import Json
from hardlimit.cli.label_reports import reports_of
from hardlimit.cli.option_words import given_names, option_named
from hardlimit.evaluation import Goal
from hardlimit.foundation.formatting import format_label, plural
from hardlimit.predictions.answerers import Fitted

if TYPE_CHECKING:
    from hardlimit.cli.commands.train.command import TrainOptions
    from hardlimit.cli.commands.train.job import TrainingJob
    from hardlimit.cli.labelled_rows import Labelled

# A threshold chosen on the training rows would promise too much.
DEFAULT_HOLDOUT = 0.2
# What a threshold may be chosen for: one of them.
NAMES = ("max_false_positive", "max_f1", "max_accuracy")
# Those that speak of the single class that a row is predicted to have.
OF_ONE_LABEL = NAMES[:1]


def goal_of(options: TrainOptions) -> Goal | None:
    """Return what a threshold is chosen for; None if none is."""
    given = given_names(options, NAMES)
    if len(given) > 1:
        raise click.UsageError(f"{given[0]} and {given[1]} each choose the threshold: give one")
    if not given:
        return None
    return Goal(options.max_false_positive, bool(options.max_f1), bool(options.max_accuracy))


def share_of(options: TrainOptions) -> float | None:
    """Return which part of the rows is held out: also where a threshold is to be chosen on them."""
    chosen = goal_of(options) is not None
    return DEFAULT_HOLDOUT if options.holdout is None and chosen else options.holdout


def check_labels(job: TrainingJob) -> None:
    """Refuse labels that cannot be learnt as asked, as soon as all of them are known."""
    data, positive = job.data, job.options.positive
    goal, counts = goal_of(job.options), data.counts
    data.kind.check(counts, data.name)
    if goal is not None and not data.kind.has_threshold(len(counts)):
        option = option_named(goal.given[0])
        more = "" if goal.given[0] in OF_ONE_LABEL else " or several labels (--labels-separator)"
        raise click.UsageError(f"{option}: only with two classes{more}; there are {len(counts)}")
    there = [format_label(label) for label in counts]
    if positive is not None and positive not in there:
        raise click.UsageError(
            f"--positive: no class {positive!r}; the file has {', '.join(there[:20])}"
        )


def choose(job: TrainingJob, held_out: Labelled) -> None:
    """Set the threshold by the held-out rows, if one was asked for."""
    goal = goal_of(job.options)
    if goal is None:
        return
    classes = job.classifier.classes_.tolist()
    positive = reports_of(Fitted(job.classifier)).positive_of(classes, job.options.positive)
    known = held_out.kind.leave_known(held_out.labels, set(classes))
    choice = job.classifier.choose_threshold(
        held_out.examples,
        held_out.kind.learnable(known),
        max_false_positive=goal.max_false_positive,
        max_f1=goal.max_f1,
        max_accuracy=goal.max_accuracy,
        positive=positive,
    )
    if choice.warning:
        terminal.remark(choice.warning)
    job.threshold = ChosenThreshold(goal, choice, positive)


def show(threshold: ChosenThreshold) -> None:
    """Print how the decision threshold was chosen."""
    goal, choice, point = threshold.goal, threshold.choice, threshold.choice.point
    several = threshold.positive is None
    of_all = " of all labels" if several else ""
    terminal.heading(
        f"Decision threshold{of_all}, chosen on the held-out rows and kept in the model"
    )
    positive = f"'{format_label(threshold.positive)}'"
    if goal.max_false_positive is not None:
        asked = (
            f"false positive rate: at most {goal.max_false_positive:.3%} of the others, of new "
            f"rows too with {choice.confidence:.0%} confidence"
        )
    elif goal.max_f1:
        asked = "the largest micro-F1" if several else f"the largest F1 of {positive}"
    else:
        asked = "the fewest errors"
    what = "labels" if several else positive
    negatives = plural(choice.negatives, "other")
    if several:
        absent = ("label that is not there", "labels that are not there")
        negatives = plural(choice.negatives, *absent)
    reached = f"{point.false_positives:,} of {negatives}"
    moved = "instead of 0" if choice.threshold else "as without: no other is better"
    terminal.facts(
        [
            ("asked for", asked),
            ("threshold", f"{choice.threshold:.4g}: {what} predicted above it, {moved}"),
            ("reached", f"{reached} ({point.false_positive_rate:.2%}) predicted all the same"),
            ("recall", f"{point.recall:.2%} of the {choice.positives:,} {what} are found"),
            (
                "note",
                "the figures above were measured on the same rows and are somewhat too good; "
                "measure on other rows with 'hardlimit evaluate'",
            ),
        ]
    )


def to_json(threshold: ChosenThreshold) -> Json:
    """Return a chosen threshold as JSON."""
    choice = threshold.choice
    return {
        "goal": threshold.goal.given[0],
        "positive": threshold.positive,
        "max_false_positive": choice.max_rate,
        "confidence": choice.confidence,
        "negatives": choice.negatives,
        "positives": choice.positives,
        "warning": choice.warning,
        **asdict(choice.point),
    }
