"""What a rule promises of itself: its ``mistake_bound``."""

from __future__ import annotations

from collections.abc import Iterator

from hardlimit import rules
from hardlimit.rules import Geometry
from hardlimit.theory.bounds._run import NO_ROWS, Line, Part, Run
from hardlimit.theory.bounds.novikoff import no_margin

PLACE = 2


def told(run: Run, part: Part) -> Iterator[Line]:
    """The rule's own theorem, with the radius of the examples and the largest margin known.

    The perceptron's is Novikoff's, which stands above.
    """
    if run.rule_name == "perceptron":
        return
    name, formula = f"{run.rule_name}'s own", "mistake_bound"
    reason = why_not(run)
    if reason or part.radius is None:
        yield Line(name, formula, "corrections", count=part.corrections, reason=reason or NO_ROWS)
        return
    gamma = part.gamma(run)
    at_best = _of(run, part, gamma.most).value if gamma.most else None
    if gamma.separable is not True:
        found = _of(run, part, 0.0)
        missing = no_margin(part, run)
        yield Line(name, formula, found.of, None, _count(found, part), at_best, missing)
        return
    found = _of(run, part, gamma.least or 0.0)
    reason = found.reason if found.value is None else ""
    yield Line(name, formula, found.of, found.value, _count(found, part), at_best, reason)


def why_not(run: Run) -> str:
    """Why it does not speak of this run."""
    if run.schedule is not None:
        return "a schedule changes the steps that it is about"
    if run.guards:
        return "guards decide who is corrected"
    if run.order == "batch":
        return "it is about one correction at a time, and these are batches"
    return run.void


def _of(run: Run, part: Part, gamma: float) -> rules.Bound:
    absolute = [c.least / c.absolute for c in part.comparators if c.absolute and c.least > 0]
    found: rules.Bound = run.rule.mistake_bound(
        Geometry(
            radius=part.radius or 0.0,
            gamma=gamma,
            n_columns=part.n_columns,
            x_inf=part.x_inf,
            gamma_1=max(absolute) if absolute else None,
        )
    )
    return found


def _count(found: rules.Bound, part: Part) -> int | None:
    return part.mistakes if found.of == "mistakes" else part.corrections
