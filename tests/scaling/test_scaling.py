"""Scales: the same bits from dense and sparse rows, weights in the user's units, and borders."""

import pickle
import warnings

import numpy as np
import pytest
from scipy import sparse
from sklearn.preprocessing import MaxAbsScaler, StandardScaler, normalize

from hardlimit import LinearClassifier, load, scaling
from hardlimit.exceptions import InputError, ScaleWarning

from ..rounding import near

SCALES = [name for name in scaling.names() if name != "none"]


def drawn(seed=0, n_rows=60, n_columns=9):
    """Columns in units from 1 to 10^8, some mostly zeros, one of zeros, one that never varies."""
    draw = np.random.default_rng(seed)
    X = draw.normal(size=(n_rows, n_columns)) * 10.0 ** np.arange(n_columns) + 3
    X[draw.random(X.shape) < 0.2] = 0
    X[draw.random(n_rows) < 0.8, 2] = 0
    X[:, 4], X[:, 5] = 0, 0.1
    y = np.where(X[:, 0] + X[:, 1] / 10 > 3, "yes", "no")
    return X, y


def fitted(X, y, scale, **settings):
    return LinearClassifier(scale=scale, until=None, max_iter=5, **settings).fit(X, y)


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("readout", ["averaged", "last", "voted", "longest"])
def test_dense_and_sparse_rows_give_the_same_bits(scale, readout):
    X, y = drawn()
    settings = {"readout": readout, "keep": (readout, "last")}
    dense = fitted(X, y, scale, **settings)
    for form in (sparse.csr_matrix(X), sparse.csc_array(X), with_stored_zeros(X)):
        other = fitted(form, y, scale, **settings)
        assert np.array_equal(other.decision_function(X), dense.decision_function(X))
        assert np.array_equal(dense.decision_function(form), dense.decision_function(X))
        if readout != "voted":
            assert np.array_equal(other.coef_, dense.coef_)
            assert np.array_equal(other.intercept_, dense.intercept_)


def with_stored_zeros(X):
    n_rows, n_columns = X.shape
    columns = np.tile(np.arange(n_columns), n_rows)
    return sparse.csr_matrix((X.ravel(), columns, np.arange(n_rows + 1) * n_columns), X.shape)


@pytest.mark.parametrize("scale", SCALES)
def test_weights_are_in_the_units_of_the_rows_given(scale):
    X, y = drawn()
    clf = fitted(X, y, scale)
    rows = normalize(X) if scale == "rows" else X
    scores = (rows * clf.coef_[0]).sum(axis=1) + clf.intercept_[0]
    assert scores == near(clf.decision_function(X), 500)


@pytest.mark.parametrize(
    ("scale", "peer"), [("maxabs", MaxAbsScaler()), ("standard", StandardScaler())]
)
def test_the_learner_sees_what_scikit_learn_would_show_it(scale, peer):
    X = np.random.default_rng(1).normal(5, 2, (40, 6)) * 2.0 ** np.arange(6)
    y = X[:, 0] > 5
    clf = fitted(X, y, scale, rule="passive-aggressive")
    by_hand = LinearClassifier("passive-aggressive", until=None, max_iter=5)
    by_hand.fit(peer.fit_transform(X), y)
    wanted = by_hand.decision_function(peer.transform(X))
    assert clf.decision_function(X) == near(wanted, 500)
    assert clf.n_corrections_ == by_hand.n_corrections_


def test_a_column_that_is_mostly_zeros_is_divided_and_not_centred():
    X = np.zeros((8, 2))
    X[:3, 0], X[:4, 1] = 6.0, 6.0
    clf = fitted(X, [0, 1] * 4, "standard")
    shifts, units = clf.fitted.scale._units.shifts, clf.fitted.scale._units.units
    assert shifts.tolist() == [0.0, 3.0]
    assert units == near(X.std(axis=0), 500)


def test_a_column_that_never_varies_neither_helps_nor_breaks():
    X = np.array([[0.1, 1.0], [0.1, 2.0], [0.1, 4.0]])
    clf = LinearClassifier(scale="standard").fit(X, [0, 0, 1])
    assert clf.coef_[0, 0] == 0
    assert clf.predict([[1e6, 4.0]]).tolist() == [1]
    # A deviation that is rounding alone is none.
    X = np.array([[0.1 + 0.2, 1.0], [0.3, 2.0], [0.3, 4.0]])
    assert LinearClassifier(scale="standard").fit(X, [0, 0, 1]).predict(X).tolist() == [0, 0, 1]


def test_rows_of_weight_0_are_not_measured():
    X, y = drawn()
    weights = (np.arange(len(X)) % 3 > 0).astype(float)
    for scale in SCALES:
        clf = LinearClassifier(scale=scale, until=None, max_iter=3, order="cyclic")
        absent = clf.fit(X, y, weights).coef_
        assert np.array_equal(clf.fit(X[weights > 0], y[weights > 0]).coef_, absent)


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix])
def test_saved_pickled_and_streamed_on(scale, form, tmp_path):
    X, y = drawn()
    clf = fitted(form(X), y, scale)
    clf.save(tmp_path / "m")
    for other in (load(tmp_path / "m"), pickle.loads(pickle.dumps(clf))):
        assert other.scale == scale
        assert np.array_equal(other.decision_function(X), clf.decision_function(X))
        one_by_one = pickle.loads(pickle.dumps(clf))
        for i in range(9):
            one_by_one.partial_fit(form(X[i : i + 1]), y[i : i + 1])
        other.partial_fit(form(X[:9]), y[:9])
        assert np.array_equal(other.decision_function(X), one_by_one.decision_function(X))
        assert not np.array_equal(other.coef_, clf.coef_)
    clf.save(tmp_path / "slim", training_state=False)
    assert np.array_equal(load(tmp_path / "slim").decision_function(X), clf.decision_function(X))


def test_a_model_that_is_not_scaled_has_the_bytes_it_always_had(tmp_path):
    from hardlimit import model_file

    fitted([[1.0, 2.0], [2.0, 1.0]], [0, 1], "none").save(tmp_path / "m")
    file = model_file.open(tmp_path / "m")
    assert "scale" not in file.header["parameters"]
    assert not [name for name in file.names if "scale" in name]


def test_the_file_holds_units_of_columns_that_have_any(tmp_path):
    from hardlimit import model_file

    X = sparse.csr_matrix(([2.0, 3.0], ([0, 1], [5, 90_000])), (2, 100_000))
    LinearClassifier(scale="maxabs").fit(X, [0, 1]).save(tmp_path / "m")
    assert model_file.open(tmp_path / "m").array("answer.scale.columns").tolist() == [5, 90_000]
    assert (tmp_path / "m").stat().st_size < 5000


def test_a_stream_begins_with_rows_alone():
    X, y = drawn()
    for scale in ("maxabs", "standard"):
        with pytest.raises(InputError, match=f"scale='{scale}'.*call fit.*scale='rows'"):
            LinearClassifier(scale=scale).partial_fit(X, y)
    clf = LinearClassifier(scale="rows").partial_fit(X, y)
    other = LinearClassifier(scale="rows").partial_fit(sparse.csr_matrix(X), y)
    assert np.array_equal(clf.coef_, other.coef_)
    assert np.array_equal(clf.decision_function(X), other.decision_function(X))


def test_the_scale_of_the_fit_stays_when_the_parameter_is_changed():
    X, y = drawn()
    clf = fitted(X, y, "standard")
    scores = clf.decision_function(X)
    assert np.array_equal(clf.set_params(scale="none").decision_function(X), scores)
    with pytest.warns(ScaleWarning):
        assert not np.array_equal(clf.fit(X, y).decision_function(X), scores)


@pytest.mark.parametrize("scale", ["", "max", 3, object()])
def test_names_that_there_are_not(scale):
    with pytest.raises(InputError, match="scale: got .*none, maxabs, rows, standard"):
        LinearClassifier(scale=scale).fit([[1.0], [2.0]], [0, 1])


def test_numbers_at_the_edge():
    tiny = [[1e-200, 2e-200], [-1e-200, 1e-200]]
    large = [[1e200, 2e200], [-1e200, 1e200]]
    for X in (tiny, large):
        clf = LinearClassifier(scale="rows", bias_feature=0.5).fit(X, [0, 1])
        same = LinearClassifier(scale="rows", bias_feature=0.5).fit([[1, 2], [-1, 1]], [0, 1])
        assert clf.coef_ == near(same.coef_, 500)
        assert LinearClassifier(scale="maxabs").fit(X, [0, 1]).predict(X).tolist() == [0, 1]
    with pytest.raises(InputError, match="column 0.*squares overflow.*maxabs"):
        LinearClassifier(scale="standard").fit(large, [0, 1])
    clf = LinearClassifier(scale="maxabs").fit(tiny, [0, 1])
    with pytest.raises(InputError, match="row 0, column 1.*infinite in the units"):
        clf.predict([[0.0, 1e150]])
    assert LinearClassifier(scale="rows").fit([[0.0], [1.0]], [0, 1]).predict([[0.0]]) == [0]


# The word where nothing scales them


def warned(X, **settings):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        LinearClassifier(until=None, max_iter=1, **settings).fit(X, [0, 1, 0])
    return [str(one.message) for one in caught if one.category is ScaleWarning]


def test_columns_that_differ_by_more_than_a_thousand_are_told_once():
    X = np.array([[1.0, 2000.0, 0.0], [1.0, -1.0, 0.0], [1.0, 900.0, 0.0]])
    (said,) = warned(X)
    assert "of column 1" in said and "of column 0" in said and "scale='standard'" in said
    assert len(warned(sparse.csr_matrix(X))) == 1
    for scale in SCALES:
        assert warned(X, scale=scale) == []


def test_a_thousand_is_allowed_and_zeros_have_no_norm():
    assert warned(np.array([[1.0, 1000.0, 0.0], [2.0, 2000.0, 0.0], [0.0, 0.0, 0.0]])) == []
    assert warned(np.zeros((3, 2))) == []


def test_streams_are_not_warned():
    clf = LinearClassifier()
    clf.partial_fit([[1.0, 1e6], [2.0, -1e6]], [0, 1])
