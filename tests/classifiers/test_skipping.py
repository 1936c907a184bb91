"""Rows that are passed over change no bit of anything."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from hardlimit import LinearClassifier, guards, load, rules
from hardlimit.classifiers.model.choices import Default
from hardlimit.exceptions import InputError

RULES = (
    rules.Perceptron(),
    rules.MarginPerceptron(b=3.0),
    rules.PassiveAggressive(),
    rules.PassiveAggressive(C=0.01),
    rules.PassiveAggressive2(C=0.5),
    rules.Relaxation(eta=1.5, b=2.0),
    rules.PAUM(tau_plus=2.0, tau_minus=-1.0),
)
ORDERS = ("cyclic", "shuffled", "random")
READOUTS = ("last", "averaged", "longest", "pocket", "voted", "random")


def told(clf):
    """Everything that a fit leaves, to the last bit."""
    numbers = clf.fitted.state.numbers()
    arrays = [None if a is None else a.tobytes() for a in numbers.pop("arrays").values()]
    kept = [
        {k: v.tobytes() for k, v in one.arrays().items()} if name == "voted" else one.tobytes()
        for name, one in clf.fitted.state.kept.items()
    ]
    epochs = [(record.mistakes, record.corrections) for record in clf.history_]
    return arrays, numbers, kept, epochs, clf.stop_reason_, clf.n_training_errors_


def assert_same(X, y, sample_weight=None, skips=(True, "auto"), **choices):
    """Fit with and without skipping; the shares of rows that were visited."""
    choices = {"keep": ("last", "averaged"), **choices}
    plain = LinearClassifier(skip=False, **choices).fit(X, y, sample_weight)
    shares = []
    for skip in skips:
        clf = LinearClassifier(skip=skip, **choices).fit(X, y, sample_weight)
        assert told(clf) == told(plain)
        shares.append(np.mean([record.visited for record in clf.history_]))
    assert {record.visited for record in plain.history_} == {1.0}
    return shares


def noisy(n=300, d=30, flipped=0.02):
    """Two classes that a line divides but for some labels; columns that depend on each other."""
    draw = np.random.default_rng(0)
    X = draw.standard_normal((n, 6)) @ draw.standard_normal((6, d))
    X += 0.1 * draw.standard_normal(X.shape)
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
def test_long_runs(rule, order):
    X, y = noisy()
    _, auto = assert_same(X, y, rule=rule, order=order, until=None, max_iter=600, keep="all")
    assert auto < (0.8 if "Perceptron" in repr(rule) else 1.05)


def test_blocks_of_columns():
    draw = np.random.default_rng(0)
    X = draw.standard_normal((150, 8)) @ draw.standard_normal((8, 200))
    X += 0.05 * draw.standard_normal(X.shape)
    y = (X[:, 0] > 0.1) ^ (draw.random(150) < 0.01)
    for rows in (X, X.astype(np.float32), sparse.csr_matrix(X)):
        shares = assert_same(rows, y, until=None, max_iter=600, readout="last")
        assert max(shares) < 0.5


@pytest.mark.parametrize("value", (0.5, 5e-324, 1e150, np.inf), ids=str)
def test_zero_rows_duplicates_and_margins_of_zero(value):
    """On a grid most margins lie on the threshold, at 0 or at b, again and again."""
    grid = np.array([[i, j] for i in range(-2, 3) for j in range(-2, 3)] * 3, float)
    y = np.arange(len(grid)) % 3 == 0
    grid[-1] = value if np.isfinite(value) else 0.0
    for rule in (rules.Perceptron(), rules.MarginPerceptron(b=2.0), rules.PassiveAggressive()):
        for fit_intercept in (True, False):
            assert_same(
                grid,
                y,
                rule=rule,
                order="cyclic",
                readout="last",
                fit_intercept=fit_intercept,
                until=None,
                max_iter=200,
            )


def rounding_examples(n=400):
    """Rows of which the third one's margin is nothing but roundings, all in one direction.

    Its score is 1 + n products - 1 in one partial sum. The products are half a unit in the last
    place of 1 and a little more, so that each addition rounds up; the second row takes the little
    away, bit by bit, and then each of them rounds down: from one correction to the next the score
    falls from 2n roundings to 0, and the weights have hardly moved.
    """
    half, last = 2.0**-26, 2.0**-78
    rows = np.zeros((4, 8 * (n + 3)))
    rows[0, : 8 * (n + 2) : 8] = [1.0, *[half + 3 * last] * n, 1.0]
    rows[1, 8 : 8 * (n + 1) : 8] = -last
    rows[2, : 8 * (n + 2) : 8] = [1.0, *[half / 2] * n, -1.0]
    rows[3, 8 * (n + 2)] = 2.0**-10
    return sparse.csr_matrix(rows), np.array([1, 1, 1, 0])


@pytest.mark.filterwarnings("ignore::hardlimit.exceptions.ScaleWarning")
def test_roundings_that_add_up():
    X, y = rounding_examples()
    choices = {"order": "cyclic", "fit_intercept": False, "until": None, "readout": "last"}
    after = [
        LinearClassifier(skip=False, max_iter=n, **choices).fit(X, y).history_[-1].mistakes
        for n in (2, 3)
    ]
    assert after == [1, 2], "the third row is right until the third epoch"
    for epochs in range(1, 7):
        assert_same(X, y, max_iter=epochs, **choices)


def winding_examples(n=400, turns=10):
    """Corrections to and fro, whose margins are all computed too low: the drift seems too short.

    The first and the last column go up and down by `step`. Tiny products between them are rounded
    up at the beginning of an epoch and down afterwards (or the other way round, below 0), so that
    every correction seems to have moved against the drift a little. At the end of the fourth epoch
    the last row but one has exactly the margin that is required, and is to be corrected.
    """
    half, last, step = 2.0**-26, 2.0**-78, 2.0**-20
    end = 8 * (2 * n + 1)
    upper, lower = slice(8, 8 * n + 1, 8), slice(8 * (n + 1), 8 * 2 * n + 1, 8)

    def row(first=0.0, above=0.0, below=0.0, behind=0.0, beside=0.0):
        made = np.zeros(end + 9)
        made[[0, end, end + 8]] = first, behind, beside
        made[upper], made[lower] = above, below
        return made

    up = [row(step, step * half / 2, 0, -step), row(above=-step * half / 2)]
    down = [row(-step, 0, -step * half / 2, step), row(below=step * half / 2)]
    signed = [
        row(1, half + 2 * last, half - 2 * last, 1, 0.25),
        row(above=-4 * last, below=4 * last),
        *up,
        *(up + down) * turns,
        row(-1, 0, 0, 1, 2.0**-12),
        row(above=4 * last, below=-4 * last),
    ]
    y = np.arange(len(signed)) % 2
    return sparse.csr_matrix(np.array(signed) * (2 * y - 1)[:, None]), y


@pytest.mark.filterwarnings("ignore::hardlimit.exceptions.ScaleWarning")
def test_margins_that_are_too_low_do_not_shorten_the_drift():
    X, y = winding_examples()
    rule = rules.MarginPerceptron(b=2.0**-14 - 4 * 2.0**-19)
    choices = {"order": "cyclic", "fit_intercept": False, "until": None, "readout": "last"}
    plain = LinearClassifier(rule, skip=False, max_iter=6, **choices).fit(X, y)
    counts = [epoch.corrections for epoch in plain.history_]
    assert counts[3] == counts[2] + 1, "the last row but one is corrected in the fourth epoch"
    for epochs in range(1, 7):
        assert_same(X, y, rule=rule, max_iter=epochs, **choices)


@pytest.mark.filterwarnings("ignore::hardlimit.exceptions.ScaleWarning")
def test_far_from_zero():
    """Weights so long that the roundings of a margin are as large as the margins."""
    X, y = noisy(120, 4)
    X[:, 0] += 1e9
    assert_same(X, y, readout="last", until=None, max_iter=300)
    assert_same(X * 1e-120, y, readout="last", until=None, max_iter=60, bias_feature=1e-120)


@pytest.mark.parametrize("until", ("separated", "margin"))
def test_stops_at_the_same_epoch(until):
    X, y = noisy(flipped=0)
    assert_same(X, y, rule=rules.MarginPerceptron(b=1.0), until=Default(until), readout="last")


def test_weights_schedules_and_margins_as_guards():
    X, y = noisy()
    weights = np.arange(len(y)) % 4 / 2.0  # a quarter of the rows is absent
    for choices in (
        {"sample_weight": weights},
        {"schedule": "1/sqrt(step)"},
        {"guard": guards.Margin(0.5)},
        {"class_weight": "balanced"},
    ):
        (share,) = assert_same(X, y, skips=(True,), until=None, max_iter=200, **choices)
        assert share < 0.7


@pytest.mark.parametrize(
    "choices",
    (
        {"rule": "romma"},
        {"rule": "arow"},
        {"rule": "winnow-2"},
        {"rule": "dynamic-margin"},
        {"guard": guards.LambdaTrick(1.0)},
        {"order": "worst"},
        {"order": "batch"},
    ),
    ids=str,
)
def test_others_visit_every_row(choices):
    X, y = noisy()
    assert assert_same(np.abs(X), y, until=None, max_iter=12, **choices) == [1.0, 1.0]


class HalfStep(rules.Rule):
    """A rule without a compiled twin."""

    required = 1
    equality_violates = True

    def tau(self):
        return 0.5


class ByTarget(HalfStep):
    """What Python may answer otherwise the next time."""

    def required(self, y):
        return 1 if y > 0 else 0


def test_rules_written_in_python():
    X, y = noisy(100)
    (share,) = assert_same(X, y, skips=(True,), rule=HalfStep(), until=None, max_iter=200)
    assert share < 0.9
    assert assert_same(X, y, rule=ByTarget(), until=None, max_iter=20) == [1.0, 1.0]


def test_many_classes_visit_every_row():
    X, y = noisy()
    for multiclass in ("coupled", "ovr"):
        shares = assert_same(X, y + (X[:, 0] > 0), multiclass=multiclass, until=None, max_iter=60)
        assert shares == [1.0, 1.0]


def interrupted(X, y, skip, at):
    """Fit until the user stops it, and go on with a stream."""

    def stop(record):
        if record.epoch == at:
            raise KeyboardInterrupt

    clf = LinearClassifier(skip=skip, until=None, max_iter=500, keep=("last", "averaged"))
    with pytest.raises(KeyboardInterrupt):
        clf.fit(X, y, callback=stop)
    before = told(clf)
    clf.partial_fit(X[:50], y[:50]).partial_fit(X[50:], y[50:])
    return before, clf.fitted.state.numbers()["arrays"]["w"].tobytes(), clf.coef_.tobytes()


def test_interrupted_and_continued():
    X, y = noisy()
    assert interrupted(X, y, True, 77) == interrupted(X, y, False, 77)


def test_budget_of_a_call_ends_within_an_anchor():
    """More values than are looked at between two signals."""
    X, y = noisy(6000, 300)
    assert_same(X, y, skips=(True,), readout="last", until=None, max_iter=6)


def test_is_a_parameter_like_the_others(tmp_path):
    X, y = noisy(60)
    for skip in (True, False, "auto"):
        clf = LinearClassifier(skip=skip, until=None, max_iter=30).fit(X, y)
        clf.save(tmp_path / "model")
        loaded = load(tmp_path / "model")
        assert loaded.get_params()["skip"] == skip
        assert np.isnan([record.visited for record in loaded.history_]).all()
    assert clf.set_params(skip=True).skip is True


@pytest.mark.parametrize("skip", ("yes", 1, None, [True]))
def test_refuses_other_values(skip):
    X, y = noisy(20)
    with pytest.raises(InputError, match=r"skip: got .*, wanted True, False or 'auto'"):
        LinearClassifier(skip=skip).fit(X, y)
