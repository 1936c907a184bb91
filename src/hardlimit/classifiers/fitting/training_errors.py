"""The training errors of a fit that ended, and the smallest margin of the read-out that answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from hardlimit import readouts
from hardlimit.classifiers.model import geometry
from hardlimit.classifiers.model.choices import Default
from hardlimit.classifiers.model.model import Model, check_finite
from hardlimit.foundation.types import Array


class LearntRows(NamedTuple):
    """Rows that were learnt from, or some of them.

    targets : their class numbers (int32).      absent : whether each is not there; None: all are.
    """

    rows: Any
    targets: Array
    absent: Array | None = None


class TrainingErrors(NamedTuple):
    """What a look at rows that were learnt has found of the read-out that answers.

    least : the smallest geometric margin of each part; None of votes.
    """

    n: int
    least: tuple[float | None, ...] | None


def count_errors(model: Model, find: Callable[[Model], TrainingErrors | None]) -> None:
    """Count the training errors of the read-out that answers, and note its smallest margin.

    Where the fit reached its aim and nobody asked for a read-out, the one that answers makes no
    error: of the average and the last weights, the last where the average errs.

    find : looks at all rows; called twice at most.
    """
    _note(model, find(model))
    if errs_by_default(model):
        default = model.choices.readout
        model.answer_by("last")
        _note(model, find(model))
        if model.training_errors["last"] >= model.training_errors[default]:
            model.answer_by(default)


def _note(model: Model, found: TrainingErrors | None) -> None:
    if found is None:
        return
    readout = model.choices.readout
    model.training_errors[readout] = found.n
    if model.facts is not None and found.least is not None:
        model.facts.least[readout] = found.least


def errs_by_default(model: Model) -> bool:
    """Whether the last weights reached the aim, and the read-out that nobody asked for errs."""
    return may_give_way(model) and model.training_errors.get(model.choices.readout, 0) > 0


def may_give_way(model: Model) -> bool:
    """Whether the last weights reached the aim, and nobody asked for the read-out that answers."""
    choices = model.choices
    if model.outcome.stop_reason not in ("separated", "margin_reached"):
        return False
    return isinstance(choices.given.get("readout"), Default) and choices.readout != "last"


def find_errors(model: Model, learnt: Iterable[LearntRows], n_rows: int) -> TrainingErrors | None:
    """Return the errors of the read-out that answers; None of a vote that costs too much.

    learnt : all rows, in one or in several parts.      n_rows : how many they are.
    """
    choices, book = model.choices, model.classes
    # A vote on all training rows may cost more than the fit: an eighth of the limit at most.
    if model.answer.cost(n_rows) > readouts.VOTING_BUDGET // 8:
        return None
    n_errors, voted = 0, choices.readout == "voted"
    least = None if voted else geometry.LeastMargins(model)
    for rows, targets, absent in learnt:
        for block, scores in model.score_blocks(rows):
            wrong = book.find_errors(scores, model.threshold, targets[block])
            # Absent examples were not learnt, and are no mistakes.
            if absent is not None:
                wrong &= ~absent[block]
            n_errors += int(np.count_nonzero(wrong))
            if least is not None:
                left = None if absent is None else absent[block]
                least.look(block, scores, targets[block], left)
        if voted:  # signs, which are finite whatever the scores were
            check_finite(model.state.last_is_finite(rows))
    return TrainingErrors(n_errors, None if least is None else least.found)


def join_errors(parts: Sequence[TrainingErrors]) -> TrainingErrors:
    """Return the errors of all rows, of which each part has some.

    >>> join_errors([TrainingErrors(1, (0.5,)), TrainingErrors(2, (0.25,))])
    TrainingErrors(n=3, least=(0.25,))
    """
    least = [part.least for part in parts if part.least is not None]
    smallest = None
    if least:
        smallest = tuple(_smallest(each) for each in zip(*least, strict=True))
    return TrainingErrors(sum(part.n for part in parts), smallest)


def _smallest(margins: Sequence[float | None]) -> float | None:
    known = [margin for margin in margins if margin is not None]
    return min(known) if len(known) == len(margins) else None
