"""``||w|| / k``: an upper bound on the largest margin that a run computes on its way.

Weights that are the sum of k signed rows have ``<w, u> >= k gamma`` along the best unit vector u,
so that gamma is at most ``||w|| / k`` at every moment, whether the rows are separable or not
(Novikoff's proof; Panagiotakopoulos and Tsampouka, "The perceptron with dynamic margin").
"""

from __future__ import annotations

import math

from hardlimit import _native
from hardlimit.rules import Rule
from hardlimit.schedules import Schedule
from hardlimit.theory.cycling import step_of

CHEAP = 4  # weights for each row that are looked at after every epoch, and
FEW = 4096  # so many in any case


class RunningMargin:
    """Looks at the weights after each epoch, where they are few beside the rows."""

    def __init__(self, step: float, n_rows: int, batch: bool) -> None:
        self._step, self._batch = step, batch
        self._most = max(FEW, CHEAP * n_rows)
        self._added = 0

    def look(self, state: _native.TrainingState, mistakes: int, corrections: int) -> float | None:
        """The bound after this epoch; None where nothing was added yet, or a look would cost."""
        # A batch is one correction and adds every violator, of which the mistakes are a part.
        self._added += max(mistakes, corrections) if self._batch else corrections
        if self._added == 0 or state.n_columns * state.n_outputs > self._most:
            return None
        return math.sqrt(state.squared_lengths()[0]) / (self._step * self._added)


def running_margin(
    rule: Rule, schedule: Schedule | None, n_rows: int, weighed: bool, combine: str | None
) -> RunningMargin | None:
    """Return what follows the bound where weights are a sum of rows; ``combine`` of a batch."""
    step = step_of(rule, schedule)
    if step is None or step <= 0 or weighed:
        return None
    return RunningMargin(step, n_rows, combine == "sum")
