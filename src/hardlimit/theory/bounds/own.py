"""What a rule promises of itself: its ``mistake_bound``."""

from __future__ import annotations

from collections.abc import Iterator

from hardlimit import rules
from hardlimit.rules import Geometry
from hardlimit.theory.bounds._run import NO_ROWS, Line, MarginProblem, ModelRun
from hardlimit.theory.bounds.novikoff import explain_missing_margin

PLACE = 2


def evaluate(run: ModelRun, part: MarginProblem) -> Iterator[Line]:
    """Evaluate the rule's own theorem at the radius of the examples and the best margin known.

    The perceptron's is Novikoff's, which has its own line.
    """
    # Its own theorem is Novikoff's, which stands in the table already.
    if run.rule_name == "perceptron":
        return
    name, formula = f"{run.rule_name}'s own", "mistake_bound"
    reason = reason_inapplicable(run)
    if reason or part.radius is None:
        yield Line(name, formula, "corrections", count=part.corrections, reason=reason or NO_ROWS)
        return
    gamma = part.gamma(run)
    at_best = _mistake_bound(run, part, gamma.most).value if gamma.most else None
    if gamma.separable is not True:
        # At gamma = 0 a theorem promises nothing, but it still says what it counts.
        bound = _mistake_bound(run, part, 0.0)
        missing = explain_missing_margin(part, run)
        yield Line(name, formula, bound.of, None, _occurred(bound, part), at_best, missing)
        return
    bound = _mistake_bound(run, part, gamma.least or 0.0)
    reason = bound.reason if bound.value is None else ""
    yield Line(name, formula, bound.of, bound.value, _occurred(bound, part), at_best, reason)


def reason_inapplicable(run: ModelRun) -> str:
    """Return why the theorem does not apply to this run; empty where it does."""
    if run.schedule is not None:
        return "a schedule changes the steps that it is about"
    if run.guards:
        return "guards decide who is corrected"
    if run.order == "batch":
        return "it is about one correction at a time, and these are batches"
    return run.reason_excluded


def _mistake_bound(run: ModelRun, part: MarginProblem, gamma: float) -> rules.Bound:
    # Rules that multiply are bounded by the margin of a vector whose absolute values sum to 1.
    absolute = [c.least / c.absolute for c in part.comparators if c.absolute and c.least > 0]
    bound: rules.Bound = run.rule.mistake_bound(
        Geometry(
            radius=part.radius or 0.0,
            gamma=gamma,
            n_columns=part.n_columns,
            x_inf=part.x_inf,
            gamma_1=max(absolute) if absolute else None,
        )
    )
    return bound


def _occurred(bound: rules.Bound, part: MarginProblem) -> int | None:
    return part.mistakes if bound.of == "mistakes" else part.corrections
