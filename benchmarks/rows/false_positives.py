"""Whether a false-positive rate that was asked for is kept on new rows.

The sets of the row ``imbalance``, five random splits each. A threshold is chosen on a fifth of the
training part that the model has not seen, nor its vocabulary: for the rate of these rows, and with
95 % confidence for rows like these, as ``train --max-false-positive`` chooses it.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from benchmarks import rule_trials as trials
from benchmarks.corpora import Missing
from benchmarks.harness import Figure, Grid, Settings
from benchmarks.rows.imbalance import FIFTH, SEED, SPLITS, learner

TITLE = "False-positive rates that were asked for, and came out"
RATES = (0.01, 0.001)
HEAD = ("asked for, of 1,000", "confidence", "false positives of 1,000", "above the rate", "recall")


class Scored(NamedTuple):
    """Scores of held-out and of test rows, and which rows are of the rare class."""

    held: np.ndarray
    held_truth: np.ndarray
    test: np.ndarray
    test_truth: np.ndarray


def of_texts(parts: Callable[[np.random.Generator], tuple[Any, Any]], rare: str) -> Any:
    """Return what scores the texts of a split."""

    def score(draw: np.random.Generator) -> Scored:
        from hardlimit import TextClassifier
        from hardlimit.evaluation import stratified_holdout

        train, test = parts(draw)
        truth, test_truth = ([label == rare for label in part.labels] for part in (train, test))
        kept, held = stratified_holdout(train.texts, truth, 1 / FIFTH)
        fitted = TextClassifier(words=(1, 2), chars=None)
        fitted.fit([train.texts[i] for i in kept], [truth[i] for i in kept])
        scores = fitted.decision_function([train.texts[i] for i in held])
        found = np.array([truth[i] for i in held])
        return Scored(scores, found, fitted.decision_function(test.texts), np.array(test_truth))

    return score


def of_numbers(draw: np.random.Generator) -> Scored:
    """Score the rows of w8a."""
    split = trials.rare_numbers(draw)
    held = np.arange(len(split.y)) % FIFTH == 0
    score = learner().fit(split.X[~held], split.y[~held]).decision_function
    return Scored(score(split.X[held]), split.y[held] > 0, score(split.X_test), split.y_test > 0)


SETS: dict[str, Callable[[np.random.Generator], Scored]] = {
    "SMS, spam cut to 5 %": of_texts(trials.parts_of_messages, "spam"),
    "one newsgroup of 20": of_texts(trials.parts_of_groups, "sci.electronics"),
    "w8a, 3 % positive": of_numbers,
}


def figures(settings: Settings, skipped: list[str]) -> Iterator[Figure | Grid]:
    """Yield how often the rate is kept, and a table a set."""
    numbers = range(1 if settings.quick else SPLITS)
    kept = n = 0
    for name, score in SETS.items():
        try:
            splits = [score(np.random.default_rng([SEED, number])) for number in numbers]
        except Missing as missing:
            skipped.append(f"{name}: {missing}")
            continue
        lines = []
        for rate in RATES:
            for confidence in (None, 0.95):
                found = [measure(one, rate, confidence) for one in splits]
                above = sum(false > rate for false, _ in found)
                if confidence is not None and rate == RATES[0]:
                    kept, n = kept + len(found) - above, n + len(found)
                lines.append(line(rate, confidence, found, above))
        yield Grid(name, HEAD, tuple(lines))
    if n:
        of = f"{kept} of {n} splits"
        yield Figure(
            f"a rate of {RATES[0]:g} with 95 % confidence is kept", 100 * kept / n, "%", ours=of
        )


def measure(scored: Scored, rate: float, confidence: float | None) -> tuple[float, float]:
    """Return the shares of the common and of the rare test rows that are called rare."""
    from hardlimit.evaluation import threshold_for_false_positives

    choice = threshold_for_false_positives(
        scored.held.tolist(), scored.held_truth.tolist(), rate, confidence=confidence
    )
    said = scored.test > choice.threshold
    return float(said[~scored.test_truth].mean()), float(said[scored.test_truth].mean())


def line(
    rate: float, confidence: float | None, found: list[tuple[float, float]], above: int
) -> tuple[str, ...]:
    """Return a line of the table."""
    false, recall = (statistics.mean(column) for column in zip(*found, strict=True))
    return (
        f"{1000 * rate:g}",
        "none" if confidence is None else f"{100 * confidence:g} %",
        f"{1000 * false:.1f}",
        f"{above} of {len(found)}",
        f"{100 * recall:.1f}",
    )
