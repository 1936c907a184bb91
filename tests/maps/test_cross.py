"""Products of pairs: XOR, texts, pairs that were seen, hashed pairs."""

import numpy as np
import pytest
from scipy import sparse

from hardlimit import LinearClassifier, TextVectorizer, maps
from hardlimit.examples.sparse import Csr

P0, P1 = 0x243F6A8885A308D3, 0x13198A2E03707345  # the binary places of pi


def fold(a, b):
    return (a * b & (1 << 64) - 1) ^ (a * b >> 64)


def bucket(i, j, bits):
    return fold(fold(P0 ^ i, P1) ^ j, P1) >> (64 - bits)


def drawn(rows=20, columns=7):
    rng = np.random.default_rng(0)
    return rng.normal(size=(rows, columns)) * (rng.random((rows, columns)) < 0.4)


def written(X, singles=True):
    """The same products, the obvious way."""
    pairs = [X[:, i] * X[:, j] for i in range(X.shape[1]) for j in range(i + 1, X.shape[1])]
    return np.column_stack([X, *pairs] if singles else pairs) + 0.0


@pytest.mark.parametrize("order", ["batch", "cyclic", "worst"])
@pytest.mark.parametrize("low", [-1, 0])
def test_xor_falls_to_the_product(order, low):
    X, y = [[low, low], [low, 1], [1, low], [1, 1]], [-1, 1, 1, -1]
    cross = maps.Cross().fit(X)
    phi = cross.transform(X)
    alone = LinearClassifier("perceptron", order="cyclic", until=None, max_iter=50).fit(X, y)
    assert alone.stop_reason_ == "max_iter" and alone.n_training_errors_ > 0
    clf = LinearClassifier("perceptron", order=order, readout="last").fit(phi, y)
    assert clf.stop_reason_ == "separated"
    # the certificate, checked by hand: whole numbers, so that the margins are exact
    w, b = clf.coef_[0], clf.intercept_[0]
    assert (np.array(y) * (phi @ w + b)).min() > 0
    if low == -1 and order == "batch":
        assert (w.tolist(), b) == ([0, 0, -4], 0)
        assert cross.get_feature_names_out(["x1", "x2"]).tolist()[2] == "x1*x2"


def test_no_and_excellent_together_at_a_distance():
    said = ["the film tells an {} story", "no part of the film tells an {} story"]
    texts = [text.format(word) for text in said for word in ("excellent", "awful")]
    y = ["praise", "blame", "blame", "praise"]
    vectorizer = TextVectorizer(words=(1, 2), idf=None, norm=None)
    X = vectorizer.fit_transform(texts)
    assert LinearClassifier("perceptron", until=None).fit(X, y).n_training_errors_ > 0
    cross = maps.Cross(which="seen")
    phi = cross.fit_transform(X)
    clf = LinearClassifier("perceptron", readout="last").fit(phi, y)
    assert clf.stop_reason_ == "separated"
    names = cross.get_feature_names_out(vectorizer.get_feature_names_out()).tolist()
    weights = dict(zip(names, clf.coef_[0].tolist(), strict=True))  # + is praise
    assert weights["excellent*no"] < 0 < weights["awful*no"]
    assert clf.predict(cross.transform(vectorizer.transform(texts))).tolist() == y


def test_the_pipeline_with_scikit_learn():
    from sklearn.base import clone
    from sklearn.pipeline import make_pipeline

    X, y = np.array([[0, 0], [0, 1], [1, 0], [1, 1.0]]), [0, 1, 1, 0]
    pipe = make_pipeline(maps.Cross(), LinearClassifier("perceptron"))
    pipe = clone(pipe).set_params(cross__singles=True).fit(X, y)
    assert pipe.predict(X).tolist() == y
    assert pipe[:-1].get_feature_names_out(["a", "b"]).tolist() == ["a", "b", "a*b"]


@pytest.mark.parametrize("singles", [True, False])
def test_dense_and_sparse_rows_give_the_same_bits(singles):
    X = drawn()
    cross = maps.Cross(singles=singles).fit(X)
    dense = cross.transform(X)
    assert np.array_equal(dense, written(X, singles))
    for kind in (sparse.csr_matrix, sparse.csr_array, sparse.coo_matrix):
        found = cross.transform(kind(X))
        assert isinstance(found, sparse.csr_array) == (kind is sparse.csr_array)
        assert found.toarray().tobytes() == dense.tobytes()


def test_rows_need_no_scipy():
    X = Csr(np.array([0, 2, 3]), np.array([0, 2, 1], np.int32), np.array([2, 3, 5], np.float32), 3)
    phi = maps.Cross().fit_transform(X)
    assert isinstance(phi, Csr) and phi.shape == (2, 6)
    assert (phi.indices.tolist(), phi.data.tolist()) == ([0, 2, 4, 1], [2, 3, 6, 5])
    assert LinearClassifier().fit(phi, [0, 1]).n_features_in_ == 6


def test_chosen_columns():
    X = drawn()
    cross = maps.Cross(columns=[6, 2, 3]).fit(X)
    assert cross.get_feature_names_out().tolist()[7:] == ["x2*x3", "x2*x6", "x3*x6"]
    expected = np.column_stack([X, X[:, 2] * X[:, 3], X[:, 2] * X[:, 6], X[:, 3] * X[:, 6]])
    assert np.array_equal(cross.transform(X), expected + 0.0)


@pytest.mark.parametrize("singles", [True, False])
def test_pairs_that_were_seen(singles):
    X = drawn(4)
    everything = written(X, singles)
    seen = (everything != 0).any(axis=0) | (np.arange(everything.shape[1]) < 7 * singles)
    cross = maps.Cross(which="seen", singles=singles).fit(sparse.csr_matrix(X))
    new = drawn(30)
    expected = written(new, singles)[:, seen]
    assert 0 < seen.sum() < len(seen)
    assert cross.n_columns_ == seen.sum()
    assert np.array_equal(cross.transform(new), expected)
    assert np.array_equal(cross.transform(sparse.csr_matrix(new)).toarray(), expected)
    names = maps.Cross(singles=singles).fit(X).get_feature_names_out()
    assert cross.get_feature_names_out().tolist() == names[seen].tolist()
    nothing = maps.Cross(which="seen", singles=False).fit(np.eye(3))
    assert nothing.transform(np.ones((2, 3))).shape == (2, 0)


def test_hashed_pairs_fall_where_it_is_written():
    X = drawn()
    cross = maps.Cross(hash_bits=3).fit(X)  # 21 pairs in 8 columns: they collide
    expected = np.zeros((20, 15))
    expected[:, :7] = X
    for i in range(7):
        for j in range(i + 1, 7):
            expected[:, 7 + bucket(i, j, 3)] += X[:, i] * X[:, j]
    found = cross.transform(sparse.csr_matrix(X))
    assert found.toarray().tobytes() == (expected + 0.0).tobytes()
    assert cross.transform(X).toarray().tobytes() == found.toarray().tobytes()
    assert (bucket(0, 1, 20), bucket(3, 70000, 20)) == (810209, 965352)  # of the docstring
    assert cross.get_feature_names_out().tolist()[6:8] == ["x6", "pair#0"]


def test_names_come_from_the_columns_of_a_table():
    class Table(np.ndarray):
        columns = ("height", "weight")

    table = np.array([[1.0, 2.0]]).view(Table)
    cross = maps.Cross(columns=["weight", "height"]).fit(table)
    assert cross.get_feature_names_out().tolist() == ["height", "weight", "height*weight"]
    assert maps.Cross().fit(np.ones((1, 2))).get_feature_names_out()[2] == "x0*x1"


@pytest.mark.parametrize("chosen", [0, 1, 2, 5, 9])
def test_pairs_are_numbered_row_by_row_of_the_triangle(chosen):
    """Every pair once, in the order of its columns, for any number of chosen columns."""
    names = [f"c{k}" for k in range(chosen)]
    cross = maps.Cross(columns=range(chosen), singles=False)
    X = np.arange(1, 13, dtype=float)[None, :]
    if chosen < 2:
        assert cross.fit(X).n_columns_ == 0
        return
    values = cross.fit_transform(X)[0].tolist()
    pairs = [(i, j) for i in range(chosen) for j in range(i + 1, chosen)]
    assert values == [X[0, i] * X[0, j] for i, j in pairs]
    given = names + [f"other{k}" for k in range(12 - chosen)]
    assert cross.get_feature_names_out(given).tolist() == [f"c{i}*c{j}" for i, j in pairs]


@pytest.mark.parametrize("seed", range(4))
def test_pairs_that_were_seen_are_those_of_the_rows(seed):
    draw = np.random.RandomState(seed)
    X = draw.randn(6, 8) * (draw.rand(6, 8) < 0.3)
    cross = maps.Cross(which="seen", singles=False).fit(X)
    seen = sorted(
        {(i, j) for row in X for i in row.nonzero()[0] for j in row.nonzero()[0] if i < j}
    )
    assert cross.get_feature_names_out().tolist() == [f"x{i}*x{j}" for i, j in seen]
    new = draw.randn(3, 8)
    wanted = [[row[i] * row[j] for i, j in seen] for row in new]
    assert np.array_equal(cross.transform(new), np.array(wanted).reshape(3, len(seen)))
