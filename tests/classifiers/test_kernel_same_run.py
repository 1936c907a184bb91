"""Blocks, the whole Gram matrix, and one row at a time make the same corrections, to the bit."""

import numpy as np
import pytest

from hardlimit import KernelClassifier, guards, kernels, rules
from hardlimit.classifiers.model import kernel_training
from hardlimit.engine import Products, dual

ADDITIVE = [name for name in rules.names() if rules.get(name).answers in ("tau", "shrink, tau")]
KERNELS = [kernels.Linear(), kernels.Polynomial(2, 1), kernels.Polynomial(3, 0.1), kernels.RBF(0.3)]


def drawn(seed, n=90, d=5, classes=3):
    draw = np.random.default_rng(seed)
    X = draw.standard_normal((n, d))
    return X, (X[:, 0] * X[:, 1] > 0).astype(int) + (classes > 2) * (X[:, 2] > 1)


def ties(seed, n=120, classes=3):
    """Small whole numbers, each row several times: many margins are exactly 0."""
    draw = np.random.default_rng(seed)
    X = draw.integers(-1, 2, (n, 3)).astype(float)
    return X, draw.integers(0, classes, n)


def far_away(seed, n=60, classes=3):
    """Rows that differ in their last digits only, so that products lose most of theirs."""
    draw = np.random.default_rng(seed)
    return 1e7 + draw.standard_normal((n, 4)), draw.integers(0, classes, n)


def thirds(seed, n=80, classes=3):
    """Whole multiples of 1/3 and 1/10: what would be ties is decided by rounding."""
    X, y = ties(seed, n, classes)
    return X / 3 + 0.1, y


DATA = {"drawn": drawn, "ties": ties, "far away": far_away, "thirds": thirds}


def run(monkeypatch, ahead, make, X, y):
    monkeypatch.setattr(kernel_training, "ahead", lambda products, epochs: ahead)
    monkeypatch.setattr(dual, "BLOCK", 16)
    clf = make().fit(X, y)
    state = clf.fitted.state.state
    found = {
        "history": [(r.mistakes, r.corrections) for r in clf.history_],
        "supports": clf.fitted.state.numbers_of_rows.tolist(),
        "stop": clf.stop_reason_,
        "lengths": [] if state.needs_example else state.lengths,
    }
    for name in state.array_names:
        found[name] = state.array(name).tobytes()
    for name, kept in clf.fitted.state.kept.items():
        arrays = kept.arrays() if name == "voted" else {name: kept}
        found |= {f"{name}.{key}": np.asarray(a).tobytes() for key, a in arrays.items()}
    return found


def same_runs(monkeypatch, make, X, y):
    sequential = run(monkeypatch, "nothing", make, X, y)
    for ahead in ("block", "all"):
        found = run(monkeypatch, ahead, make, X, y)
        for key in sequential:
            assert found[key] == sequential[key], (ahead, key)
    return sequential


@pytest.mark.parametrize("name", ADDITIVE)
@pytest.mark.parametrize("multiclass", ["coupled", "ovr"])
def test_every_additive_rule(monkeypatch, name, multiclass):
    classes = 2 if multiclass == "coupled" and rules.get(name).alone else 3
    for data in DATA.values():
        X, y = data(1, classes=classes)
        same_runs(
            monkeypatch,
            lambda: KernelClassifier("rbf", name, multiclass=multiclass, max_iter=3, until=None),
            X,
            y,
        )


@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
@pytest.mark.parametrize("kind", DATA)
@pytest.mark.parametrize("order", ["cyclic", "shuffled", "random"])
def test_every_kernel_and_order(monkeypatch, kernel, kind, order):
    for classes in (2, 3):
        X, y = DATA[kind](2, classes=classes)
        same_runs(
            monkeypatch,
            lambda: KernelClassifier(
                kernel, order=order, keep="all", max_iter=4, until=None, fit_intercept=True
            ),
            X,
            y,
        )


def test_guards_schedules_and_weights(monkeypatch):
    X, y = drawn(3)
    settings = [
        {"guard": guards.LambdaTrick(0.5)},
        {"guard": guards.AlphaBound(2)},
        {"guard": guards.Margin(1.0), "schedule": "1/sqrt(step)"},
        {"rule": rules.MarginPerceptron(1.0), "schedule": "projection"},
        {"class_weight": {0: 2.0, 1: 0.5}},
        {"until": "margin", "rule": rules.MarginPerceptron(0.5), "max_iter": 40, "tol": 1e-3},
    ]
    for setting in settings:
        same_runs(
            monkeypatch,
            lambda s=setting: KernelClassifier("rbf", **({"max_iter": 5} | s)),
            X,
            y,
        )


def test_sparse_rows_are_the_same_as_dense_ones(monkeypatch):
    from scipy.sparse import csr_matrix

    X, y = ties(4)
    for kernel in KERNELS:
        found = [
            run(monkeypatch, ahead, lambda k=kernel: KernelClassifier(k, max_iter=4), rows, y)
            for ahead in ("block", "all", "nothing")
            for rows in (X, csr_matrix(X), csr_matrix(X.astype(np.float32)))
        ]
        assert all(one == found[0] for one in found)


def test_the_check_can_fail(monkeypatch):
    """Without the second look the runs part where the matrix product rounds."""
    for kernel, (X, y) in ((kernels.Linear(), thirds(2)), (kernels.RBF(0.3), far_away(0))):

        def make(kernel=kernel):
            return KernelClassifier(kernel, max_iter=9, until=None)

        sequential = same_runs(monkeypatch, make, X, y)
        with monkeypatch.context() as blind:
            none = lambda self, rows: (np.zeros(len(rows)), np.zeros(len(rows)))  # noqa: E731
            blind.setattr(Products, "bounds", none)
            for ahead in ("block", "all"):
                assert run(monkeypatch, ahead, make, X, y) != sequential
