"""Cycling runs: weights that come back bring everything back that followed them."""

from __future__ import annotations

import numbers
from typing import Any

from hardlimit.foundation.exact_numbers import Vector
from hardlimit.schedules.constant import Constant
from hardlimit.textbook.learner import Learner
from hardlimit.textbook.plan import Presentation
from hardlimit.theory.cycling import Cycle, KeptEpochs, bits_of, forgets, is_steady, step_of


class RoundWatch:
    """Compares the weights after each epoch with those kept after epoch 0, 1, 2, 4, 8, ..."""

    def __init__(self, w: Vector) -> None:
        self._kept = w
        self._checkpoints = KeptEpochs()

    def look(self, w: Vector, epoch: int, corrections: int) -> Cycle | None:
        """The period, if these weights are those that are kept."""
        past = self._checkpoints
        past.corrections += corrections
        if past.corrections and w == self._kept:
            return past.period(epoch)
        if epoch == past.due:
            past.keep(epoch)
            self._kept = w
        return None


def make_rounds(learner: Learner, plan: Presentation) -> RoundWatch | None:
    """Return what sees that a run goes round; None where it cannot, or where sums are rounded."""
    # Only in a fixed order is an epoch determined by the weights before it.
    if plan.until != "separated" or plan.order is not None or learner.knows_examples:
        return None
    schedule = learner.schedule
    # A plain number is a constant schedule.
    steady = isinstance(schedule, numbers.Real) or is_steady(schedule)
    if not (forgets(learner.rule) and steady and sums_are_exact(learner)):
        return None
    return RoundWatch(learner.w)


def sums_are_exact(learner: Learner) -> bool:
    """Whether a correction is added without rounding.

    Fractions always are; floats where they are multiples of ``2^-20`` and all steps are equal.
    """
    ex = learner.examples
    # Fractions and ints have no rounding.
    if not any(isinstance(value, float) for row in ex.rows for value in row):
        return True
    schedule: Any = learner.schedule
    schedule = schedule.value if type(schedule) is Constant else schedule
    step = step_of(learner.rule)
    if step is None or any(weight != 1 for weight in ex.weights):
        return False
    steps = [step, 1.0 if schedule is None else float(schedule)]
    return bits_of([*steps, *(value for row in ex.rows for value in row)]) is not None
