"""A feature map as part of a model: the same as mapping by hand, in the file, for raw rows."""

import copy
import pickle

import numpy as np
import pytest
import scipy.sparse as sp

import hardlimit as hl
from hardlimit import LinearClassifier, bounds, maps
from hardlimit.exceptions import InputError, KindError

XOR = [[-1.0, -1.0], [-1.0, 1.0], [1.0, -1.0], [1.0, 1.0]], ["no", "yes", "yes", "no"]
SOME = ["cross", "polynomial", maps.Polynomial(3, c=2), maps.Cross(hash_bits=5), maps.Cross([0, 1])]


@pytest.mark.parametrize("chosen", SOME, ids=str)
def test_it_is_the_fit_of_mapped_rows(chosen, tmp_path):
    clf = LinearClassifier(map=chosen).fit(*XOR)
    by_hand = maps.resolve(chosen).fit(XOR[0])
    plain = LinearClassifier().fit(by_hand.transform(XOR[0]), XOR[1])
    assert clf.coef_.tolist() == plain.coef_.tolist()
    assert clf.stop_reason_ == "separated" and clf.predict(XOR[0]).tolist() == XOR[1]
    clf.save(tmp_path / "m")
    for other in (hl.load(tmp_path / "m"), pickle.loads(pickle.dumps(clf)), copy.copy(clf)):
        assert other.decision_function(XOR[0]).tolist() == clf.decision_function(XOR[0]).tolist()
        assert (other.n_features_in_, other.map_.n_columns_) == (2, by_hand.n_columns_)
    loaded = hl.load(tmp_path / "m")
    assert loaded.partial_fit([[1, 1]], ["yes"]).n_mistakes_ == clf.n_mistakes_ + 1
    loaded.save(tmp_path / "again")
    assert hl.load(tmp_path / "again").map_.get_params() == clf.map_.get_params()


# A, B and C never meet D: three pairs of six are seen.
MET = [[1, 1, 0, 0], [0, 1, 1, 0], [1, 0, 1, 0], [0, 0, 0, 1]], ["no", "yes", "yes", "no"]


@pytest.mark.parametrize("singles", [True, False])
@pytest.mark.parametrize("make", [np.array, sp.csr_matrix])
def test_pairs_that_were_seen_are_in_the_file(singles, make, tmp_path):
    X = make(np.array(MET[0], float))
    clf = LinearClassifier(map=maps.Cross(which="seen", singles=singles)).fit(X, MET[1])
    names = clf.map_.get_feature_names_out().tolist()
    assert names[-3:] == ["x0*x1", "x0*x2", "x1*x2"] and len(names) == 3 + 4 * singles
    by_hand = maps.Cross(which="seen", singles=singles)
    plain = LinearClassifier().fit(by_hand.fit_transform(X), MET[1])
    assert clf.coef_.tolist() == plain.coef_.tolist()
    clf.save(tmp_path / "m")
    new = [[2, 3, 5, 7], [0, 0, 1, 1]]  # pairs with D have no column
    for other in (hl.load(tmp_path / "m"), pickle.loads(pickle.dumps(clf)), copy.copy(clf)):
        assert other.decision_function(new).tolist() == clf.decision_function(new).tolist()
        assert other.map_.get_feature_names_out().tolist() == names
        assert other.map_.learnt()["pairs"].tolist() == [0, 1, 3]
    loaded = hl.load(tmp_path / "m")
    for one in (clf, loaded):
        one.partial_fit(new, ["yes", "no"])
    assert loaded.coef_.tolist() == clf.coef_.tolist()
    loaded.save(tmp_path / "again")
    clf.save(tmp_path / "first")
    assert (tmp_path / "again").read_bytes() == (tmp_path / "first").read_bytes()


def test_no_pair_may_be_seen(tmp_path):
    clf = LinearClassifier(map=maps.Cross(which="seen")).fit([[1, 0], [0, 1]], [0, 1])
    clf.save(tmp_path / "m")
    assert hl.load(tmp_path / "m").map_.n_columns_ == 2


def test_columns_may_be_crossed_by_their_names(tmp_path):
    pd = pytest.importorskip("pandas")
    table = pd.DataFrame(MET[0], columns=list("abcd"), dtype=float)
    for which in ("all", "seen"):
        clf = LinearClassifier(map=maps.Cross(["b", "a", "d"], which)).fit(table, MET[1])
        clf.save(tmp_path / "m")
        names = hl.load(tmp_path / "m").map_.get_feature_names_out().tolist()
        assert names == [*"abcd", "a*b", *(["a*d", "b*d"] if which == "all" else [])]


@pytest.mark.parametrize(
    ("pairs", "said"),
    [
        ([3, 1], "do not ascend"),
        ([1, 1], "do not ascend"),
        ([0, 6], "beyond the 6"),
        ([-1], "beyond the 6"),
    ],
)
def test_pairs_that_cannot_be_are_refused(pairs, said):
    with pytest.raises(ValueError, match=said):
        maps.Cross(which="seen").restored(4, None, {"pairs": np.array(pairs, np.int64)})


def test_the_parts_of_an_explanation_are_named_with_their_factors():
    X = [[-1.0, 2.0], [1.0, 3.0], [2.0, -1.0], [-2.0, -2.0]]
    clf = LinearClassifier(map="polynomial", fit_intercept=False).fit(X, [0, 1, 0, 1])
    terms = {one.term for one in clf.explain(X[0]).terms}
    assert terms == {"1", "sqrt(2)*x0", "sqrt(2)*x1", "x0^2", "sqrt(2)*x0*x1", "x1^2"}


def test_a_stream_begins_with_it_and_a_sparse_row_is_a_row():
    clf = LinearClassifier(map="cross", order="cyclic", readout="last")
    for _ in range(5):
        clf.partial_fit(*XOR, classes=["no", "yes"])
    assert clf.predict(sp.csr_matrix(XOR[0])).tolist() == XOR[1]


def test_the_scale_comes_after_it():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 3)) * [1, 10, 100]
    y = X[:, 0] * X[:, 1] > 0
    clf = LinearClassifier(map="cross", scale="standard", max_iter=20).fit(X, y)
    mapped = maps.Cross().fit_transform(X)
    plain = LinearClassifier(scale="standard", max_iter=20).fit(mapped, y)
    assert clf.coef_.tolist() == plain.coef_.tolist()
    assert bounds.of(clf, X, y).radius == bounds.of(plain, mapped, y).radius


def test_names_of_a_table_go_into_those_of_the_columns(tmp_path):
    pd = pytest.importorskip("pandas")
    table = pd.DataFrame(XOR[0], columns=["a", "b"])
    clf = LinearClassifier(map="cross").fit(table, XOR[1])
    clf.save(tmp_path / "m")
    for one in (clf, hl.load(tmp_path / "m")):
        assert one.feature_names_in_.tolist() == ["a", "b"]
        assert one.map_.get_feature_names_out().tolist() == ["a", "b", "a*b"]


def test_without_one_a_file_is_what_it_was(tmp_path):
    LinearClassifier().fit(XOR[0], XOR[1], sample_weight=[1, 1, 1, 0]).save(tmp_path / "m")
    assert b"map" not in (tmp_path / "m").read_bytes()


@pytest.mark.parametrize(
    ("chosen", "error", "said"),
    [
        ("crosses", InputError, "map: got 'crosses', wanted one of cross, polynomial"),
        (3, KindError, "one of cross, polynomial"),
        (maps.Cross(which="some"), InputError, "'all' or 'seen'"),
        (maps.Polynomial(99), InputError, "a whole number 1 to 16"),
    ],
)
def test_what_is_refused(chosen, error, said):
    with pytest.raises(error, match=said):
        LinearClassifier(map=chosen).fit(*XOR)


def test_other_rows_and_given_weights_are_refused():
    clf = LinearClassifier(map="cross").fit(*XOR)
    with pytest.raises(InputError, match="got 3 columns, wanted the 2 of fit"):
        clf.predict([[1, 2, 3]])
    with pytest.raises(InputError, match="the weights are of the columns of X"):
        LinearClassifier.from_weights([1, 2], map="cross")


def test_a_map_of_the_users_own_is_in_no_file(tmp_path):
    class Own(maps.Polynomial):
        """Another map."""

    clf = LinearClassifier(map=Own(2)).fit(*XOR)
    with pytest.raises(InputError, match="a file keeps names"):
        clf.save(tmp_path / "m")
