"""How many of 100 random separable sets are separated, both sides with their defaults."""

from __future__ import annotations

import warnings
from collections.abc import Iterator

from benchmarks.contestants import need
from benchmarks.generators import separable_set
from benchmarks.harness import Figure, Settings

TITLE = "100 drawn separable sets (10 columns, 500 rows, margin at least 0.02)"
N_SETS = 100


def figures(settings: Settings, skipped: list[str]) -> Iterator[Figure]:
    """Yield one figure: the sets without a training error."""
    need("sklearn.linear_model")
    from sklearn.linear_model import Perceptron

    from hardlimit import LinearClassifier

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ours = sum(separates(LinearClassifier(readout="last"), number) for number in range(N_SETS))
        theirs = sum(separates(Perceptron(), number) for number in range(N_SETS))
    yield Figure(
        "sets separated, defaults",
        ours,
        unit=f"of {N_SETS}",
        target=N_SETS,
        ours='LinearClassifier(readout="last")',
        theirs=f"Perceptron() {theirs} of {N_SETS}",
    )


def separates(model, number: int) -> bool:
    """Return whether the fitted model predicts every training row correctly."""
    X, y = separable_set(number)
    return bool((model.fit(X, y).predict(X) == y).all())
