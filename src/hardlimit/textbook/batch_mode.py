"""All violators at once: one correction an iteration."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any

from hardlimit.exceptions import InputError
from hardlimit.textbook.data import Examples
from hardlimit.textbook.incremental_mode import REACHED, Plan, check_until, reached
from hardlimit.textbook.learner import Learner, Look
from hardlimit.textbook.numbers import Vector, add, scale, total
from hardlimit.textbook.steps import Outcome, Step

COMBINE = ("sum", "average")


def batch(
    examples: Examples,
    rule: Any = "perceptron",
    *,
    combine: str | None = None,
    schedule: Any = None,
    w: Sequence[Any] | None = None,
    until: str | None = "separated",
    tol: Any = 0,
    max_iter: int = 1000,
) -> Generator[Step, None, Outcome]:
    """Correct all violators together, at the same weights.

    ::

        for step = 1, 2, ...:
            V <- {i : <w, z_i> <= required}
            w <- w + eta(step) sum_V tau_i z_i        (combine="average": divided by |V|)

    The perceptron sums (Duda, Hart and Stork, Algorithms 3 and 6): ``eta`` times the sum of the
    violators; "plus" there, and "times their number" elsewhere, are common slips. Relaxation
    averages (Algorithm 8 sums, and then diverges inside the range that it gives for ``eta``).

    ``step`` counts iterations. The run ends when no violator is left or the aim is reached; a sum
    of zero with violators left ends it as ``stalled``: the usual test for a small step would call
    that converged. Each iteration yields a step for every example, the last iteration included,
    which finds nothing to correct.
    """
    check_until(until)
    plan = Plan(None, until, tol=tol)
    learner = Learner(examples, rule, schedule, w)
    combine = _combine(combine, learner.rule)
    if getattr(learner.rule, "answers", "tau") != "tau":
        raise InputError(
            f"textbook: {type(learner.rule).__name__} does more than add to the weights, so there "
            "is no batch of it; take order='cyclic'"
        )
    for iteration in range(1, max_iter + 1):
        looks = [learner.look(i) for i in range(len(examples))]
        done = reached(learner, plan)
        taus = (
            {}
            if done
            else {
                i: learner.eta(iteration) * learner.weights.answer(k.scalars)[1]
                for i, k in enumerate(looks)
                if k.violates
            }
        )
        delta = _delta(learner, looks, taus, combine)
        before, learner.weights.w = learner.w, add(learner.w, delta)
        for i, tau in taus.items():
            learner.remember(i, tau)
        learner.step += bool(taus)
        for i, look in enumerate(looks):
            yield Step(
                iteration, i, learner.step, before, look.z, look.margin, look.required, i in taus,
                taus.get(i, learner.number(0)), delta, learner.w,
            )  # fmt: skip
        if done:
            return learner.outcome(REACHED[until], learner.step)
        if not taus:
            return learner.outcome("settled" if learner.wrong() else "separated", learner.step)
        if not any(delta):
            return learner.outcome("stalled", learner.step)
    return learner.outcome("max_iter", max_iter)


def _combine(combine: str | None, rule: Any) -> str:
    combine = getattr(rule, "batch", "") or "sum" if combine is None else combine
    if combine not in COMBINE:
        raise InputError(f"textbook: got combine={combine!r}, wanted {' or '.join(COMBINE)}")
    return combine


def _delta(learner: Learner, looks: list[Look], taus: dict[int, Any], combine: str) -> Vector:
    found = total((scale(tau, looks[i].z) for i, tau in taus.items()), len(learner.w))
    if combine == "average" and taus:
        return scale(1 / learner.number(len(taus)), found)
    return found
