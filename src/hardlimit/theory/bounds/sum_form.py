"""Novikoff's bound with the sum of all squared lengths in the place of the largest."""

from __future__ import annotations

from collections.abc import Iterator

from hardlimit.theory.bounds._run import NO_ROWS, Line, MarginProblem, ModelRun
from hardlimit.theory.bounds.novikoff import explain_missing_margin, reason_inapplicable

PLACE = 1
NAME, FORMULA = "Novikoff, sum form", "sum ||x||^2 / gamma^2"


def evaluate(run: ModelRun, part: MarginProblem) -> Iterator[Line]:
    """Bound the corrections by ``sum_i ||x_i||^2 / gamma^2``.

    Some proofs bound ``||w||^2 = sum over the corrections of at most ||x||^2`` by ``N sum_i
    ||x_i||^2``. That is true, and n times weaker than ``N max_i ||x_i||^2`` where all rows are of
    one length: compare the line "Novikoff".
    """
    reason = reason_inapplicable(run)
    if not reason and run.order == "batch":
        reason = "it is about one correction at a time, and these are batches"
    if reason or part.total is None:
        yield Line(NAME, FORMULA, "corrections", count=part.corrections, reason=reason or NO_ROWS)
        return
    gamma = part.gamma(run)
    at_best = part.total / gamma.most**2 if gamma.most else None
    known = gamma.least is not None and gamma.least > 0
    value = part.total / gamma.least**2 if gamma.least and known else None
    missing = "" if known else explain_missing_margin(part, run)
    yield Line(NAME, FORMULA, "corrections", value, part.corrections, at_best, missing)
