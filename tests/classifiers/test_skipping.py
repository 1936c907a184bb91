"""Rows that are passed over change no bit of anything."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from hardlimit import LinearClassifier, rules
from hardlimit.exceptions import InputError

RULES = (
    rules.Perceptron(),
    rules.MarginPerceptron(b=3.0),
    rules.PassiveAggressive(),
    rules.PassiveAggressive(C=0.01),
    rules.PassiveAggressive2(C=0.5),
    rules.Relaxation(eta=1.5, b=2.0),
)
ORDERS = ("cyclic", "shuffled", "random")
READOUTS = ("last", "averaged", "longest", "pocket", "voted", "random")


def told(clf):
    """Everything that a fit leaves, to the last bit."""
    numbers = clf._training.numbers()
    arrays = [None if a is None else a.tobytes() for a in numbers.pop("arrays").values()]
    kept = [
        {k: v.tobytes() for k, v in one.arrays().items()} if name == "voted" else one.tobytes()
        for name, one in clf._training.kept.items()
    ]
    epochs = [(record.mistakes, record.corrections) for record in clf.history_]
    return arrays, numbers, kept, epochs, clf.stop_reason_, clf.n_training_errors_


def assert_same(X, y, sample_weight=None, skips=(True, "auto"), **choices):
    """Fit with and without skipping; the shares of rows that were visited."""
    plain = LinearClassifier(skip=False, **choices).fit(X, y, sample_weight)
    shares = []
    for skip in skips:
        clf = LinearClassifier(skip=skip, **choices).fit(X, y, sample_weight)
        assert told(clf) == told(plain)
        shares.append(np.mean([record.visited for record in clf.history_]))
    assert {record.visited for record in plain.history_} == {1.0}
    return shares


def noisy(n=200, d=6, seed=0, flipped=0.05):
    """Two classes that a line divides but for some labels."""
    draw = np.random.default_rng(seed)
    X = draw.standard_normal((n, d))
    y = (X @ draw.standard_normal(d) + 0.3 > 0) ^ (draw.random(n) < flipped)
    return X, y.astype(int)


KINDS = {
    "normal": lambda draw, shape: draw.standard_normal(shape),
    "integers": lambda draw, shape: draw.integers(-2, 3, shape),
    "huge": lambda draw, shape: draw.standard_normal(shape) * 1e140,
    "tiny": lambda draw, shape: draw.standard_normal(shape) * 1e-155,
    "denormal": lambda draw, shape: draw.integers(-3, 4, shape) * 5e-324,
    "mixed": lambda draw, shape: (
        draw.standard_normal(shape) * 10.0 ** draw.integers(-30, 30, shape)
    ),
    "sparse": lambda draw, shape: draw.integers(1, 9, shape) * (draw.random(shape) < 0.2),
}


def drawn_examples(data):
    draw = np.random.default_rng(data.draw(st.integers(0, 10**6)))
    shape = data.draw(st.integers(2, 60)), data.draw(st.integers(1, 20))
    X = KINDS[data.draw(st.sampled_from(sorted(KINDS)))](draw, shape)
    if data.draw(st.booleans()):
        X = np.clip(X, -1e30, 1e30).astype(np.float32)
    y = draw.integers(0, 2, shape[0])
    y[:2] = 0, 1
    return sparse.csr_matrix(X) if data.draw(st.booleans()) else X, y


@pytest.mark.filterwarnings("ignore::hardlimit.exceptions.HardlimitWarning")
@settings(max_examples=60, deadline=None)
@given(st.data())
def test_same_bits(data):
    X, y = drawn_examples(data)
    try:
        assert_same(
            X,
            y,
            rule=data.draw(st.sampled_from(RULES)),
            order=data.draw(st.sampled_from(ORDERS)),
            keep=("last", data.draw(st.sampled_from(READOUTS))),
            readout="last",
            fit_intercept=data.draw(st.booleans()),
            until=None,
            max_iter=data.draw(st.integers(1, 80)),
        )
    except InputError as error:  # before anything is skipped
        assert "overflow" in str(error)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("rule", RULES, ids=repr)
def test_long_runs_are_shorter(rule, order):
    X, y = noisy()
    always, auto = assert_same(X, y, rule=rule, order=order, until=None, max_iter=300, keep="all")
    assert auto < 1.05


def test_refuses_other_values():
    X, y = noisy(20)
    with pytest.raises(InputError, match="skip: got 'yes', wanted True, False or 'auto'"):
        LinearClassifier(skip="yes").fit(X, y)
