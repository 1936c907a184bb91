"""Freund and Schapire's bounds for examples that need not be separable."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator
from typing import Any

from hardlimit.theory.bounds._inseparable import best, hinge, squared
from hardlimit.theory.bounds._run import NO_ROWS, ONE_BY_ONE, Line, Part, Run
from hardlimit.theory.bounds.novikoff import why_not as not_the_perceptron

PLACE = 3
FORMS = (
    ("Freund and Schapire", "((R + D) / gamma)^2", squared),
    ("Freund and Schapire, hinge", "L + (R / gamma)^2 + R sqrt(L) / gamma", hinge),
)


def told(run: Run, part: Part) -> Iterator[Line]:
    """Mistakes of the first pass, and of all passes, against the best comparator known.

    ::

        ((R + D) / gamma)^2,                       D^2 = sum_i max(0, gamma - y_i <u, x_i>)^2
        L + (R / gamma)^2 + (R / gamma) sqrt(L),   L = sum_i max(0, 1 - y_i <u, x_i> / gamma)

    for every u of length 1 and every gamma > 0; both are taken at the best gamma found for each of
    the vectors that the fit kept. T passes are one pass over the rows T times: ``D^2`` and L are
    then multiplied by T.

    Freund and Schapire, Machine Learning 37 (1999), Theorem 2.
    """
    for passes, when in _passes(run):
        of = f"mistakes in {when}"
        reason = why_not(run)
        for name, formula, form in FORMS:
            if reason or part.radius is None or not part.comparators:
                count = _count(run, part, passes)
                yield Line(name, formula, of, count=count, reason=reason or NO_ROWS)
            else:
                value, who = _best(form, part, passes)
                if value >= passes * (run.n_rows or math.inf):
                    who = "no fewer than the rows shown: trivial"
                yield Line(name, formula, of, value, _count(run, part, passes), comparator=who)


def why_not(run: Run) -> str:
    """Why they do not speak of this run."""
    reason = not_the_perceptron(run)
    if not reason and run.order not in ONE_BY_ONE:
        reason = f"they are of passes that show each row once, and the order is {run.order}"
    return reason


def _passes(run: Run) -> list[tuple[int, str]]:
    found = [(1, "the first pass")]
    if run.epochs > 1:
        found.append((run.epochs, f"all {run.epochs:,} passes"))
    return found


def _count(run: Run, part: Part, passes: int) -> int | None:
    if passes == run.epochs:
        return part.mistakes
    return run.first if run.scheme != "independent" else None


def _best(form: Any, part: Part, passes: int) -> tuple[float, str]:
    """The smallest bound, and whose."""
    radius = part.radius or 0.0
    found = []
    for comparator in part.comparators:
        bound = functools.partial(form, radius, comparator.margins, passes)
        value, gamma = best(bound, comparator.margins, radius)
        found.append((value, f"against the {comparator.name} weights, gamma = {gamma:.4g}"))
    return min(found)
