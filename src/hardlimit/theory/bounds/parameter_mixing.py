"""What is promised of shards that learn an epoch each and are mixed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from hardlimit.engine.acceleration import MOMENTA
from hardlimit.theory.bounds._run import NO_ROWS, Line, MarginProblem, ModelRun
from hardlimit.theory.bounds.novikoff import explain_missing_margin, reason_inapplicable

PLACE = 1
NAME = "parameter mixing"


def evaluate(run: ModelRun, part: MarginProblem) -> Iterator[Line]:
    """Bound what shards correct: ``sum_n sum_i mu_{i,n} k_{i,n} <= (R / gamma)^2``.

    ``k_{i,n}`` are the corrections of shard i in epoch n. With ``mu = 1 / S`` all shards together
    make at most ``S (R / gamma)^2`` corrections. With mu in proportion to k an epoch that corrects
    anything adds 1 at least, and there are at most ``(R / gamma)^2`` such epochs. Nothing is
    proved of mixing with momentum.

    McDonald, Hall and Mann, NAACL 2010, Theorem 3.
    """
    if run.shards == 1:
        return
    uniform = run.mixing != "mistakes"
    factor, formula = (run.shards, "S (R / gamma)^2") if uniform else (1, "(R / gamma)^2")
    of = "corrections of all shards" if uniform else "epochs with a correction"
    count = part.corrections if uniform else run.epochs_corrected
    reason = reason_inapplicable(replace(run, shards=1))
    if run.mixing in MOMENTA:
        reason = f"{run.mixing} mixing goes further than the mean, and nothing is proved of that"
    if not reason and not uniform and run.scheme == "independent":
        reason = "each neuron has shares of its own, and epochs are counted of all together"
    if reason or part.radius is None:
        yield Line(NAME, formula, of, count=count, reason=reason or NO_ROWS)
        return
    gamma = part.gamma(run)
    if gamma.least is None or gamma.least <= 0:
        yield Line(NAME, formula, of, None, count, reason=explain_missing_margin(part, run))
        return
    yield Line(NAME, formula, of, factor * (part.radius / gamma.least) ** 2, count)
