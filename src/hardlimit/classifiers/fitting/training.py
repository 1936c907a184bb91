"""The one frame of every fit: learn, fix the answer, note facts, count errors, hand over the model.

The rows may lie in memory, come in blocks of a stream or stay in shards of files. A :class:`Way`
presents them and looks at them again, and the frame never asks which way it is.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Protocol

from hardlimit.classifiers.fitting.training_errors import TrainingErrors, count_errors
from hardlimit.classifiers.model.choices import Choices
from hardlimit.classifiers.model.model import Model, freeze
from hardlimit.classifiers.model.parts import Facts
from hardlimit.classifiers.model.training import Training
from hardlimit.exceptions import ConvergenceWarning, Parameter, Setting, Text
from hardlimit.foundation import progress
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.package import caller_stacklevel
from hardlimit.learner import FitOutcome

Take = Callable[[Model], object]


class Way(Protocol):
    """Where the examples of a fit lie, and how they are learnt and looked at."""

    def learn(self, model: Model) -> None:
        """Learn for as long as the plan says; the model's outcome tells how it went."""

    def facts(self) -> Facts | None:
        """Return what was seen of the examples that were learnt; None where nobody notes it."""

    def counts(self, model: Model) -> bool:
        """Whether the training errors are counted: a look at all rows may cost too much."""
        return True

    def find_errors(self, model: Model) -> TrainingErrors | None:
        """Look at all rows with the read-out that answers; None of a vote that costs too much."""

    def place(self, row: int, presentations: int) -> str:
        """Say where a covariance collapsed: at this row, after so many presentations."""
        return f"at presentation {presentations}"

    def warn(self) -> None:
        """Warn of what was noticed of the examples."""


def train(model: Model, way: Way, take: Take) -> Model:
    """Learn, count the training errors, and say what went wrong without being an error.

    Parameters
    ----------
    model : of a training state that is to learn, without an answer
    take : called with the model as soon as there is one, also when the user interrupts: what was
        learnt until then stays
    """
    training = learn_whole(model, way, take)
    if training.may_collapse:
        row, presentations = training.state.collapse
        warn_collapsed(training, row, way.place(row, presentations))
    warn_unreached(model.choices, model.outcome)
    way.warn()
    return model


def learn_whole(model: Model, way: Way, take: Take) -> Training:
    """Learn and count; the model is taken whole, also after an interruption, or not at all.

    Return its training state.
    """
    training = model.state
    try:
        try:
            way.learn(model)
            progress.report("computing the weights that answer")
        except KeyboardInterrupt:
            # Freezing the weights of a large model takes longer than people wait for an answer.
            progress.report("interrupted: keeping what was learnt")
            raise
        finally:
            if training.state.presentations:
                model.frozen = freeze(training, model.choices)
                model.facts = way.facts()
        # Before the model is taken, since then other threads may learn with it.
        if way.counts(model):
            progress.report("counting the training errors")
            count_errors(model, way.find_errors)
    except MemoryError:
        # Half a fit is no model: the one before stays.
        model.frozen = None
        raise
    finally:
        # Also where the scores overflowed: that is an error of a model that is there.
        if model.frozen is not None:
            take(model)
    return training


def warn_collapsed(training: Training, row: int, where: str) -> None:
    """Warn once where a covariance became so small that a row could not be corrected any more."""
    if row < 0 or training.collapse_told:
        return
    training.collapse_told = True
    warnings.warn(
        ConvergenceWarning(
            f"the covariance collapsed {where}, since each correction makes the rule more certain "
            "and nothing limits it; rows of which it is certain are not corrected any more",
            who=training.rule.class_name,
            fix="the examples may not be separable: use a finite C, for example "
            "rules.SCW1(C=1), or fewer epochs",
        ),
        stacklevel=caller_stacklevel(),
    )


# Why what was asked for was not reached, and what to do.
UNREACHED: dict[str, tuple[str, Text]] = {
    "max_iter": (
        " in {epochs} ({mistakes} in the last)",
        ("the examples may not be separable, or need more epochs: raise ", Parameter("max_iter")),
    ),
    "settled": (
        ": settled after {epochs} with {mistakes}, since no example is left that could be "
        "corrected",
        "",
    ),
    "stalled": (
        ": stalled after {epochs} with {wrong} examples wrong, whose corrections cancel each other",
        (Setting("order", "shuffled"), " moves on"),
    ),
    "small_step": (
        ": stopped after {epochs} by a step shorter than theta ({mistakes} in the last)",
        "a smaller theta goes on",
    ),
    "cycling": (
        ": cycling after {epochs}, with period {period} ({corrections}), which proves that the "
        "examples are not separable ({mistakes} in the last)",
        ("use a kernel or a map, or ", Setting("readout", "averaged")),
    ),
}


def warn_unreached(choices: Choices, outcome: FitOutcome) -> None:
    """Warn where the user asked for an aim, and the fit ended before it was reached."""
    # The default aim gives way in silence: nobody asked for it.
    if not choices.until_asked or outcome.stop_reason in ("separated", "margin_reached"):
        return
    history = outcome.history
    period, corrections = outcome.cycle or (0, 0)
    wrong = history[-1].mistakes
    reason, fix = UNREACHED[outcome.stop_reason]
    why = reason.format(
        epochs=plural(len(history), "epoch"),
        wrong=wrong,
        mistakes=plural(wrong, "mistake"),
        period=period,
        corrections=plural(corrections, "correction"),
    )
    warnings.warn(
        ConvergenceWarning((Setting("until", choices.until), f" was not reached{why}"), fix=fix),
        stacklevel=caller_stacklevel(),
    )
