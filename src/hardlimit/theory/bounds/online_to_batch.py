"""From the mistakes of one pass to errors on rows to come."""

from __future__ import annotations

from collections.abc import Iterator

from hardlimit.theory.bounds._run import ONE_BY_ONE, Line, MarginProblem, ModelRun

PLACE = 4


def evaluate(run: ModelRun, part: MarginProblem) -> Iterator[Line]:
    """Estimate the errors of the first pass's hypotheses on a new row, drawn as the others were.

    Let k be the mistakes of one pass over m + 1 rows that are drawn independently. The hypothesis
    after t of the first m rows, t uniform in 0 .. m, errs on the last one with probability ``E[k] /
    (m + 1)`` exactly, since each row could as well have been the last; the vote of all of them with
    at most twice that. Here the k of this one run stands for its expectation: an estimate, not a
    bound.

    Freund and Schapire, Machine Learning 37 (1999), after Helmbold and Warmuth (1995).
    """
    reason = reason_inapplicable(run)
    for name, factor in (("online to batch, random", 1), ("online to batch, voted", 2)):
        formula = "k / n" if factor == 1 else "2 k / n"
        of = "share of errors on new rows, expected"
        of += "" if factor == 1 else " at most"
        if reason or not run.n_rows or run.first is None:
            yield Line(name, formula, of, reason=reason or "the first pass is not known")
        else:
            # Twice the share of mistakes may exceed 1, which no share of errors does.
            yield Line(name, formula, of, min(1.0, factor * run.first / run.n_rows))


def reason_inapplicable(run: ModelRun) -> str:
    """Return why the theorem does not apply to this run; empty where it does."""
    if run.streamed or run.weighted or run.shards > 1:
        return run.reason_excluded
    if run.order not in ONE_BY_ONE:
        return f"it is of a pass that shows each row once, and the order is {run.order}"
    if run.scheme == "independent":
        return "each neuron errs by itself, and only their sum is counted by epochs"
    return ""
