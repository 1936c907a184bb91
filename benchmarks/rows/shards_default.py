"""Shards with the default mixing and read-out beside one run, on the shared sets of texts.

Each accuracy is the mean over several orders: of a set with a thousand held-out texts one order
tells no more than two thousandths. Rows are those of ``TextClassifier``, made once a set.
"""

from __future__ import annotations

import statistics
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

from benchmarks.corpora import Missing, load
from benchmarks.harness import Figure, Grid, Settings

TITLE = "Shards by default: accuracy beside one run"
SETS = ("enron_spam", "imdb", "20newsgroups", "banking77", "sms_spam")
RULES = ("passive-aggressive", "perceptron")
SHARDS = (1, 8, 16)
SEEDS = range(4)
EPOCHS = 10
NEAR = 0.002
GRID = "Accuracy of the default mixing and read-out"


def figures(settings: Settings, skipped: list[str]) -> Iterator[Figure | Grid]:
    """Yield how far 8 and 16 shards stay behind one, and the accuracies."""
    lines: list[tuple[str, ...]] = []
    for name in SETS[-1:] if settings.quick else SETS:
        try:
            rows = make_rows(name)
        except Missing as missing:
            skipped.append(str(missing))
            continue
        for rule in RULES:
            found = {n: accuracy(rows, rule, n) for n in SHARDS}
            lines.append((f"{name}, {rule}", *(f"{found[n]:.4f}" for n in SHARDS)))
            for n in SHARDS[1:]:
                yield Figure(
                    f"accuracy of one shard less that of {n}: {name}, {rule}",
                    round(found[1] - found[n], 4),
                    "",
                    NEAR,
                    "<=",
                    f"{found[n]:.4f}",
                    f"{found[1]:.4f}",
                    f"{EPOCHS} epochs, mean of {len(SEEDS)} orders",
                )
    heads = (f"{n} shard{'s' if n > 1 else ''}" for n in SHARDS)
    yield Grid(GRID, ("corpus, rule", *heads), tuple(lines))


def make_rows(name: str) -> tuple[Any, Any, Any, Any]:
    """Return the rows and labels of both parts of the common split, as texts become by default."""
    from hardlimit import TextClassifier

    train, test = load(name).split()
    # Whose parameters are settled by the texts: the classifier makes the vectorizer.
    vectorizer = TextClassifier(max_iter=1).fit(train.texts, train.labels).vectorizer_
    return (
        vectorizer.transform(train.texts),
        np.array(train.labels),
        vectorizer.transform(test.texts),
        np.array(test.labels),
    )


def accuracy(rows: tuple[Any, Any, Any, Any], rule: str, shards: int) -> float:
    """Return the mean accuracy on held-out texts, over the orders."""
    from hardlimit import LinearClassifier

    X, y, T, truth = rows
    found = []
    for seed in SEEDS:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # columns of unlike lengths are what texts have
            clf = LinearClassifier(
                rule,
                shards=shards,
                bias_feature=0.1,
                until=None,
                max_iter=EPOCHS,
                random_state=seed,
            ).fit(X, y)
        found.append(float(np.mean(clf.predict(T) == truth)))
    return statistics.mean(found)
