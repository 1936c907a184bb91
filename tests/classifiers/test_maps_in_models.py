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
        (maps.Cross(which="seen"), InputError, "learns from the rows, and is no part of a model"),
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
