"""A pickle holds what is not zero, and gives back every bit; a copy shares its arrays."""

import copy
import pickle
from contextlib import nullcontext

import numpy as np
import pytest
from scipy import sparse

from hardlimit import LinearClassifier
from hardlimit.engine.packed import pack, unpack

WIDE = 50_000


def wide(n_rows=40, seed=0):
    draw = np.random.default_rng(seed)
    columns = draw.choice(60, (n_rows, 8)) * (WIDE // 60)
    rows = np.repeat(np.arange(n_rows), 8)
    X = sparse.csr_matrix((draw.normal(size=rows.size), (rows, columns.ravel())), (n_rows, WIDE))
    return X, draw.integers(0, 3, n_rows)


@pytest.mark.parametrize(
    ("rule", "settings"),
    [
        ("perceptron", {"keep": "all"}),
        ("perceptron", {"keep": "all", "readout": "longest"}),
        ("passive-aggressive", {"scale": "maxabs"}),
        ("arow", {"multiclass": "ovr"}),
        ("balanced-winnow", {"multiclass": "ovr"}),
        ("shifting-perceptron", {"scale": "rows"}),
    ],
)
def test_wide_models_are_small_and_whole(rule, settings):
    X, y = wide()
    clf = LinearClassifier(rule, until=None, max_iter=3, **settings).fit(X, y)
    kept = pickle.dumps(clf)
    assert len(kept) < 60_000  # the weights alone would be 3 * 8 * WIDE = 1,200,000
    again = pickle.loads(kept)
    assert np.array_equal(again.decision_function(X), clf.decision_function(X))
    assert np.array_equal(again.coef_, clf.coef_)
    for other in (again, clf):
        other.set_params(readout="last")
    with pytest.warns() if clf.fitted.state.kept else nullcontext():
        clf.partial_fit(X, y)
    with pytest.warns() if again.fitted.state.kept else nullcontext():
        again.partial_fit(X, y)
    assert np.array_equal(again.coef_, clf.coef_)


def test_any_array_comes_back():
    for array in (np.zeros((9, 2)), np.eye(50), np.array([[-0.0] + [0.0] * 99]), np.arange(7)):
        back = unpack(pack(array))
        assert back.dtype == array.dtype and np.array_equal(back, array)
        assert np.array_equal(np.signbit(back), np.signbit(array))
    assert unpack(pack(None)) is None


def test_a_copy_shares_and_a_deep_copy_does_not():
    X, y = wide()
    clf = LinearClassifier(until=None, max_iter=2).fit(X, y)
    assert copy.copy(clf).fitted.answer is clf.fitted.answer
    assert copy.copy(clf).fitted.state is clf.fitted.state
    deep = copy.deepcopy(clf)
    before = clf.coef_.copy()
    deep.partial_fit(X, y)
    assert np.array_equal(clf.coef_, before) and not np.array_equal(deep.coef_, before)
