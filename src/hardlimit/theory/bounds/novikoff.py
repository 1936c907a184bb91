"""Novikoff's theorem, and its batch form."""

from __future__ import annotations

from collections.abc import Iterator

from hardlimit.theory.bounds._run import NO_ROWS, Line, MarginProblem, ModelRun

PLACE = 1


def evaluate(run: ModelRun, part: MarginProblem) -> Iterator[Line]:
    """Bound the corrections by ``(R / gamma)^2``, however many epochs and in whatever order.

    In batches of n rows ``||w||^2 <= R^2 sum |Y_k|^2 <= R^2 n sum |Y_k|`` and ``<w, u> >= gamma sum
    |Y_k|``, so that at most ``n (R / gamma)^2`` rows are added, and no more iterations.

    Novikoff, Symp. Math. Theory of Automata (1962).
    """
    batch = run.order == "batch"
    name = "Novikoff, in batches" if batch else "Novikoff"
    formula = "n (R / gamma)^2" if batch else "(R / gamma)^2"
    of = "rows added" if batch else "corrections"
    reason = reason_inapplicable(run)
    count = part.mistakes if batch else part.corrections
    if reason or part.radius is None:
        yield Line(name, formula, of, count=count, reason=reason or NO_ROWS)
        return
    gamma, factor = part.gamma(run), float(run.n_rows or 1) if batch else 1.0
    at_best = factor * (part.radius / gamma.most) ** 2 if gamma.most else None
    # Without a separating vector only the best case is known: gamma at its upper end.
    if gamma.least is None or gamma.least <= 0:
        yield Line(name, formula, of, None, count, at_best, explain_missing_margin(part, run))
    else:
        value = factor * (part.radius / gamma.least) ** 2
        yield Line(name, formula, of, value, count, at_best)


def reason_inapplicable(run: ModelRun) -> str:
    """Return why the theorem does not apply to this run; empty where it does."""
    if run.rule_name != "perceptron":
        return f"it is about the perceptron, and the rule is {run.rule_name}: see its own bound"
    if not run.is_perceptron:
        return "the steps differ in length, and it is about equal ones"
    if run.guards:
        return "guards decide who is corrected"
    if run.order == "batch" and run.combine != "sum":
        return "the corrections of a batch are averaged, and it is about their sum"
    return run.reason_excluded


def explain_missing_margin(part: MarginProblem, run: ModelRun) -> str:
    """Return why gamma is not known to be above 0."""
    if part.gamma(run).separable is False:
        return "the examples are not separable, so that it promises nothing: gamma = 0"
    if part.comparators:
        return "no separating vector is known, so that gamma may be 0: certify(X, y) decides"
    if part.separable:
        return "separable, but by how much was not measured: bounds.of(clf, X, y) does"
    return "no separating vector is known, so that gamma may be 0: bounds.of(clf, X, y) looks"
