"""What a decision threshold is chosen for: few false positives, the best F1, the fewest errors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hardlimit.evaluation.best_threshold import threshold_for_accuracy, threshold_for_f1
from hardlimit.evaluation.threshold import (
    ThresholdChoice,
    describe_threshold,
    threshold_for_false_positives,
)
from hardlimit.exceptions import Given, InputError

if TYPE_CHECKING:
    from hardlimit.foundation.types import Array


@dataclass(frozen=True, slots=True)
class Goal:
    """What a threshold is chosen for: one of the three.

    max_false_positive : the share of the negatives that may be predicted positive at most, of all
    rows like these (with 95 % confidence), and not of these alone; of two classes only.
    max_f1 : the largest F1.    max_accuracy : the fewest errors.
    """

    max_false_positive: float | None = None
    max_f1: bool = False
    max_accuracy: bool = False

    @property
    def given(self) -> list[str]:
        """The names of what was asked for."""
        asked = (self.max_false_positive is not None, self.max_f1, self.max_accuracy)
        names = ("max_false_positive", "max_f1", "max_accuracy")
        return [name for name, is_asked in zip(names, asked, strict=True) if is_asked]

    def check(self) -> None:
        """Refuse none of them, and several."""
        if len(self.given) != 1:
            got = " and ".join(self.given) or "nothing"
            raise InputError(
                who="choose_threshold",
                got=Given(got),
                wanted="one of max_false_positive, max_f1 and max_accuracy",
            )


def choose_threshold(scores: Array, truth: Array, goal: Goal) -> ThresholdChoice:
    """Choose a threshold on held-out rows.

    Parameters
    ----------
    scores, truth
        As for `threshold_for_f1`.
    goal
        What for. A false-positive rate is kept with 95 % confidence: see
        `threshold_for_false_positives`.

    Returns
    -------
    ThresholdChoice
        Of several labels its counts are of all of them together.

    Raises
    ------
    InputError
        Not one goal but none or several; no row is positive, or none is negative.

    Examples
    --------
    >>> import numpy as np
    >>> scores, truth = np.array([-1.0, -0.5, 0.5, 2.0]), np.array([0, 1, 1, 1])
    >>> print(choose_threshold(scores, truth, Goal(max_accuracy=True)))
    threshold -0.75: 0 false positives among 1 negative (0.0000%), recall 1.0000, precision 1.0000
    """
    goal.check()
    flat, truth = scores.ravel(), truth.ravel() > 0
    if goal.max_false_positive is not None:
        return threshold_for_false_positives(
            flat.tolist(), truth.tolist(), goal.max_false_positive, confidence=0.95
        )
    best = threshold_for_f1 if goal.max_f1 else threshold_for_accuracy
    return describe_threshold(best(flat, truth), flat.tolist(), truth.tolist())
