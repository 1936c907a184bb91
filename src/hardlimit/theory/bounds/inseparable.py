"""Freund and Schapire's bounds for examples that need not be separable."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterator

import numpy as np

from hardlimit.foundation.formatting import plural
from hardlimit.foundation.types import Array
from hardlimit.theory.bounds import novikoff
from hardlimit.theory.bounds._run import NO_ROWS, ONE_BY_ONE, Line, MarginProblem, ModelRun

PLACE = 3
QUANTILES = 48  # margins at which the search for the best gamma begins
SECTIONS = 40  # golden sections between the neighbours of the best of them

Bound = Callable[[float], float]  # of gamma
Form = Callable[[float, Array, int, float], float]


def square_form(radius: float, margins: Array, passes: int, gamma: float) -> float:
    """Return ``((R + D) / gamma)^2`` with ``D^2 = passes sum max(0, gamma - margin_i)^2``.

    By hand: margins 1 and -1, R = 1, gamma = 1: D = 2, and (1 + 2)^2 = 9.

    >>> square_form(1.0, np.array([1.0, -1.0]), 1, 1.0)
    9.0
    """
    lacking = np.maximum(0.0, gamma - margins)
    D = math.sqrt(passes * float(np.dot(lacking, lacking)))
    return ((radius + D) / gamma) ** 2


def hinge_form(radius: float, margins: Array, passes: int, gamma: float) -> float:
    """Return ``L + (R / gamma)^2 + R / gamma sqrt(L)``.

    ::

        L = passes sum max(0, 1 - margin_i / gamma)

    >>> hinge_form(1.0, np.array([1.0, -1.0]), 1, 1.0)  # L = 2
    4.414213562373095
    """
    L = passes * float(np.maximum(0.0, 1.0 - margins / gamma).sum())
    ratio = radius / gamma
    return L + ratio * ratio + ratio * math.sqrt(L)


FORMS: tuple[tuple[str, str, Form], ...] = (
    ("Freund and Schapire", "((R + D) / gamma)^2", square_form),
    ("Freund and Schapire, hinge", "L + (R / gamma)^2 + R sqrt(L) / gamma", hinge_form),
)


def evaluate(run: ModelRun, part: MarginProblem) -> Iterator[Line]:
    """Bound the mistakes of the first pass, and of all passes, by the best comparator known.

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
        reason = reason_inapplicable(run)
        for name, formula, form in FORMS:
            count = _count_mistakes(run, part, passes)
            if reason or part.radius is None or not part.comparators:
                yield Line(name, formula, of, count=count, reason=reason or NO_ROWS)
                continue
            value, comparator = _best_of_comparators(form, part, passes)
            if value >= passes * (run.n_rows or math.inf):
                comparator = "no fewer than the rows shown: trivial"
            yield Line(name, formula, of, value, count, comparator=comparator)


def reason_inapplicable(run: ModelRun) -> str:
    """Return why the theorem does not apply to this run; empty where it does."""
    reason = novikoff.reason_inapplicable(run)
    if not reason and run.order not in ONE_BY_ONE:
        reason = f"they are of passes that show each row once, and the order is {run.order}"
    return reason


def find_least(bound: Bound, margins: Array, radius: float) -> tuple[float, float]:
    """Return the smallest bound found over gamma, and the gamma that gives it.

    Every gamma gives a true bound, so that a search that misses the best one costs tightness only.

    >>> value, gamma = find_least(lambda gamma: (gamma - 2.0) ** 2 + 1, np.array([1.0, 4.0]), 1.0)
    >>> round(value, 6), round(gamma, 6)
    (1.0, 2.0)
    """
    candidates = list(_candidates(margins, radius))
    values = [bound(gamma) for gamma in candidates]
    at = min(range(len(values)), key=values.__getitem__)
    low, high = candidates[max(0, at - 1)], candidates[min(len(values) - 1, at + 1)]
    gamma = _golden_section(bound, low, high)
    # The search may end at a worse place than the best sample.
    return min((values[at], candidates[at]), (bound(gamma), gamma))


def _passes(run: ModelRun) -> list[tuple[int, str]]:
    passes = [(1, "the first pass")]
    if run.epochs > 1:
        passes.append((run.epochs, f"all {plural(run.epochs, 'pass', 'passes')}"))
    return passes


def _count_mistakes(run: ModelRun, part: MarginProblem, passes: int) -> int | None:
    if passes == run.epochs:
        return part.mistakes
    # Epochs count the mistakes of all neurons together.
    return run.first if run.scheme != "independent" else None


def _best_of_comparators(form: Form, part: MarginProblem, passes: int) -> tuple[float, str]:
    """The smallest bound, and whose it is."""
    radius = part.radius or 0.0
    bounds = []
    for comparator in part.comparators:
        bound = functools.partial(form, radius, comparator.margins, passes)
        value, gamma = find_least(bound, comparator.margins, radius)
        bounds.append((value, f"against the {comparator.name} weights, gamma = {gamma:.4g}"))
    return min(bounds)


def _candidates(margins: Array, radius: float) -> Iterator[float]:
    """Positive numbers in rising order: quantiles of the positive margins, and beyond."""
    # The bounds bend where gamma passes a margin, so that the search begins at margins.
    positive = margins[margins > 0]
    spread = np.quantile(positive, np.linspace(0, 1, QUANTILES)) if len(positive) else positive
    beyond = radius * np.array([1e-3, 1e-2, 0.1, 0.3, 1.0, 3.0, 10.0])
    yield from (float(gamma) for gamma in np.unique(np.concatenate([spread, beyond])))


def _golden_section(bound: Bound, low: float, high: float) -> float:
    # The bound need not have one minimum, but between the neighbours of the best sample it
    # nearly always does; where it does not, the bound found is larger and still true.
    share = (math.sqrt(5) - 1) / 2
    a, b = high - share * (high - low), low + share * (high - low)
    bound_a, bound_b = bound(a), bound(b)
    for _ in range(SECTIONS):
        if bound_a <= bound_b:
            high, b, bound_b = b, a, bound_a
            a = high - share * (high - low)
            bound_a = bound(a)
        else:
            low, a, bound_a = a, b, bound_b
            b = low + share * (high - low)
            bound_b = bound(b)
    return a if bound_a <= bound_b else b
