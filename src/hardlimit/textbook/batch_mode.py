"""All violators at once: one correction an iteration."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any

from hardlimit.exceptions import InputError, Setting
from hardlimit.foundation.exact_numbers import Scalar, Vector, add, dot, scale, subtract, total
from hardlimit.rules import AdditiveRule, Rule
from hardlimit.textbook.asking import RuleLike, ScheduleLike
from hardlimit.textbook.data import Examples
from hardlimit.textbook.incremental_mode import has_reached, misses
from hardlimit.textbook.learner import Guard, Learner, RuleLook
from hardlimit.textbook.plan import REACHED, Presentation, check_until
from hardlimit.textbook.rounds import make_rounds
from hardlimit.textbook.steps import Outcome, Step

COMBINE = ("sum", "average")


def batch(
    examples: Examples,
    rule: RuleLike = "perceptron",
    *,
    combine: str | None = None,
    schedule: ScheduleLike = None,
    w: Sequence[Scalar] | None = None,
    guard: Guard | None = None,
    until: str | None = "separated",
    patient: bool = True,
    tol: Scalar = 0,
    theta: Scalar = 0,
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

    ``step`` counts iterations. A schedule may be ``schedules.LineSearch()`` for a rule with a
    quadratic criterion. The run ends when the aim is reached, as :func:`incremental` does, an
    iteration being its epoch; a sum of zero with violators left ends it as ``stalled``: the usual
    test for a small step would call that converged. With ``theta`` above 0 that test is made too, a
    step with ``||eta(step) sum_V tau_i z_i|| < theta`` being the last one; where examples are wrong
    then, it ends as ``small_step``.

    Each iteration yields a step for every example. The last one may find nothing to correct; it is
    shown, but not counted in ``outcome.epochs``.
    """
    check_until(until)
    plan = Presentation(None, until, patient, tol)
    learner = Learner(examples, rule, schedule, w, guard)
    _check(learner.rule, schedule)
    combine = resolve_combination(combine, learner.rule)
    # An average divides by a count that changes, and a line search by a curvature: sums only.
    rounds = make_rounds(learner, plan) if combine == "sum" and not learner.searching else None
    for iteration in range(1, max_iter + 1):
        looks = [learner.look(i) for i in range(len(examples))]
        etas = {i: _eta(learner, look) for i, look in enumerate(looks) if look.violates}
        taus = {i: eta * _tau(learner, looks[i]) for i, eta in etas.items()}
        direction = total((scale(tau, looks[i].z) for i, tau in taus.items()), len(learner.w))
        factor = _factor(learner, combine, looks, taus, direction)
        before, learner.weights.w = learner.w, add(learner.w, scale(factor, direction))
        # Guards remember a correction even where the rows of a batch cancel each other.
        moved = learner.w != before or (bool(taus) and learner.knows_examples)
        learner.step += moved
        for i, tau in taus.items() if moved else ():
            learner.remember(i, factor * tau)
        delta = subtract(learner.w, before)
        for i, look in enumerate(looks):
            yield Step(
                iteration, i, learner.step, before, look.z, look.margin, look.required, i in taus,
                factor * taus.get(i, learner.number(0)), delta, learner.w, factor * etas.get(i, 1),
            )  # fmt: skip
        # The next iteration would see the same weights and the same violators.
        if any(taus.values()) and not moved:
            return learner.outcome("stalled", iteration)
        # Squares, since a length is no fraction.
        small = bool(taus) and dot(delta, delta) < learner.number(theta) ** 2
        if reason := _reason(learner, plan, looks, bool(taus), small):
            # An iteration that only found nothing to correct is not counted.
            return learner.outcome(reason, iteration if taus else iteration - 1)
        if rounds and (cycle := rounds.look(learner.w, iteration, int(moved))):
            return learner.outcome("cycling", iteration, cycle)
    return learner.outcome("max_iter", max_iter)


def _factor(
    learner: Learner, combine: str, looks: list[RuleLook], taus: dict[int, Any], direction: Vector
) -> Any:
    """By how much the direction is multiplied."""
    # A line search knows how far to go once for all violators; their etas are 1 until then.
    if learner.searching and any(direction):
        return _line_search(learner, looks, taus, direction)
    return 1 / learner.number(len(taus)) if combine == "average" and taus else learner.number(1)


def _reason(
    learner: Learner, plan: Presentation, looks: list[RuleLook], corrected: bool, small: bool
) -> str:
    """Why to stop after this iteration; empty to go on."""
    if plan.until is not None:
        short = any(misses(look.margin, look.required, plan, learner) for look in looks)
        if not (plan.patient and short) and has_reached(learner, plan):
            return REACHED[plan.until]
        if not corrected:
            return "settled"
    if small:
        return REACHED[plan.until] if has_reached(learner, plan) else "small_step"
    return ""


def resolve_combination(combine: str | None, rule: Rule) -> str:
    """Return how a batch combines its corrections: as asked for, else as the rule prefers."""
    # Rules without a batch form of their own are summed where the caller insists.
    combine = rule.batch or "sum" if combine is None else combine
    if combine not in COMBINE:
        raise InputError(parameter="combine", got=combine, wanted=" or ".join(map(repr, COMBINE)))
    return combine


def _check(rule: Rule, schedule: ScheduleLike) -> None:
    name = rule.class_name
    if not isinstance(rule, AdditiveRule):
        raise InputError(
            f"{name} does more than add to the weights, so there is no batch of it",
            topic="no-batch",
            fix=("take ", Setting("order", "cyclic")),
        )
    if getattr(schedule, "search", False) and not rule.quadratic:
        raise InputError(
            f"{name} descends no quadratic criterion, so that the line search "
            "|g|^2 / g^T H g has no Hessian to divide by",
            fix="take relaxation, or another schedule",
        )


def _tau(learner: Learner, look: RuleLook) -> Any:
    _, tau = learner.weights.answer(look.scalars)
    return tau


def _eta(learner: Learner, look: RuleLook) -> Any:
    return learner.number(1) if learner.searching else learner.eta(look.scalars)


def _line_search(
    learner: Learner, looks: list[RuleLook], taus: dict[int, Any], direction: Vector
) -> Any:
    """``|g|^2 / g^T H g`` of ``1/2 sum (required - margin)^2 / ||z||^2``, halved if that rises."""
    along = {i: dot(looks[i].z, direction) for i in taus}
    slope = sum(taus[i] * along[i] for i in taus)
    curvature = sum(along[i] * along[i] / looks[i].scalars["sqnorm"] for i in taus)

    def criterion(w: Vector) -> Any:
        lacks = [(look.required - dot(w, look.z), look.scalars["sqnorm"]) for look in looks]
        return sum(lack * lack / (2 * sqnorm) for lack, sqnorm in lacks if lack > 0 and sqnorm)

    rho, before = slope / curvature, criterion(learner.w)
    # The quadratic model holds while nobody enters or leaves the sum on the way.
    while criterion(add(learner.w, scale(rho, direction))) > before:
        rho = rho / 2
    return rho
