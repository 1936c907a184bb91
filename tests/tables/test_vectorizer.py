"""The features of a table: against scikit-learn's transformers, and by hand."""

import math
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tables.table_data import FEATURES

from hardlimit.exceptions import InputError
from hardlimit.tables import TableSettings, TableVectorizer, as_table, decide_kinds

from ..rounding import SINGLE, near

TEXTS = {"words": (1, 1), "chars": None}


def made(rows, **settings):
    """Return a vectorizer of these rows, and its features, dense and before they are weighed."""
    table, chosen = as_table(rows), TableSettings(**settings)
    vectorizer = TableVectorizer.of_kinds(decide_kinds(table, chosen), chosen, TEXTS, table)
    return vectorizer, dense(vectorizer, vectorizer.fit_rows(table))


def dense(vectorizer, rows):
    found = np.zeros((len(rows), vectorizer.n_columns_))
    for row in range(len(rows)):
        part = slice(rows.indptr[row], rows.indptr[row + 1])
        assert (np.diff(rows.indices[part]) > 0).all()
        found[row, rows.indices[part]] = rows.data[part]
    for block, scale in zip(vectorizer.places, vectorizer.scales, strict=True):
        found[:, block] /= np.float32(scale)
    return found


def test_numbers_are_those_of_the_standard_scaler():
    preprocessing = pytest.importorskip("sklearn.preprocessing")
    draw = np.random.default_rng(0)
    X = draw.normal(3, 100, (200, 4)) * [1, 1e-3, 1e6, 1]
    X[:, 3] = 7.5  # constant
    rows = {name: X[:, place] for place, name in enumerate("abcd")}
    vectorizer, found = made(rows)
    theirs = preprocessing.StandardScaler().fit(X)
    assert found == near(theirs.transform(X), 10, unit=SINGLE)
    for place, block in enumerate(vectorizer.blocks):
        assert block.mean == near(theirs.mean_[place], 1000)
        assert block.deviation == near(theirs.scale_[place], 1000)


def test_missing_numbers_are_those_of_the_simple_imputer():
    impute = pytest.importorskip("sklearn.impute")
    preprocessing = pytest.importorskip("sklearn.preprocessing")
    X = np.array([[1.0, 5.0], [np.nan, 6.0], [4.0, 8.0], [np.nan, 9.0], [9.0, 1.0]])
    _, found = made({"a": X[:, 0], "b": X[:, 1]}, missing="mean")
    theirs = impute.SimpleImputer(add_indicator=True).fit_transform(X)
    # The mean and the deviation are over the values that were there.
    there = X[~np.isnan(X[:, 0]), :1]
    scaled = preprocessing.StandardScaler().fit(there).transform(theirs[:, :1])
    assert found[:, 0] == near(scaled[:, 0], 10, unit=SINGLE)
    assert found[:, 1].tolist() == theirs[:, 2].tolist()
    assert found[:, 2] == near(
        preprocessing.StandardScaler().fit_transform(X)[:, 1], 10, unit=SINGLE
    )


def test_categories_are_those_of_the_one_hot_encoder():
    preprocessing = pytest.importorskip("sklearn.preprocessing")
    draw = random.Random(0)
    values = [[draw.choice("abcdef"), draw.choice(["x", "y z"])] for _ in range(100)]
    rows = [dict(zip("pq", row, strict=True)) for row in values]
    vectorizer, found = made(rows)
    theirs = preprocessing.OneHotEncoder(handle_unknown="ignore", sparse_output=False).fit(values)
    names = [name.replace(" = ", "_", 1) for name in vectorizer.get_feature_names_out()]
    order = [names.index(name) for name in theirs.get_feature_names_out(["p", "q"])]
    assert (found[:, order] == theirs.transform(values)).all()
    new = [{"p": "new", "q": "x"}]
    later = dense(vectorizer, vectorizer.rows(new))
    assert (later[:, order] == theirs.transform([["new", "x"]])).all()


def test_means_do_not_depend_on_the_order_of_rows():
    draw = random.Random(1)
    values = [draw.uniform(-1, 1) * 10.0 ** draw.randint(-8, 8) for _ in range(500)]
    first, _ = made({"a": values})
    for _ in range(3):
        draw.shuffle(values)
        again, _ = made({"a": values})
        assert again.header() == first.header()


@pytest.mark.parametrize("weights", [(1, 1, 1), (1, 2, 3)])
def test_a_row_has_the_mean_square_length_one(weights):
    table, settings = as_table(FEATURES), TableSettings(column_weights=weights)
    kinds = decide_kinds(table, settings)
    vectorizer = TableVectorizer.of_kinds(kinds, settings, TEXTS, table)
    rows = vectorizer.fit_rows(table)
    assert math.fsum(np.float64(rows.data) ** 2) / len(rows) == near(1, 100, unit=SINGLE)


def test_hashed_categories_have_a_fixed_width():
    rows = [{"a": f"v{n}"} for n in range(100)]
    vectorizer, found = made(rows, category_columns=["a"], hash_categories=4)
    assert found.shape == (100, 16) and (found.sum(1) == 1).all() and found.any(0).all()
    again, _ = made(rows[::-1], category_columns=["a"], hash_categories=4)
    assert (dense(again, again.rows(rows)) == found).all()


@pytest.mark.parametrize("n", [50_000, pytest.param(1_000_000, marks=pytest.mark.slow)], ids=str)
def test_many_categories(n):
    rows = {"a": [f"value {n}" for n in range(n)]}
    settings = TableSettings(category_columns=("a",))
    table = as_table(rows)
    vectorizer = TableVectorizer.of_kinds(decide_kinds(table, settings), settings, TEXTS, table)
    assert vectorizer.fit_rows(table).n_columns == n
    tables = vectorizer.state_tables()
    again = TableVectorizer.from_frozen(vectorizer.header(), tables)
    asked = {"a": [f"value {n - 1}", "value 0", "no value"]}
    assert again.rows(asked).indices.tolist() == [n - 1, 0]


CELLS = st.one_of(
    st.none(),
    st.text(max_size=8),
    st.integers(-(10**20), 10**20),
    st.floats(-1e140, 1e140),
    st.sampled_from(["", "?", "NA", "nan", "1e3", "x"]),
)


@given(st.lists(st.tuples(CELLS, st.floats(-1e100, 1e100)), min_size=1, max_size=30))
def test_what_was_learnt_comes_back(values):
    rows = [{"a": a, "b: ": b} for a, b in values]
    settings = TableSettings(missing="mean", category_columns=("a",))
    table = as_table(rows)
    vectorizer = TableVectorizer.of_kinds(decide_kinds(table, settings), settings, TEXTS, table)
    learnt = vectorizer.fit_rows(table)
    again = TableVectorizer.from_frozen(vectorizer.header(), vectorizer.state_tables())
    found = again.rows(rows[::-1])
    assert (dense(again, found) == dense(vectorizer, learnt)[::-1]).all()
    assert again.get_feature_names_out().tolist() == vectorizer.get_feature_names_out().tolist()
    names = [name for name in vectorizer.get_feature_names_out() if name]
    assert again.add_terms(names) == list(range(len(names)))


@pytest.mark.parametrize("value", [1e308, -1e151, float("inf"), 10**400, "1e999"])
def test_numbers_that_are_too_large_are_named(value):
    with pytest.raises(InputError, match="row 1: column 'a'.*wanted a number below 1e\\+150"):
        made([{"a": 1.0}, {"a": value}])


@pytest.mark.parametrize("change", ["kind", "mean", "deviation", "missing", "places", "ends"])
def test_what_contradicts_itself_is_refused(change):
    vectorizer, _ = made([{"a": 1, "b": "x"}, {"a": 2, "b": "y"}, {"a": 4, "b": None}],
                         missing="mean")  # fmt: skip
    header, tables = vectorizer.header(), dict(vectorizer.state_tables())
    if change == "kind":
        header["blocks"][0]["kind"] = "picture"
    elif change in ("mean", "deviation"):
        header["blocks"][0][change] = (-1.0).hex() if change == "deviation" else "inf"
    elif change == "missing":
        header["blocks"][1]["missing"] = 0
    elif change == "places":
        tables["1.places"] = tables["1.places"] * 0
    else:
        tables["1.category_ends"] = tables["1.category_ends"] + 1
    with pytest.raises(ValueError):
        TableVectorizer.from_frozen(header, tables)
