"""Every compiled rule against real numbers: 20 epochs of noisy examples, equal to 1e-9."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import pytest
import scipy.sparse as sp

from hardlimit import (
    KernelClassifier,
    LinearClassifier,
    guards,
    kernels,
    orders,
    readouts,
    rules,
    schedules,
    textbook,
)
from hardlimit.exceptions import InputError
from hardlimit.foundation.exact_numbers import dot
from hardlimit.textbook.asking import ask

from .real_numbers import Real, use_real_numbers

SEED = 3
EPOCHS = 20
CLEAR = 1e-12  # a margin that is nearer to what is required is decided by rounding
# Parameters under which noisy examples let a rule settle down.
SETTINGS = {"adatron": {"C": 1.0}, "dynamic-margin": {"epsilon": 0.5}}


class Shape(NamedTuple):
    """A set of examples, and how it is learnt."""

    classes: int = 2
    multiclass: str = "coupled"
    bias: bool = True
    sparse: bool = False
    order: str = "cyclic"
    weighted: bool = False


SHAPES = {
    "two classes": Shape(),
    "no bias, shuffled": Shape(bias=False, order="shuffled"),
    "coupled": Shape(3),
    "one-vs-rest, weighted": Shape(3, "ovr", weighted=True),
    "sparse columns of many scales": Shape(sparse=True),
}
QUICK = {"two classes": 24, "coupled": 9, "sparse columns of many scales": 16}  # rows


pytestmark = pytest.mark.filterwarnings("ignore::hardlimit.exceptions.ScaleWarning")


@pytest.fixture(autouse=True)
def real_numbers(monkeypatch, request):
    use_real_numbers(monkeypatch, bits=5000 if "longer" in request.node.name else 2000)


def make_rules():
    """All rules, and both covariances of those that keep one."""
    for name in rules.names():
        rule = rules.get(name, **SETTINGS.get(name, {}))
        yield pytest.param(rule, id=name)
        if hasattr(rule, "covariance") and rule.answers == "tau, beta":
            other = "full" if rule.covariance == "diagonal" else "diagonal"
            yield pytest.param(rule.set_params(covariance=other), id=f"{name}-{other}")


class Drawn(NamedTuple):
    X: np.ndarray
    y: np.ndarray
    weights: np.ndarray | None


def draw(shape, rule, n, seed):
    """A plane with a seventh of all labels wrong; columns of lengths of their own."""
    rng = np.random.default_rng([seed, n])
    columns = 4 if shape.sparse else 3
    X = rng.normal(size=(n, columns)) * rng.gamma(2, 1, columns)
    if shape.sparse:
        X = np.where(rng.random(X.shape) < 0.7, X, 0.0) * 10.0 ** rng.integers(-2, 3, columns)
    if rule.answers in ("tau, linked", "factor"):  # weights grow by powers of the values
        X = X / abs(X).max()
    if rule.nonnegative:
        X = abs(X)
    y = (X @ rng.normal(size=(columns, shape.classes))).argmax(1)
    wrong = rng.random(n) < 0.15
    y[wrong] = rng.integers(0, shape.classes, wrong.sum())
    weights = rng.choice([0.5, 1.0, 2.0] if rule.weighs else [1.0], n) if shape.weighted else None
    return Drawn(X, y, weights)


def fit(rule, shape, drawn, make=LinearClassifier, **settings):
    X = sp.csr_array(drawn.X) if shape.sparse else drawn.X
    clf = make(
        rule=rule, order=shape.order, until=None, max_iter=EPOCHS, multiclass=shape.multiclass,
        readout="last", fit_intercept=shape.bias, random_state=SEED,
        keep=("averaged",) if has_average(rule) else (), **settings,
    )  # fmt: skip
    return clf.fit(X, drawn.y, sample_weight=drawn.weights)


def has_average(rule):
    return not readouts.reason_against("averaged", rule, "online")


def rows_of(order, n):
    def rows(epoch):
        positions = orders.resolve(order).positions(n, SEED, epoch - 1)
        return range(n) if positions is None else positions.tolist()

    return rows


def learn(rule, shape, drawn, see=list, **settings):
    """The runs of the textbook in real numbers: one, or one for each class."""
    settings |= {"until": None, "max_iter": EPOCHS, "order": rows_of(shape.order, len(drawn.y))}
    own = {"bias_feature": 1 if shape.bias else None, "number": Real}
    X, labels = [see(row) for row in drawn.X.tolist()], drawn.y.tolist()
    if shape.classes > 2 and shape.multiclass == "coupled":
        return [textbook.run(textbook.coupled(X, labels, rule, **own, **settings))]
    found = []
    for side in range(shape.classes) if shape.classes > 2 else [1]:
        targets = [1 if label == side else -1 for label in labels]
        ex = textbook.examples(X, targets, sample_weight=drawn.weights, **own)
        found.append(textbook.run(textbook.incremental(ex, rule, **settings)))
    return found


def is_clear(runs):
    """Whether no decision falls where a float cannot tell."""
    for step in (step for run in runs for step in run.steps):
        assert step.margin.is_precise, "more bits are needed"
        if abs(float(step.required)) == math.inf:
            continue
        gap = float(abs(step.margin - step.required))
        length = sum(float(w) ** 2 for w in step.w_before) * sum(float(z) ** 2 for z in step.z)
        if gap < CLEAR * length**0.5:
            return False
    return True


def draw_clear(rule, shape, n, seed=0, given=None, **settings):
    """The first draw that decides clearly, and its runs."""
    for attempt in range(20):
        drawn = draw(shape, rule, n, 100 * seed + attempt)
        runs = learn(given or rule, shape, drawn, **settings)
        if is_clear(runs):
            return drawn, runs
    raise AssertionError("no examples without a tie in twenty draws")


def compare(found, expected, what):
    expected = np.array([float(value) for value in expected])
    error = abs(found - expected).max() / abs(expected).max()
    # Some 1e4 roundings a weight, and rules that divide by lengths make a thousand times more.
    assert error < 1e-9, f"{what}: {error:.2g}"


def weights(clf, bias):
    parts = [clf.coef_, clf.intercept_[:, None]] if bias else [clf.coef_]
    return np.hstack(parts).ravel()


def mean(run):
    columns = zip(*(step.w_after for step in run.steps), strict=True)
    return [sum(column) / len(run.steps) for column in columns]


def check(clf, runs, bias):
    """The same corrections, the same weights, the same averages."""
    assert clf.n_corrections_ == sum(run.outcome.corrections for run in runs)
    compare(weights(clf, bias), [v for run in runs for v in run.outcome.w], "last")
    if has_average(clf.rule):
        averaged = clf.with_readout("averaged")
        compare(weights(averaged, bias), [v for run in runs for v in mean(run)], "averaged")


def check_rule(rule, shape, n, seed=0):
    if rule.alone and shape == SHAPES["coupled"]:
        pytest.skip(f"coupled: {rule.alone}")
    if rule.answers == "factor" and not shape.bias:
        pytest.skip("the threshold is the weight of the bias")
    drawn, runs = draw_clear(rule, shape, n, seed)
    check(fit(rule, shape, drawn), runs, shape.bias)


@pytest.mark.parametrize("shape", QUICK)
@pytest.mark.parametrize("rule", list(make_rules()))
def test_every_rule(rule, shape):
    check_rule(rule, SHAPES[shape], QUICK[shape])


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("rule", list(make_rules()))
def test_every_rule_for_longer(rule, shape, seed):
    check_rule(rule, SHAPES[shape], 60, seed)


@pytest.mark.parametrize(
    "schedule", ["0.5", "1/step", "1/sqrt(step)", "1/(2+step/3)", "projection"]
)
@pytest.mark.parametrize("name", [n for n in rules.names() if rules.get(n).takes_schedule])
def test_schedules(name, schedule):
    rule, shape, given = rules.get(name), Shape(), schedules.resolve(schedule)
    if schedule == "projection" and name != "margin-perceptron":
        pytest.skip("projected onto a margin of 0, or by the rule itself")
    drawn, runs = draw_clear(rule, shape, 10, schedule=given)
    check(fit(rule, shape, drawn, schedule=given), runs, shape.bias)


GUARDS = {
    "lambda-trick": guards.LambdaTrick(1.5),
    "alpha-bound": guards.AlphaBound(4),
    "margin": guards.Margin(2.0),
    "box-constraint": guards.BoxConstraint(1.75),
}


@pytest.mark.parametrize("guard", guards.names())
@pytest.mark.parametrize("name", rules.names())
def test_guards(name, guard):
    rule, guard, shape = rules.get(name, **SETTINGS.get(name, {})), GUARDS[guard], Shape()
    try:
        guards.check((guard,), rule)
    except InputError as refusal:
        pytest.skip(str(refusal))
    drawn, runs = draw_clear(rule, shape, 10, **in_the_textbook(guard, rule))
    check(fit(rule, shape, drawn, guard=guard), runs, shape.bias)


def in_the_textbook(guard, rule):
    if isinstance(guard, guards.BoxConstraint):
        return {"given": Boxed(rule, guard.C)}
    numbers = guard.get_params()
    return {
        "guard": textbook.Guard(numbers.get("b", 0), numbers.get("lam", 0), numbers.get("alpha"))
    }


class Boxed:
    """A rule that leaves an example alone whose tau add up to C: the guard, as a rule."""

    def __init__(self, rule, C):
        self.rule, self.C = rule, C

    def __getattr__(self, name):
        return getattr(self.rule, name)

    def required(self, margin, sqnorm, step, wsq, weight, y, variance, n_i, alpha_i):
        if alpha_i >= self.C:
            return -math.inf
        given = {key: value for key, value in locals().items() if key != "self"}
        return ask(self.rule.required, given)


ADDITIVE = [n for n in rules.names() if rules.get(n).answers in ("tau", "shrink, tau")]


def see_as_polynomial(row):
    """The columns of ``(1 + <x, x'>)^2``."""
    pairs = [Real(a) * b for a in row for b in row]
    return [Real(1), *(Real(2).sqrt() * a for a in row), *pairs]


@pytest.mark.parametrize("kernel", ["linear", "polynomial"])
@pytest.mark.parametrize("name", ADDITIVE)
def test_the_dual_form(name, kernel):
    rule, shape = rules.get(name, **SETTINGS.get(name, {})), Shape()
    see = see_as_polynomial if kernel == "polynomial" else list
    drawn, runs = draw_clear(rule, shape, 10, see=see)
    own = kernels.Polynomial(2, 1) if kernel == "polynomial" else kernels.Linear()
    clf = fit(rule, shape, drawn, KernelClassifier, kernel=own)
    [run] = runs
    assert clf.n_corrections_ == run.outcome.corrections
    scores = [dot(run.outcome.w, (*see(row), 1)) for row in drawn.X.tolist()]
    compare(clf.decision_function(drawn.X), scores, "scores")
