"""The search: candidates are judged on more and more rows, and the best one learns from all."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from hardlimit.classifiers.targets import of_labels, read_labels
from hardlimit.classifiers.tuning import halving
from hardlimit.classifiers.tuning.candidates import Candidate, Grid, list_candidates
from hardlimit.classifiers.tuning.fronts import Front, R
from hardlimit.classifiers.tuning.scores import get_scoring
from hardlimit.classifiers.tuning.trials import Scoring, Trial, TrialData, judge
from hardlimit.classifiers.tuning.tuning import Tuning
from hardlimit.exceptions import InputError
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.types import Targets as TargetsGiven
from hardlimit.foundation.workers import count_workers

MOST_FOLDS = 100


def tune(
    begin: Callable[[Any], Front[R]],
    examples: object,
    labels: TargetsGiven,
    *,
    grid: Grid | None,
    folds: int,
    scoring: str,
    n_jobs: int | None,
    nested: bool,
) -> Tuning:
    """Search, and fit the best candidate on all rows; see :meth:`Tunable.tune`.

    begin : makes the front of a classifier and its examples.
    """
    _check(folds, n_jobs)
    score, front = get_scoring(scoring), begin(examples)
    candidates = front.default_candidates() if grid is None else list_candidates(grid)
    candidates = _distinct(front, candidates)
    names = read_labels(len(front.examples), labels, rows_name="examples")
    data = TrialData(front.examples, names, front.keys)
    found = _search(front, candidates, data, folds, score, n_jobs, "trying candidates")
    worth: list[float] = []
    if nested:
        worth = _judge_search(front, candidates, data, folds, score, n_jobs)
    # what was given, and not what was made of it: a table tells the names of its columns
    whole = front.examples if isinstance(examples, Iterator) else examples
    known = names if isinstance(labels, Iterator) else labels
    best = front.make(found[0].parameters).fit(whole, known)
    return Tuning(tuple(found), best, folds, scoring, tuple(worth))


def _search(
    front: Front[R],
    candidates: Sequence[Candidate],
    data: TrialData,
    folds: int,
    scoring: Scoring,
    n_jobs: int | None,
    what: str,
) -> list[Trial]:
    """Return all trials, the best first."""
    left = [Trial(number, candidate) for number, candidate in enumerate(candidates)]
    behind: list[Trial] = []
    rungs = halving.choose_rungs(data.labels, data.keys)
    for number, rows in enumerate(rungs, 1):
        part = data if len(rows) == len(data.labels) else data.take(rows)
        said = f"{what} ({len(left)} on {plural(len(rows), 'row')})"
        judged = judge(front, left, part, folds=folds, scoring=scoring, n_jobs=n_jobs, what=said)
        # equal means in the order of the candidates, which begin with what is simplest
        ranked = sorted(judged, key=lambda trial: (-trial.mean, trial.number))
        keep = len(ranked) if number == len(rungs) else halving.count_left(len(ranked))
        behind = ranked[keep:] + behind
        left = ranked[:keep]
    return left + behind


def _judge_search(
    front: Front[R],
    candidates: Sequence[Candidate],
    data: TrialData,
    folds: int,
    scoring: Scoring,
    n_jobs: int | None,
) -> list[float]:
    """Score the search itself: each fold is answered by what a search on the others found."""
    fold_of = of_labels(data.labels).deal(data.labels, folds, data.keys)
    worth = []
    for number in range(folds):
        asked = np.flatnonzero(fold_of == number)
        if not len(asked):
            continue
        learnt = data.take(np.flatnonzero(fold_of != number))
        what = f"searching without part {number + 1} of {folds}"
        found = _search(front, candidates, learnt, folds, scoring, n_jobs, what)
        best = front.make(found[0].parameters).fit(learnt.examples, learnt.labels)
        held = data.take(asked)
        worth.append(float(scoring(held.labels, best.predict(held.examples).tolist())))
    return worth


def _distinct(front: Front[Any], candidates: Sequence[Candidate]) -> list[Candidate]:
    """Check the candidates before anything is learnt, and leave out those that are the same."""
    seen: set[str] = set()
    distinct = []
    for number, candidate in enumerate(candidates):
        known = front.make({}).get_params(deep=False)
        unknown = [name for name in candidate if name not in known]
        if unknown:
            wanted = f"parameters of {type(front.make({})).__name__}"
            raise InputError(who="tune", parameter="grid", got=unknown[0], wanted=wanted)
        made = front.make(candidate)
        try:
            made.check_parameters()
        except InputError as error:
            place = f"candidate {number + 1}"
            raise error.replaced(
                who=f"tune: {place}" + (f": {error.who}" if error.who else "")
            ) from None
        key = repr(sorted(made.get_params(deep=False).items()))
        if key not in seen:
            seen.add(key)
            distinct.append(candidate)
    return distinct


def _check(folds: int, n_jobs: int | None) -> None:
    if type(folds) is not int or not 2 <= folds <= MOST_FOLDS:
        wanted = f"a whole number from 2 to {MOST_FOLDS}"
        raise InputError(who="tune", parameter="folds", got=folds, wanted=wanted)
    count_workers(n_jobs)
