"""``||w|| / k``: an upper bound on the largest margin that a run computes on its way.

Weights that are the sum of k signed rows have ``<w, u> >= k gamma`` along the best unit vector u,
so that gamma is at most ``||w|| / k`` at every moment, whether the rows are separable or not
(Novikoff's proof; Panagiotakopoulos and Tsampouka, "The perceptron with dynamic margin").
"""

from __future__ import annotations

import math
from typing import Any

from hardlimit.cycling import step_of

CHEAP = 4  # weights for each row that may be looked at after every epoch


class RunningMargin:
    """Looks at the weights after each epoch; where there are many, after epochs 1, 2, 4, 8, ..."""

    def __init__(self, step: float, n_rows: int, batch: bool) -> None:
        self._step, self._n_rows, self._batch = step, n_rows, batch
        self._added = 0

    def look(self, state: Any, epoch: int, mistakes: int, corrections: int) -> float | None:
        """The bound after this epoch; None where nothing was added yet, or it was not looked at."""
        self._added += max(mistakes, corrections) if self._batch else corrections
        many = (state.n_columns + 1) * state.n_outputs > CHEAP * self._n_rows
        if self._added == 0 or (many and epoch & (epoch - 1)):
            return None
        return math.sqrt(state.squared_lengths()[0]) / (self._step * self._added)


def running_margin(
    rule: Any, schedule: Any, n_rows: int, weighed: bool, combine: str | None
) -> RunningMargin | None:
    """What follows the bound, where the weights are a sum of rows; ``combine`` of a batch."""
    step = step_of(rule, schedule)
    if step is None or step <= 0 or weighed:
        return None
    return RunningMargin(step, n_rows, combine == "sum")
