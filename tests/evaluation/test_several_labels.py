"""Figures of several labels a row: counted by hand, and those of scikit-learn."""

import numpy as np
import pytest

from hardlimit import evaluation
from hardlimit.exceptions import InputError

from ..rounding import near


def test_by_hand():
    true = [[1, 0, 0], [1, 1, 0], [0, 1, 0], [1, 0, 0]]
    said = [[1, 0, 0], [1, 0, 0], [1, 1, 0], [1, 1, 0]]
    found = evaluation.figures_of_labels(true, said, labels=["a", "b", "c"])
    assert (found.n, found.exact, found.exact_match) == (4, 1, 0.25)
    a, b, c = found.labels
    assert (a.label, a.support, a.predicted, a.right) == ("a", 3, 4, 3)
    assert (a.precision, a.recall) == (0.75, 1.0)
    assert (b.support, b.predicted, b.right, b.f1) == (2, 2, 1, 0.5)
    assert (c.support, c.predicted, c.precision, c.recall, c.f1) == (0, 0, 0, 0, 0)
    assert found.accuracies == (0.75, 0.5, 1.0)
    assert found.micro_precision == 4 / 6 and found.micro_recall == 4 / 5
    assert found.hamming_loss == near(3 / 12, 4)
    assert "exact match 0.2500  (1 of 4" in str(found)
    assert found.to_json()["labels"][1]["accuracy"] == 0.5


def test_the_figures_of_scikit_learn():
    metrics = pytest.importorskip("sklearn.metrics")
    rng = np.random.default_rng(0)
    true, said = rng.random((50, 4)) < 0.3, rng.random((50, 4)) < 0.4
    found = evaluation.figures_of_labels(true, said)
    assert found.micro_f1 == near(metrics.f1_score(true, said, average="micro"), 100)
    assert found.macro_f1 == near(metrics.f1_score(true, said, average="macro"), 100)
    assert found.hamming_loss == near(metrics.hamming_loss(true, said), 100)
    assert found.exact_match == metrics.accuracy_score(true, said)


@pytest.mark.parametrize(
    ("true", "said", "labels"),
    [
        ([], [], None),
        ([[1]], [[1], [0]], None),
        ([[1, 0]], [[1]], None),
        ([[1, 0]], [[1, 0]], ["a"]),
    ],
)
def test_what_is_refused(true, said, labels):
    with pytest.raises(InputError, match="figures_of_labels"):
        evaluation.figures_of_labels(true, said, labels=labels)
