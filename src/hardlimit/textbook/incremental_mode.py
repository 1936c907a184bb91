"""One example after the other: the fixed increment, and every rule of the package."""

from __future__ import annotations

from collections.abc import Generator, Sequence

from hardlimit.foundation.exact_numbers import Scalar
from hardlimit.textbook.asking import RuleLike, ScheduleLike
from hardlimit.textbook.data import Examples
from hardlimit.textbook.learner import Guard, Learner
from hardlimit.textbook.plan import REACHED, Order, Presentation, check_until, number_epochs
from hardlimit.textbook.rounds import make_rounds
from hardlimit.textbook.steps import Outcome, Step


def incremental(
    examples: Examples,
    rule: RuleLike = "perceptron",
    *,
    schedule: ScheduleLike = None,
    order: Order = None,
    w: Sequence[Scalar] | None = None,
    guard: Guard | None = None,
    until: str | None = "separated",
    patient: bool = True,
    tol: Scalar = 0,
    max_iter: int = 1000,
) -> Generator[Step, None, Outcome]:
    """Present the examples one by one and correct each violator at once.

    ::

        for each epoch, for i in its order:
            if <w, z_i> <= required:  step <- step + 1;  w <- w + eta(step) tau z_i

    With the rule ``perceptron`` this is the fixed increment (Duda, Hart and Stork, Algorithm 4);
    with ``margin-perceptron`` and a schedule the variable increment with margin (Algorithm 5);
    with ``relaxation`` single-sample relaxation (Algorithm 9).

    Parameters
    ----------
    rule
        Name or object; only its ``required``, ``equality_violates`` and ``tau`` are used.
    schedule
        ``eta(step)``; step counts corrections. A common slip indexes ``eta`` by the example, which
        makes it periodic and divides by zero for ``1/step``.
    order
        None: as the rows lie. Else the rows of each epoch: a function of the epoch 1, 2, ..., or a
        sequence of them, at whose end the run ends.
    w
        Starting weights, the bias's last; default zero.
    guard
        Tolerance of noise, see :func:`hardlimit.textbook.noise_tolerant`.
    until
        "separated": stop after an epoch without a mistake, if all margins are > 0 then. "margin":
        stop after an epoch in which no margin was below required - tol, if that holds for the
        weights as they are then. None: ``max_iter`` epochs. With an aim, an epoch that corrects
        nothing ends the run as well, since the next ones would be the same: ``settled``.
        "separated" in the order of the rows ends as ``cycling`` where the weights come round.
    patient
        False: look at all margins after every epoch, also after one with mistakes.
    """
    learner = Learner(examples, rule, schedule, w, guard)
    plan = Presentation(order, until, patient, tol, max_iter)
    return (yield from present_all(learner, plan))


def present_all(learner: Learner, plan: Presentation) -> Generator[Step, None, Outcome]:
    """Present the examples epoch by epoch; the loop of two classes and of many."""
    check_until(plan.until)
    learner.refuse_search()
    n, rounds = len(learner.examples), make_rounds(learner, plan)
    epoch = 0
    for epoch, rows in number_epochs(plan.order, n, plan.max_iter):
        corrected = missed = 0
        for i in rows:
            step = learner.present(epoch, i)
            corrected += step.corrected
            missed += misses(step.margin, step.required, plan, learner)
            yield step
        # Margins change within an epoch, so that an epoch without a miss is looked at again.
        ripe = plan.until is not None and not (plan.patient and missed)
        if ripe and has_reached(learner, plan):
            return learner.outcome(REACHED[plan.until], epoch)
        # Nothing was corrected though all were shown: the next epoch would be the same.
        if plan.until is not None and not corrected and len(set(rows)) == n:
            return learner.outcome("settled", epoch)
        if rounds and (cycle := rounds.look(learner.w, epoch, corrected)):
            return learner.outcome("cycling", epoch, cycle)
    return learner.outcome("max_iter", epoch)


def misses(margin: Scalar, required: Scalar, plan: Presentation, learner: Learner) -> bool:
    """Whether an example, when it was presented, was short of the aim."""
    if plan.until == "margin":
        return bool(margin < required - learner.number(plan.tol))
    return bool(margin <= 0)


def has_reached(learner: Learner, plan: Presentation) -> bool:
    """Whether the weights as they are reach the aim."""
    if plan.until is None:
        return False
    return not (learner.find_wrong() if plan.until == "separated" else learner.find_short(plan.tol))
