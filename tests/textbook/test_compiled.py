"""The compiled loops, step for step against the textbook: every rule, order, schedule and guard."""

from __future__ import annotations

import numpy as np
import pytest

from hardlimit import LinearClassifier, guards, orders, rules, schedules, textbook

from ..rounding import near

SEED = 5
EPOCHS = 6
ADDITIVE = [n for n in rules.names() if rules.get(n).answers in ("tau", "shrink, tau")]
ON_INTEGERS = {"perceptron": {}, "margin-perceptron": {"b": 3}, "paum": {"tau_plus": 2}}


def data(kind):
    """Integers are exact in floats; on others no margin meets what is required by chance."""
    rng = np.random.default_rng(1)
    X = rng.integers(-3, 4, (25, 4)).astype(float)
    if kind == "floats":
        X = rng.normal(size=(25, 4))
    return X, rng.integers(0, 2, 25), rng.integers(0, 3, 25)


def weights(clf):
    """As the textbook has them, the bias's last."""
    bias = clf.intercept_ / clf.bias_feature
    return [tuple(row) + (b,) for row, b in zip(clf.coef_.tolist(), bias.tolist(), strict=True)]


def classifier(rule, **settings):
    given = {"until": None, "max_iter": EPOCHS, **settings}
    return LinearClassifier(rule, readout="last", bias_feature=-1.0, random_state=SEED, **given)


def rows_of(order, n):
    own = orders.resolve(order)

    def rows(epoch):
        positions = own.positions(n, SEED, epoch - 1)
        return range(n) if positions is None else positions.tolist()

    return rows


def nearly(w):
    return near([float(v) for v in w], 20_000)


@pytest.mark.parametrize("name", [n for n in rules.names() if not rules.get(n).remembers])
def test_one_by_one(name):
    """After every single example the weights agree, and the number of corrections."""
    rule = rules.get(name)
    X, y, _ = data("floats")
    if getattr(rule, "nonnegative", False):
        X = abs(X.round())
    clf = classifier(rule, order="cyclic")
    ex = textbook.examples(X, y, number=float)
    for step in textbook.incremental(ex, rule, until=None, max_iter=1):
        i = step.example
        clf.partial_fit(X[i : i + 1], y[i : i + 1], classes=[0, 1])
        assert weights(clf)[0] == nearly(step.w_after)
        assert clf.n_corrections_ == step.step


@pytest.mark.parametrize("name", ON_INTEGERS)
@pytest.mark.parametrize("order", ["cyclic", "shuffled", "random"])
def test_whole_runs_are_the_same_numbers(name, order):
    """Integers: equality, not nearly so, in all three schemes."""
    rule = rules.get(name, **ON_INTEGERS[name])
    X, y, labels = data("integers")
    settings = {"order": rows_of(order, len(X)), "until": None, "max_iter": EPOCHS}
    clf = classifier(rule, order=order).fit(X, y)
    found = textbook.run(textbook.incremental(textbook.examples(X, y), rule, **settings))
    assert weights(clf) == [found.outcome.w]
    assert clf.n_corrections_ == found.outcome.corrections
    mean = textbook.mean(textbook.average(found.steps, "post"), len(found.steps))
    assert weights(clf.with_readout("averaged"))[0] == nearly(mean)
    clf = classifier(rule, order=order, multiclass="ovr").fit(X, labels)
    _, targets = textbook.one_against_rest(labels.tolist())
    neurons = textbook.neurons(X, targets, rule, **settings)
    assert weights(clf) == [run.outcome.w for run in neurons]
    if not rule.alone:
        clf = classifier(rule, order=order, multiclass="coupled").fit(X, labels)
        found = textbook.run(textbook.coupled(X, labels.tolist(), rule, **settings))
        assert weights(clf) == list(textbook.rows_of_classes(found.outcome.w, 3))
        assert clf.n_corrections_ == found.outcome.corrections


@pytest.mark.parametrize("name", ADDITIVE)
def test_coupled_classes(name):
    rule = rules.get(name)
    if rule.alone:
        pytest.skip(f"{name}: {rule.alone}")
    X, _, labels = data("floats")
    clf = classifier(rule, order="cyclic", multiclass="coupled", max_iter=3).fit(X, labels)
    run = textbook.coupled(X, labels.tolist(), rule, number=float, until=None, max_iter=3)
    outcome = textbook.run(run).outcome
    for row, expected in zip(weights(clf), textbook.rows_of_classes(outcome.w, 3), strict=True):
        assert row == nearly(expected)
    assert clf.n_corrections_ == outcome.corrections


@pytest.mark.parametrize("name", [n for n in rules.names() if rules.get(n).batch])
@pytest.mark.parametrize("combine", [None, "sum", "average"])
def test_batches(name, combine):
    rule = rules.get(name)
    if name == "relaxation":
        rule = rules.Relaxation(eta=0.05)
    X, y, _ = data("floats")
    clf = classifier(rule, order=orders.Batch(combine)).fit(X, y)
    run = textbook.batch(
        textbook.examples(X, y, number=float), rule, combine=combine, until=None, max_iter=EPOCHS
    )
    outcome = textbook.run(run).outcome
    assert weights(clf)[0] == nearly(outcome.w)
    assert clf.n_corrections_ == outcome.corrections


@pytest.mark.parametrize("name", ADDITIVE)
def test_the_worst_first(name):
    rule = rules.get(name)
    X, y, _ = data("floats")
    clf = classifier(rule, order="worst", max_iter=2).fit(X, y)
    ex = textbook.examples(X, y, number=float)
    outcome = textbook.run(textbook.minover(ex, rule, max_iter=2 * len(X))).outcome
    assert weights(clf)[0] == nearly(outcome.w)
    assert clf.n_corrections_ == outcome.corrections


@pytest.mark.parametrize("order", ["cyclic", "batch", "worst"])
@pytest.mark.parametrize(
    "schedule", ["1/step", "1/sqrt(step)", "1/(2+step/3)", "0.5", "projection"]
)
def test_schedules(schedule, order):
    if (schedule, order) == ("projection", "batch"):
        pytest.skip("the classifier refuses it")
    rule = rules.MarginPerceptron(b=1)
    X, y, _ = data("floats")
    clf = classifier(rule, order=order, schedule=schedules.resolve(schedule), max_iter=3).fit(X, y)
    picks = 3 if order != "worst" else 3 * len(X)
    found = textbook.trace(
        X, y, rule, order=order, schedule=schedule, exact=False, until=None, max_iter=picks
    )
    assert weights(clf)[0] == nearly(found.outcome.w)
    assert clf.n_corrections_ == found.outcome.corrections


def test_the_line_search():
    X, y, _ = data("floats")
    rule = rules.Relaxation(eta=1, b=1)
    clf = classifier(rule, order="batch", schedule=schedules.LineSearch()).fit(X, y)
    settings = {"until": None, "max_iter": EPOCHS}
    ex = textbook.examples(X, y, number=float)
    batch = textbook.run(textbook.batch(ex, rule, schedule=schedules.LineSearch(), **settings))
    descent = textbook.run(textbook.descend(ex, "J_r", b=1, rate="line-search", **settings))
    assert weights(clf)[0] == nearly(batch.outcome.w)
    assert weights(clf)[0] == nearly(descent.outcome.w)


@pytest.mark.parametrize("order", ["cyclic", "batch", "worst"])
@pytest.mark.parametrize(
    "guard",
    [
        guards.AlphaBound(2),
        guards.LambdaTrick(1.5),
        (guards.LambdaTrick(0.5), guards.AlphaBound(3), guards.Margin(2)),
    ],
    ids=["alpha", "lambda", "all"],
)
def test_guards(guard, order):
    X, y, _ = data("floats")
    clf = classifier("perceptron", order=order, guard=guard).fit(X, y)
    picks = EPOCHS if order != "worst" else EPOCHS * len(X)
    found = textbook.trace(X, y, order=order, guard=guard, exact=False, until=None, max_iter=picks)
    assert weights(clf)[0] == nearly(found.outcome.w)
    assert clf.n_corrections_ == found.outcome.corrections


@pytest.mark.parametrize("until", ["separated", "margin"])
@pytest.mark.parametrize("order", ["cyclic", "batch"])
def test_it_stops_where_the_textbook_stops(order, until):
    X, y = [[-1, -1], [1, -1], [-1, 1], [1, 1]], [-1, 1, 1, 1]
    for rule in (rules.Perceptron(), rules.MarginPerceptron(b=1), rules.MarginPerceptron(b=4)):
        clf = classifier(rule, order=order, until=until, max_iter=50).fit(X, y)
        found = textbook.trace(X, y, rule, order=order, until=until, max_iter=50)
        assert (clf.n_iter_, clf.stop_reason_) == (found.steps[-1].epoch, found.stop_reason)
        assert weights(clf) == [found.outcome.w]


def test_a_batch_that_stalls():
    X, y = [[-1, -1], [1, -1], [-1, 1], [1, 1]], [-1, 1, 1, -1]
    clf = LinearClassifier("perceptron", order="batch", bias_feature=-1.0).fit(X, y)
    found = textbook.trace(X, y, order="batch")
    assert clf.stop_reason_ == found.stop_reason == "stalled"
    assert clf.n_corrections_ == found.outcome.corrections == 0
    assert clf.history_[-1].mistakes == len(found.outcome.wrong) == 4


def test_a_batch_that_cancels_in_the_weights_alone_goes_on_under_a_guard():
    X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    trace = textbook.trace(X, y, order="batch", guard=guards.LambdaTrick(1))
    clf = LinearClassifier(order="batch", guard=guards.LambdaTrick(1.0), readout="last").fit(X, y)
    assert trace.outcome.reason == clf.stop_reason_ == "settled"
