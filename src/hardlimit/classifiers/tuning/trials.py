"""How candidates are judged: k-fold, the features counted once for all that share them."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from hardlimit.classifiers.targets import Labels, of_labels
from hardlimit.classifiers.tuning.candidates import OF_FEATURES, Candidate
from hardlimit.examples._protocol import Examples
from hardlimit.exceptions import Given, InputError
from hardlimit.foundation.types import Array
from hardlimit.foundation.workers import map_in_order

if TYPE_CHECKING:
    from hardlimit.classifiers.tuning.fronts import Front, R

Scoring = Callable[[Labels, Sequence[Hashable]], float]


@dataclass(frozen=True, slots=True)
class Trial:
    """One candidate and how it was judged.

    Attributes
    ----------
    number
        Its place among the candidates, from 0.
    parameters
        What it differs in from the classifier that is tuned.
    scores
        One a fold, on the rows of the last rung that it reached.
    n_rows
        How many these are.
    seconds
        Processor time of learning and answering, without the features that it shares.
    """

    number: int
    parameters: Candidate
    scores: tuple[float, ...] = ()
    n_rows: int = 0
    seconds: float = 0.0

    @property
    def mean(self) -> float:
        """The mean over the folds."""
        return math.fsum(self.scores) / len(self.scores)

    @property
    def standard_error(self) -> float:
        """Of the mean, from the spread of the folds; they share rows, so it is a little small."""
        n, mean = len(self.scores), self.mean
        if n < 2:
            return 0.0
        spread = math.fsum((score - mean) * (score - mean) for score in self.scores)
        return math.sqrt(spread / (n - 1) / n)


@dataclass(frozen=True, slots=True)
class TrialData:
    """Examples with their labels, and keys that are equal where examples are."""

    examples: Examples
    labels: Labels
    keys: Sequence[Hashable] | None

    def take(self, rows: Array) -> TrialData:
        """Return some of the rows."""
        places = rows.tolist()
        keys = None if self.keys is None else [self.keys[i] for i in places]
        labels = of_labels(self.labels).take(self.labels, rows)
        return TrialData(self.examples.take(places), labels, keys)


@dataclass(frozen=True, slots=True)
class _Job:
    """One fold of the candidates that share their features."""

    trials: tuple[Trial, ...]
    learnt: TrialData
    asked: TrialData


def judge(
    front: Front[R],
    trials: Sequence[Trial],
    data: TrialData,
    *,
    folds: int,
    scoring: Scoring,
    n_jobs: int | None,
    what: str,
) -> list[Trial]:
    """Return the trials with their scores on these rows, in the same order."""
    targets = of_labels(data.labels)
    fold_of = targets.deal(data.labels, folds, data.keys)
    if not (fold_of >= 0).any():
        got, least = targets.describe_few(data.labels)
        wanted = f"{least}, of which one is learnt and the other asked"
        raise InputError(who="tune", parameter="labels", got=Given(got), wanted=wanted)
    parts = [np.flatnonzero(fold_of == number) for number in range(folds)]
    jobs = []
    for asked in parts:
        if not len(asked):
            continue
        known = np.ones(len(data.labels), bool)
        known[asked] = False
        learnt = data.take(np.flatnonzero(known))
        held = data.take(asked)
        jobs += [_Job(group, learnt, held) for group in _group(front, trials)]

    def run(job: _Job) -> list[tuple[int, float, float]]:
        return _run(front, job, scoring)

    scores: dict[int, list[float]] = {trial.number: [] for trial in trials}
    seconds = dict.fromkeys(scores, 0.0)
    for found in map_in_order(run, jobs, n_jobs, what):
        for number, score, took in found:
            scores[number].append(score)
            seconds[number] += took
    return [
        replace(
            trial,
            scores=tuple(scores[trial.number]),
            seconds=seconds[trial.number],
            n_rows=len(data.labels),
        )
        for trial in trials
    ]


def _run(front: Front[R], job: _Job, scoring: Scoring) -> list[tuple[int, float, float]]:
    """Count the features of one fold once; learn, answer and score with each candidate."""
    learnt, asked = front.count(job.trials[0].parameters, job.learnt.examples, job.asked.examples)
    found = []
    for trial in job.trials:
        began = time.thread_time()
        answers = front.answer(trial.parameters, learnt, job.learnt.labels, asked)
        score = scoring(job.asked.labels, answers)
        found.append((trial.number, float(score), time.thread_time() - began))
    return found


def _group(front: Front[R], trials: Sequence[Trial]) -> list[tuple[Trial, ...]]:
    """Put candidates together that count the same features."""
    groups: dict[str, list[Trial]] = {}
    for trial in trials:
        features = {k: v for k, v in trial.parameters.items() if k in OF_FEATURES}
        # numbers have no features to share, so each candidate is work of its own
        key = repr(sorted(features.items())) if front.shares_features else str(trial.number)
        groups.setdefault(key, []).append(trial)
    return [tuple(group) for group in groups.values()]
