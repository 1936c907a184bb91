"""What holds of every map: the maps are found, not listed."""

import copy
import pickle

import numpy as np
import pytest
from scipy import sparse

from hardlimit import maps
from hardlimit.exceptions import InputError, KindError, MemoryEstimateError, NotFittedError

ALL = [maps.MAPS.members[name] for name in maps.names()]
each_map = pytest.mark.parametrize("Map", ALL, ids=maps.names())
X = np.array([[1.0, -2.0, 0.0], [0.0, 0.5, 3.0]])


@each_map
def test_it_is_a_transformer(Map):
    phi = Map()
    found = phi.fit_transform(X, [0, 1])
    assert found.dtype == np.float64 and found.shape == (2, phi.n_columns_)
    assert np.array_equal(phi.transform(X), found)
    assert len(phi.get_feature_names_out()) == phi.n_columns_
    assert len(phi.get_feature_names_out(["a", "b", "c"])) == phi.n_columns_
    again = Map(**phi.get_params()).fit(X)
    assert np.array_equal(again.transform(X), found)
    for other in (copy.deepcopy(phi), pickle.loads(pickle.dumps(phi))):
        assert np.array_equal(other.transform(X), found)


@each_map
def test_one_row_at_a_time_is_the_same(Map):
    phi = Map().fit(X)
    alone = [phi.transform(X[i : i + 1]) for i in range(len(X))]
    assert np.vstack(alone).tobytes() == phi.transform(X).tobytes()


@each_map
def test_the_rows_given_are_left_alone(Map):
    dense, csr = X.copy(), sparse.csr_matrix(X)
    phi = Map().fit(dense)
    phi.transform(dense)
    phi.transform(csr)
    assert np.array_equal(dense, X) and np.array_equal(csr.toarray(), X)


@each_map
def test_bad_input(Map):
    with pytest.raises(NotFittedError, match=r"call fit\(X\) first"):
        Map().transform(X)
    with pytest.raises(NotFittedError, match="fit"):
        Map().get_feature_names_out()
    phi = Map().fit(X)
    with pytest.raises(InputError, match="got 2 columns, wanted the 3 of fit"):
        phi.transform(X[:, :2])
    with pytest.raises(InputError, match="NaN"):
        phi.transform([[1.0, np.nan, 2.0]])
    with pytest.raises(InputError, match=r"\(n_rows, n_columns\)"):
        phi.fit([1.0, 2.0])
    with pytest.raises(KindError, match="numbers"):
        phi.fit([["a", "b"]])
    with pytest.raises(InputError, match="got 2 names, wanted 3"):
        phi.get_feature_names_out(["a", "b"])
    with pytest.raises(
        InputError, match="row 0: .*transform: a product of columns is beyond.*scale"
    ):
        phi.transform([[1e200, 1e200, 0.0]])


@each_map
def test_memory_is_estimated_before_it_is_taken(Map):
    wide = sparse.csr_matrix((10**6, 30_000_000))
    phi = Map().fit(wide)
    assert phi.transform(wide[:10]).shape == (10, phi.n_columns_)
    with pytest.raises(MemoryEstimateError, match="would need"):
        phi.get_feature_names_out()
    long = sparse.csr_matrix(np.ones((1, 500_000), np.float32))
    with pytest.raises(MemoryEstimateError, match="take fewer rows at a time"):
        Map().fit_transform(long)


@pytest.mark.parametrize(
    ("phi", "message"),
    [
        (maps.Polynomial(0), "degree=0, wanted a whole number 1 to 16"),
        (maps.Polynomial(17), "degree=17"),
        (maps.Polynomial(1.5), "degree=1.5"),
        (maps.Polynomial("2"), "degree='2'"),
        (maps.Polynomial(True), "degree=True"),
        (maps.Polynomial(float("nan")), "degree=nan"),
        (maps.Polynomial(2, -1.0), "c=-1.0, wanted a finite number >= 0"),
        (maps.Polynomial(2, float("nan")), "c=nan"),
        (maps.Polynomial(2, None), "c=None"),
        (maps.Cross(which="some"), "which='some', wanted 'all' or 'seen'"),
        (maps.Cross(hash_bits=0), "hash_bits=0, wanted None or a whole number 1 to 31"),
        (maps.Cross(hash_bits=32), "hash_bits=32"),
        (maps.Cross(hash_bits=2.5), "hash_bits=2.5"),
        (maps.Cross(which="seen", hash_bits=4), "leave one of the two out"),
        (maps.Cross(columns=[3]), "columns: got 3, wanted columns 0 to 2"),
        (maps.Cross(columns=["a"]), "columns: got 'a'"),
        (maps.Cross(columns=[-1]), "columns: got -1"),
    ],
)
def test_bad_parameters_are_refused_at_fit(phi, message):
    with pytest.raises(InputError, match=message):
        phi.fit(X)


@each_map
def test_more_columns_than_can_be_numbered(Map):
    wide = sparse.csr_matrix((1, 2**31 - 1))
    with pytest.raises(InputError, match=r"got 2.31e\+18 columns, wanted at most 2\^53: "):
        Map().fit(wide)
    assert maps.Cross(hash_bits=4).fit_transform(wide).nnz == 0


@each_map
@pytest.mark.parametrize("kind", ["pandas", "polars"])
def test_tables_come_out_where_they_are_asked_for(Map, kind):
    tables = pytest.importorskip(kind)
    given = tables.DataFrame({"a": X[:, 0], "b": X[:, 1], "c": X[:, 2]})
    phi = Map()
    plain = phi.fit_transform(given)
    assert isinstance(plain, np.ndarray)
    found = phi.set_output(transform=kind).fit_transform(given)
    assert isinstance(found, tables.DataFrame)
    assert list(found.columns) == phi.get_feature_names_out().tolist()
    assert np.array_equal(found.to_numpy(), plain)
    assert isinstance(phi.set_output().transform(given), tables.DataFrame)
    assert isinstance(phi.set_output(transform="default").transform(given), np.ndarray)
    with pytest.raises(InputError, match=f"{kind} makes no table of sparse rows"):
        phi.set_output(transform=kind).fit_transform(sparse.csr_matrix(X))
    with pytest.raises(InputError, match="got transform='arrow'"):
        phi.set_output(transform="arrow")


@each_map
def test_tables_keep_their_index_and_follow_scikit_learn(Map):
    pandas, sklearn = pytest.importorskip("pandas"), pytest.importorskip("sklearn")
    from sklearn.base import clone
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    given = pandas.DataFrame(X, columns=list("abc"), index=["x", "y"])
    whole = make_pipeline(StandardScaler(), Map()).set_output(transform="pandas")
    for pipeline in (whole, clone(whole)):
        assert pipeline.fit_transform(given).index.tolist() == ["x", "y"]
    with sklearn.config_context(transform_output="pandas"):
        assert isinstance(Map().fit_transform(X), pandas.DataFrame)
        assert isinstance(Map().set_output(transform="default").fit_transform(X), np.ndarray)
