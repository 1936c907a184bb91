"""The tail average against its definition, on runs whose sums are exact."""

from fractions import Fraction

import numpy as np
import pytest
from scipy.sparse import csr_array

from hardlimit import KernelClassifier, LinearClassifier, load, textbook
from hardlimit.exceptions import InputError

from ..rounding import near, roundings

KEEP = ("last", "averaged", "tail-averaged")
LAST = {"order": "cyclic", "until": None, "bias_feature": -1.0, "keep": KEEP}


def drawn(n, seed=4):
    rng = np.random.default_rng(seed)
    return rng.integers(-4, 5, (n, 5)).astype(float), rng.integers(0, 2, n)


def tail_mean(vectors):
    """By the definition: s is the largest power of two <= n / 2, or 1."""
    n, s = len(vectors), 1
    while 4 * s <= n:
        s *= 2
    tail = vectors[s - 1 :]
    return [float(sum(column, Fraction(0)) / len(tail)) for column in zip(*tail, strict=True)]


@pytest.mark.parametrize("n", [1, 2, 3, 4, 7, 8, 9, 31, 33])
@pytest.mark.parametrize("epochs", [1, 3])
def test_it_is_the_mean_of_the_tail(n, epochs):
    X, y = drawn(n + 1)
    y[:2] = 0, 1
    clf = LinearClassifier(max_iter=epochs, **LAST).fit(X, y).with_readout("tail-averaged")
    trace = textbook.trace(X.tolist(), (2 * y - 1).tolist(), until=None, max_iter=epochs)
    expected = tail_mean([step.w_after for step in trace.steps])
    assert [*clf.coef_[0], *-clf.intercept_] == expected


@pytest.mark.parametrize("storage", [np.asarray, csr_array], ids=["dense", "sparse"])
@pytest.mark.parametrize("scheme", ["coupled", "ovr"])
def test_each_neuron_has_its_own(storage, scheme):
    X, _ = drawn(30)
    y = np.arange(30) * 7 % 3
    settings = {"max_iter": 4, "multiclass": scheme, **LAST}
    clf = LinearClassifier(**settings).fit(storage(X), y).with_readout("tail-averaged")
    if scheme == "ovr":
        for k in range(3):
            two = LinearClassifier(**settings).fit(X, y == k).with_readout("tail-averaged")
            assert (clf.coef_[k] == two.coef_[0]).all()
    else:
        assert np.abs(clf.coef_.sum(0)).max() < roundings(1000) * np.abs(clf.coef_).max()


def test_with_a_kernel_it_is_the_primals():
    X, y = drawn(20)
    settings = {
        "order": "cyclic", "until": None, "max_iter": 3, "keep": ("last", "tail-averaged"),
        "fit_intercept": True,
    }  # fmt: skip
    primal = LinearClassifier(readout="tail-averaged", **settings).fit(X, y)
    dual = KernelClassifier("linear", readout="tail-averaged", **settings).fit(X, y)
    assert dual.decision_function(X) == near(primal.decision_function(X), 5000)


def test_it_comes_back_from_a_file(tmp_path):
    X, y = drawn(20)
    clf = LinearClassifier(readout="tail-averaged", max_iter=3, **LAST).fit(X, y)
    clf.save(tmp_path / "m")
    assert (load(tmp_path / "m").decision_function(X) == clf.decision_function(X)).all()


def test_a_stream_does_not_keep_it():
    X, y = drawn(20)
    clf = LinearClassifier(keep=("last", "tail-averaged"), readout="tail-averaged")
    with pytest.raises(InputError, match="batches keep last and averaged"):
        clf.partial_fit(X, y)


def test_where_every_vector_lives_once_it_is_refused():
    with pytest.raises(InputError, match="lives for one presentation"):
        LinearClassifier(order="batch", keep="all", readout="tail-averaged").fit(*drawn(9))


def test_all_read_outs_does_not_mean_one_that_visits_all_columns():
    X, y = drawn(20)
    clf = LinearClassifier(keep="all", order="cyclic", until=None, max_iter=2).fit(X, y)
    with pytest.raises(InputError, match="tail-averaged"):
        clf.with_readout("tail-averaged")
    answering = LinearClassifier(keep="all", readout="tail-averaged", until=None, max_iter=2)
    assert answering.fit(X, y).with_readout("voted") is not None
