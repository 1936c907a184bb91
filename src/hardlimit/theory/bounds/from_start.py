"""Corrections of a run that began at any weights."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from hardlimit.theory.bounds._run import NO_ROWS, Comparator, Line, MarginProblem, ModelRun
from hardlimit.theory.bounds.novikoff import reason_inapplicable
from hardlimit.theory.cycling import step_of

PLACE = 1
NAME, FORMULA = "from a(1)", "||a(1) - alpha a||^2 / R^2, alpha = R^2 / gamma"


def evaluate(run: ModelRun, part: MarginProblem) -> Iterator[Line]:
    """Bound the corrections of a run that began at weights a(1), given by the user.

    Let ``a`` be a separating vector of length 1 with the smallest margin gamma, and ``alpha = R^2 /
    gamma``. A correction changes ``||w - alpha a||^2`` by ``2 <w, x> - 2 alpha <a, x> + ||x||^2``:
    at most ``0 - 2 R^2 + R^2``. So there are at most ``||a(1) - alpha a||^2 / R^2``, from zeros
    Novikoff's ``(R / gamma)^2``. A step of other length than 1 scales a(1) down by it.

    Duda, Hart and Stork, Pattern Classification, 2nd ed., section 5.5.2.
    """
    if not run.started or run.stop_reason == "given":
        return
    count = part.corrections
    reason = reason_inapplicable(replace(run, started=False))
    if not reason and run.order == "batch":
        reason = "it is about one correction at a time, and these are batches"
    separating = [one for one in part.comparators if one.least > 0]
    if not reason and (part.radius is None or not part.comparators):
        reason = NO_ROWS
    if not reason and not separating:
        reason = "no vector that was kept separates the examples"
    if reason:
        yield Line(NAME, FORMULA, "corrections", count=count, reason=reason)
        return
    step, radius = step_of(run.rule, run.schedule) or 1.0, part.radius or 0.0
    value, name = min((_distance(part, one, radius, step), one.name) for one in separating)
    yield Line(NAME, FORMULA, "corrections", value, count, comparator=f"a the {name} weights")


def _distance(part: MarginProblem, one: Comparator, radius: float, step: float) -> float:
    """``||a(1) - alpha a||^2 / R^2`` in units of the step."""
    at_start = (part.start / (step * radius)) ** 2
    return at_start - 2 * one.along / (step * one.least) + (radius / one.least) ** 2
