"""The polynomial map is the polynomial kernel."""

import math
from fractions import Fraction
from itertools import combinations_with_replacement

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from hardlimit import LinearClassifier, maps, textbook

from ..rounding import near, roundings

CASES = [(degree, c) for degree in (1, 2, 3, 5, 16) for c in (0.0, 0.5, 1.0, 3.0)]


def dot(a, b):
    return sum(p * q for p, q in zip(a, b, strict=True))


@pytest.mark.parametrize(("degree", "c"), CASES)
def test_its_inner_product_is_the_kernel(degree, c):
    rng = np.random.default_rng(degree)
    X = rng.normal(size=(6, 3)) * (rng.random((6, 3)) < 0.7)
    phi = maps.Polynomial(degree, c).fit_transform(X)
    kernel = (c + X @ X.T) ** degree
    # each product carries some 2p roundings, and cancels against the sum of the absolute values
    sizes = (c + np.abs(X) @ np.abs(X).T) ** degree
    assert np.all(np.abs(phi @ phi.T - kernel) <= roundings(40 * degree) * sizes)


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.integers(-4, 4), min_size=1, max_size=4), st.integers(1, 5), st.integers(0, 3),
    st.randoms(use_true_random=False),
)  # fmt: skip
def test_exactly_where_the_squared_weights_are_whole(x, degree, c, random):
    """The weights at (1, .., 1), squared, are whole numbers; with them Fractions give equality."""
    z = [random.randint(-4, 4) for _ in x]
    phi = maps.Polynomial(degree, c)
    squares = [round(float(w) ** 2) for w in phi.fit_transform([[1.0] * len(x)])[0]]
    degrees = [degree] if c == 0 else range(degree + 1)
    monomials = [a for k in degrees for a in combinations_with_replacement(range(len(x)), k)]
    total = sum(
        Fraction(s) * math.prod(x[i] for i in a) * math.prod(z[i] for i in a)
        for s, a in zip(squares, monomials, strict=True)
    )
    assert total == (c + dot(x, z)) ** degree


def test_each_column_by_hand():
    phi = maps.Polynomial(3, 2.0)
    (row,) = phi.fit_transform([[5.0, 7.0]])
    expected = {
        "1": 8, "x0": 3 * 4 * 25, "x1": 3 * 4 * 49, "x0^2": 3 * 2 * 5**4, "x0*x1": 6 * 2 * 35**2,
        "x1^2": 3 * 2 * 7**4, "x0^3": 5**6, "x0^2*x1": 3 * (25 * 7) ** 2,
        "x0*x1^2": 3 * (5 * 49) ** 2, "x1^3": 7**6,
    }  # fmt: skip
    assert phi.get_feature_names_out().tolist() == list(expected)
    assert row == near([math.sqrt(v) for v in expected.values()], 8)


@pytest.mark.parametrize(("degree", "c"), [(1, 1.0), (2, 1.0), (3, 0.0), (4, 2.0)])
def test_dense_and_sparse_rows_give_the_same_bits(degree, c):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(20, 7)) * (rng.random((20, 7)) < 0.4)
    phi = maps.Polynomial(degree, c).fit(X)
    dense, csr = phi.transform(X), phi.transform(sparse.csr_matrix(X))
    assert sparse.issparse(csr) and csr.has_canonical_format
    assert csr.shape == dense.shape == (20, phi.n_columns_)
    assert csr.toarray().tobytes() == dense.tobytes()
    narrow = X.astype(np.float32)
    assert phi.transform(narrow).tobytes() == phi.transform(narrow.astype(np.float64)).tobytes()


def test_the_primal_run_on_it_is_the_dual_run_with_the_kernel():
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(30, 2)), rng.choice([-1, 1], 30)
    ex = textbook.examples(X, y, number=float, bias_feature=None)
    dual = textbook.dual(ex, kernel=lambda a, b: (1 + dot(a, b)) ** 2, max_iter=20)
    alpha = textbook.run(dual).outcome.alpha
    phi = maps.Polynomial(2, 1.0).fit_transform(X)
    clf = LinearClassifier("perceptron", order="cyclic", fit_intercept=False, max_iter=20)
    clf.set_params(readout="last", until=None).fit(phi, y)
    assert clf.n_corrections_ == sum(alpha)
    assert clf.coef_[0] == near(dot(alpha * y, phi), 2000)


def test_a_wide_sparse_row_costs_its_non_zeros_only():
    X = sparse.csr_matrix(([2.0, 3.0], ([0, 0], [5, 10**6 - 1])), shape=(1, 10**6))
    phi = maps.Polynomial(2, 1.0).fit_transform(X)
    assert phi.nnz == 6
    assert phi.shape == (1, math.comb(10**6 + 2, 2))
    assert phi.data.tolist() == near([1, 2 * 2**0.5, 3 * 2**0.5, 4, 6 * 2**0.5, 9], 10)
    assert phi.indices[-1] == phi.shape[1] - 1
