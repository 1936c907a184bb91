"""The compiled loops, step for step against the textbook, exactly on data where they are exact."""

from __future__ import annotations

import numpy as np
import pytest

from hardlimit import LinearClassifier, orders, rules, textbook

RULES = ["perceptron", rules.MarginPerceptron(b=3), rules.PassiveAggressive(C=0.5)]
SEED = 5


@pytest.fixture(scope="module")
def integers():
    rng = np.random.default_rng(1)
    return rng.integers(-3, 4, (25, 4)), rng.integers(0, 2, 25), rng.integers(0, 3, 25)


def weights(clf):
    """As the textbook has them, the bias's last."""
    bias = clf.intercept_ / clf.bias_feature
    return [tuple(row) + (b,) for row, b in zip(clf.coef_.tolist(), bias.tolist(), strict=True)]


def classifier(rule, **settings):
    return LinearClassifier(
        rule, readout="last", bias_feature=-1.0, until=None, random_state=SEED, **settings
    )


@pytest.mark.parametrize("rule", RULES, ids=str)
def test_one_by_one(rule, integers):
    X, y, _ = integers
    clf = classifier(rule, order="cyclic")
    steps = textbook.incremental(textbook.examples(X, y), rule, until=None, max_iter=1)
    for step in steps:
        i = step.example
        clf.partial_fit(X[i : i + 1], y[i : i + 1], classes=[0, 1])
        assert weights(clf)[0] == pytest.approx([float(v) for v in step.w_after], rel=1e-12)
        assert clf.n_corrections_ == step.step


@pytest.mark.parametrize("rule", RULES[:2], ids=str)
@pytest.mark.parametrize("order", ["cyclic", "shuffled"])
def test_whole_runs_are_the_same_numbers(rule, order, integers):
    """Integers are exact in floats: equality, not nearly so."""
    X, y, labels = integers
    own = orders.resolve(order)

    def rows(epoch):
        positions = own.positions(len(X), SEED, epoch - 1)
        return range(len(X)) if positions is None else positions.tolist()

    settings = {"order": rows, "until": None, "max_iter": 7}
    clf = classifier(rule, order=order, max_iter=7).fit(X, y)
    found = textbook.run(textbook.incremental(textbook.examples(X, y), rule, **settings))
    assert weights(clf) == [found.outcome.w]
    assert clf.n_corrections_ == found.outcome.corrections
    mean = textbook.mean(textbook.averaged(found.steps, "post"), len(found.steps))
    averaged = clf.with_readout("averaged")
    assert weights(averaged)[0] == pytest.approx([float(v) for v in mean], rel=1e-14)

    clf = classifier(rule, order=order, max_iter=7, multiclass="coupled").fit(X, labels)
    found = textbook.run(textbook.coupled(X, labels.tolist(), rule, **settings))
    assert weights(clf) == list(textbook.rows_of_classes(found.outcome.w, 3))
    assert clf.n_corrections_ == found.outcome.corrections

    clf = classifier(rule, order=order, max_iter=7, multiclass="ovr").fit(X, labels)
    _, targets = textbook.one_against_rest(labels.tolist())
    neurons = textbook.neurons(X, targets, rule, **settings)
    assert weights(clf) == [run.outcome.w for run in neurons]


@pytest.mark.parametrize("until", ["separated", "margin"])
def test_it_stops_where_the_textbook_stops(until):
    X, y = [[-1, -1], [1, -1], [-1, 1], [1, 1]], [-1, 1, 1, 1]
    for rule in ("perceptron", rules.MarginPerceptron(b=1), rules.MarginPerceptron(b=4)):
        clf = LinearClassifier(
            rule, order="cyclic", readout="last", bias_feature=-1.0, until=until, max_iter=50
        ).fit(X, y)
        ex = textbook.examples(X, y)
        outcome = textbook.run(textbook.incremental(ex, rule, until=until, max_iter=50)).outcome
        assert (clf.n_iter_, clf.stop_reason_) == (outcome.epochs, outcome.reason)
        assert weights(clf) == [outcome.w]
