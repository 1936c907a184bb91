"""Choosing the decision threshold of a model by rows that were not learnt from."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

from hardlimit.classifiers.targets import of_book

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
    asked = of_book(model.classes).sides(model.classes, scores, y, goal, positive)
    choice = evaluation.choose_threshold(asked.scores, asked.truth, goal)
    # 0 is what was learnt: no other number that decides alike.
    model.threshold = choice.threshold and evaluation.orient_threshold(
        asked.upwards, choice.threshold
    )
    return choice
