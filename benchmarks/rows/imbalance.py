"""What class weights, thresholds and refusals do where one class is rare.

Three sets: SMS messages with spam cut to 5 %, posts to one newsgroup against those to 19 others (5
%), and w8a in rows of length 1 (3 %). Thresholds are chosen on a fifth of the training part, which
the classifier then has not seen; the other methods learn from all of it.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks import rule_trials as trials
from benchmarks.corpora import Missing
from benchmarks.harness import Figure, Grid, Settings
from benchmarks.rule_trials import Split

TITLE = "When one class is rare: weights, thresholds, refusals"
SPLITS, SEED, FIFTH = 5, 1969, 5
SETS: dict[str, Callable[[np.random.Generator], Split]] = {
    "SMS, spam cut to 5 %": trials.rare_messages,
    "one newsgroup of 20": trials.one_group,
    "w8a, 3 % positive": trials.rare_numbers,
}
PROBABILITIES = (0.5, 0.8, 0.9, 0.95)
HEAD = ("method", "recall", "precision", "F1", "false positives of 1,000")


@dataclass(frozen=True)
class Answers:
    """What a method says of the test rows: scores of the rare class, and which are called it."""

    scores: np.ndarray
    is_rare: np.ndarray


Method = Callable[[Split], Answers]


def learner(C: float = 1.0, **parameters: Any):
    """Return a classifier with the settings of ``TextClassifier``."""
    return trials.new_classifier(
        "passive-aggressive",
        {"C": C},
        bias_feature=0.1,
        max_iter=trials.TEXT_EPOCHS,
        **parameters,
    )


def by_weights(C: float = 1.0, class_weight: Any = None) -> Method:
    """Return a method: weights of the classes."""

    def work(split: Split) -> Answers:
        fitted = learner(C, class_weight=class_weight).fit(split.X, split.y)
        scores = fitted.decision_function(split.X_test)
        return Answers(scores, scores > 0)

    return work


def by_threshold(choose: Callable[[np.ndarray, np.ndarray], float], weights: Any = None) -> Method:
    """Return a method: a threshold that is chosen on a fifth of the training part."""

    def work(split: Split) -> Answers:
        held = np.arange(len(split.y)) % FIFTH == 0
        fitted = learner(class_weight=weights).fit(split.X[~held], split.y[~held])
        threshold = choose(fitted.decision_function(split.X[held]), split.y[held] > 0)
        scores = fitted.decision_function(split.X_test)
        return Answers(scores, scores > threshold)

    return work


def best_f1(scores: np.ndarray, is_rare: np.ndarray) -> float:
    """Return the threshold of the highest F1."""
    from hardlimit.evaluation.threshold import precision_recall

    points = precision_recall(scores, is_rare)
    return max(points, key=lambda at: f1(at.precision, at.recall)).threshold


def at_rate(rate: float) -> Callable[[np.ndarray, np.ndarray], float]:
    """Return a choice: the lowest threshold with at most that false positive rate."""
    from hardlimit.evaluation.threshold import threshold_for_false_positives

    return lambda scores, is_rare: threshold_for_false_positives(scores, is_rare, rate).threshold


def with_fewer_common(split: Split) -> Answers:
    """Learn from as many common rows as there are rare ones."""
    rare, common = np.flatnonzero(split.y > 0), np.flatnonzero(split.y < 0)
    kept = np.random.default_rng(SEED).permutation(common)[: len(rare)]
    rows = np.sort(np.concatenate([rare, kept]))
    fitted = learner().fit(split.X[rows], split.y[rows])
    scores = fitted.decision_function(split.X_test)
    return Answers(scores, scores > 0)


def by_svc(class_weight: str | None = None) -> Method:
    """Return a method: LinearSVC."""

    def work(split: Split) -> Answers:
        from sklearn.svm import LinearSVC

        fitted = LinearSVC(class_weight=class_weight).fit(split.X, split.y)
        scores = fitted.decision_function(split.X_test)
        return Answers(scores, scores > 0)

    return work


METHODS: dict[str, Method] = {
    "nothing": by_weights(),
    "class weight 2": by_weights(class_weight={1: 2.0, -1: 1.0}),
    "class weight 5": by_weights(class_weight={1: 5.0, -1: 1.0}),
    "balanced": by_weights(class_weight="balanced"),
    "balanced, C = 0.1": by_weights(0.1, "balanced"),
    "as many common rows as rare ones": with_fewer_common,
    "threshold of the best F1": by_threshold(best_f1),
    "threshold, false positive rate 0.01": by_threshold(at_rate(0.01)),
    "threshold, false positive rate 0.001": by_threshold(at_rate(0.001)),
    "class weight 5, threshold of the best F1": by_threshold(best_f1, {1: 5.0, -1: 1.0}),
    "LinearSVC": by_svc(),
    "LinearSVC, balanced": by_svc("balanced"),
}


def figures(settings: Settings, skipped: list[str]) -> Iterator[Figure | Grid]:
    """Yield what is gained on doing nothing, and a table a set."""
    numbers = range(1 if settings.quick else SPLITS)
    for name, draw in SETS.items():
        try:
            splits = [draw(np.random.default_rng([SEED, number])) for number in numbers]
        except Missing as missing:
            skipped.append(f"{name}: {missing}")
            continue
        found = {
            method: [measure(work(split), split.y_test > 0) for split in splits]
            for method, work in METHODS.items()
        }
        yield from gains(name, found)
        yield Grid(name, HEAD, tuple((key, *cells(value)) for key, value in found.items()))
        yield Grid(
            f"{name}: answers of a probability of at least P",
            ("P", "answered", "right of the answered", "recall", "precision"),
            tuple(refusals(splits)),
        )


def measure(answers: Answers, is_rare: np.ndarray) -> tuple[float, float, float, float]:
    """Return recall, precision and F1 in percent, and false positives of 1,000 common rows."""
    both = int((answers.is_rare & is_rare).sum())
    recall = both / int(is_rare.sum())
    precision = both / max(int(answers.is_rare.sum()), 1)
    false = int((answers.is_rare & ~is_rare).sum()) / int((~is_rare).sum())
    return 100 * recall, 100 * precision, 100 * f1(precision, recall), 1000 * false


def f1(precision: float, recall: float) -> float:
    """Return the harmonic mean.

    >>> f1(1.0, 0.5), f1(0.0, 0.0)
    (0.6666666666666666, 0.0)
    """
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def cells(values: list[tuple[float, ...]]) -> list[str]:
    """Return means, and the standard error of F1."""
    recall, precision, harmonic, false = zip(*values, strict=True)
    error = statistics.stdev(harmonic) / len(harmonic) ** 0.5 if len(harmonic) > 1 else 0.0
    return [
        f"{statistics.mean(recall):.1f}",
        f"{statistics.mean(precision):.1f}",
        f"{statistics.mean(harmonic):.1f} ± {error:.1f}",
        f"{statistics.mean(false):.1f}",
    ]


def gains(name: str, found: dict[str, list[tuple[float, ...]]]) -> Iterator[Figure]:
    """Yield how much F1 the best method gains on doing nothing."""
    means = {key: statistics.mean(one[2] for one in values) for key, values in found.items()}
    best = max((key for key in means if "SVC" not in key), key=means.__getitem__)
    yield Figure(
        f"{name}: F1 gained by {best}",
        means[best] - means["nothing"],
        "points",
        ours=f"{means[best]:.1f}",
        theirs=f"nothing {means['nothing']:.1f}, LinearSVC {means['LinearSVC']:.1f}",
    )


def refusals(splits: list[Split]) -> Iterator[tuple[str, ...]]:
    """Yield what remains where answers of a low probability are refused."""
    by_least: dict[float, list[tuple[float, ...]]] = {}
    for split in splits:
        fitted = learner(probability=True).fit(split.X, split.y)
        of_rare = fitted.predict_proba(split.X_test)[:, 1]
        truth, said = split.y_test > 0, of_rare > 0.5
        for least in PROBABILITIES:
            answered = np.maximum(of_rare, 1 - of_rare) >= least
            right = float((said == truth)[answered].mean())
            recall, precision, _, _ = measure(Answers(of_rare, said & answered), truth)
            found = by_least.setdefault(least, [])
            found.append((100 * float(answered.mean()), 100 * right, recall, precision))
    for least, values in by_least.items():
        means = (statistics.mean(column) for column in zip(*values, strict=True))
        yield f"{least:g}", *(f"{mean:.1f}" for mean in means)
