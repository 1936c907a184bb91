"""Choosing the decision threshold of a model by rows that were not learnt from."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

import numpy as np

from hardlimit.classifiers.model.labels import as_list
from hardlimit.classifiers.targets import read_labels
from hardlimit.exceptions import Given, InputError
from hardlimit.foundation.formatting import plural

if TYPE_CHECKING:
    from hardlimit.classifiers.model.model import Model
    from hardlimit.evaluation import Goal, ThresholdChoice
    from hardlimit.foundation.types import Array, Targets


def choose_threshold(
    model: Model, scores: Array, y: Targets, goal: Goal, positive: Hashable = None
) -> ThresholdChoice:
    """Give the model the threshold that its scores and the labels of these rows suggest.

    scores : (n_rows,), of several labels (n_rows, n_labels).    positive : of two classes; None:
    the second.
    """
    from hardlimit import evaluation  # start-up: few choose a threshold

    goal.check()
    classes: Any = model.classes
    if classes.many:
        if goal.max_false_positive is not None or positive is not None:
            name = "positive" if goal.max_false_positive is None else "max_false_positive"
            raise _refuse(name, "several labels a row")
        labels: Any = read_labels(len(scores), y, classes)
        choice = evaluation.choose_threshold(scores, labels.truth, goal)
        model.threshold = choice.threshold
        return choice
    if len(classes) != 2:
        raise _refuse(goal.given[0], plural(len(classes), "class", "classes"))
    first, second = classes.numbers
    if positive not in (None, first, second):
        wanted = f"{first!r} or {second!r}"
        raise InputError(parameter="positive", got=positive, wanted=wanted)
    # A model's score grows towards its second class.
    is_second = positive in (None, second)
    given = as_list(y)
    if len(given) != len(scores):
        raise InputError(
            parameter="labels", got=len(given), wanted=f"{len(scores)}, one an example"
        )
    # Labels that the model does not know have no side, and count in neither.
    known = [place for place, label in enumerate(given) if label in classes.numbers]
    truth = np.array([given[place] == (second if is_second else first) for place in known], bool)
    choice = evaluation.choose_threshold(scores[known] * (1 if is_second else -1), truth, goal)
    # 0 is what was learnt: no other number that decides alike.
    model.threshold = choice.threshold and evaluation.orient_threshold(is_second, choice.threshold)
    return choice


def _refuse(name: str, what: str) -> InputError:
    return InputError(
        who="choose_threshold",
        parameter=name,
        got=Given(f"a model of {what}"),
        wanted="two classes",
    )
