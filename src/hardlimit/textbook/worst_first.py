"""MinOver: always the example that needs it most."""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence
from typing import Any

from hardlimit.foundation.exact_numbers import Scalar
from hardlimit.textbook.asking import RuleLike, ScheduleLike
from hardlimit.textbook.data import Examples
from hardlimit.textbook.learner import Guard, Learner, RuleLook
from hardlimit.textbook.steps import Outcome, Step


def minover(
    examples: Examples,
    rule: RuleLike = "perceptron",
    *,
    schedule: ScheduleLike = None,
    w: Sequence[Scalar] | None = None,
    guard: Guard | None = None,
    max_iter: int = 1000,
) -> Generator[Step, None, Outcome]:
    """Correct the example whose margin, less what is required, is the smallest.

    ::

        j <- argmin_i <w, z_i> - required;   if j violates: w <- w + tau z_j, else stop

    With the perceptron or the perceptron with margin b this is MinOver (Krauth and Mezard, J. Phys.
    A 20, 1987): at most ``(R^2 + 2b) / gamma^2`` corrections, and the margin of the result goes to
    the best there is as b grows. Of examples that need it alike the first is taken.

    Each step is a pick, and ``epoch`` its number; ``max_iter`` bounds them. The last one finds that
    even the worst example has what is required.
    """
    learner = Learner(examples, rule, schedule, w, guard)
    learner.refuse_search()
    for pick in range(1, max_iter + 1):
        looks = [learner.look(i) for i in range(len(examples))]
        worst = min(range(len(looks)), key=lambda i: _lacking(learner, looks[i]))
        step = learner.present(pick, worst)
        yield step
        if not step.corrected:
            return learner.outcome(_reason(learner, step), pick)
    return learner.outcome("max_iter", max_iter)


def _reason(learner: Learner, last: Step) -> str:
    if learner.find_wrong():
        return "settled"
    return "margin_reached" if last.required > 0 else "separated"


def _lacking(learner: Learner, look: RuleLook) -> Any:
    """The smaller, the sooner; a row of length 0 is of no use to a rule that divides by it."""
    # It could be picked for ever and never corrected.
    if learner.divides and not any(look.z):
        return math.inf
    return look.margin - look.required
