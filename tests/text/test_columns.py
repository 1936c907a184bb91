"""Texts in several columns: blocks of their own, that grow, are frozen and named by column."""

import numpy as np
import pytest

import hardlimit as hl
from hardlimit import TextVectorizer
from hardlimit.examples.tuples import read_tuples
from hardlimit.exceptions import InputError, KindError
from hardlimit.text.columns import ColumnsVectorizer

from ..rounding import SINGLE, near

NAMES = ("subject", "body")
EXAMPLES = [("win now", "see you at lunch"), ("lunch", "win a prize"), ("", "now now")]
SETTINGS = {"words": (1, 1), "chars": None, "idf": None, "norm": "l2"}


def made(examples=EXAMPLES, **settings):
    vectorizer = ColumnsVectorizer.chosen(NAMES, SETTINGS | settings, list(examples))
    return vectorizer, vectorizer.fit_rows(examples)


def dense(rows):
    found = np.zeros((len(rows.indptr) - 1, rows.n_columns))
    for i in range(len(found)):
        part = slice(rows.indptr[i], rows.indptr[i + 1])
        found[i, rows.indices[part]] = rows.data[part]
        assert (np.diff(rows.indices[part]) > 0).all()
    return found


@pytest.mark.parametrize("norm", ["l2", None])
def test_each_column_is_a_block_of_its_own(norm):
    _, rows = made(norm=norm)
    blocks = [TextVectorizer(**SETTINGS | {"norm": norm}) for _ in NAMES]
    alone = [dense(block.fit_rows([e[k] for e in EXAMPLES])) for k, block in enumerate(blocks)]
    expected = np.hstack(alone) / (np.sqrt(2) if norm else 1)
    assert dense(rows) == near(expected, 10, unit=SINGLE)


def test_one_word_in_two_columns_is_two_terms():
    vectorizer, rows = made()
    names = vectorizer.terms(range(rows.n_columns))
    assert {"subject: win", "body: win", "subject: lunch", "body: lunch"} <= set(names)
    assert len(set(names)) == rows.n_columns
    assert vectorizer.get_feature_names_out().tolist() == names


def test_columns_keep_their_places_when_terms_come():
    vectorizer, before = made()
    names = vectorizer.terms(range(before.n_columns))
    after = vectorizer.learn_rows([("brand new", "also new")])
    assert vectorizer.terms(range(before.n_columns)) == names
    assert set(vectorizer.terms(range(before.n_columns, after.n_columns))) == {
        "subject: brand", "subject: new", "body: also", "body: new",
    }  # fmt: skip
    same = dense(vectorizer.rows(EXAMPLES))[:, : before.n_columns]
    assert (same == dense(before)).all()


def test_frozen_and_restored():
    vectorizer, _ = made()
    vectorizer.learn_rows([("brand new", "also new")])
    again = ColumnsVectorizer.from_frozen(vectorizer.header(), vectorizer.state_tables())
    assert (dense(again.rows(EXAMPLES)) == dense(vectorizer.rows(EXAMPLES))).all()
    tables = vectorizer.state_tables()
    tables["0.places"] = tables["0.places"][::-1].copy()
    with pytest.raises(ValueError, match="columns of a block"):
        ColumnsVectorizer.from_frozen(vectorizer.header(), tables)
    tables["0.places"] = tables["1.places"]
    with pytest.raises(ValueError, match="not those of the whole"):
        ColumnsVectorizer.from_frozen(vectorizer.header(), tables)


def test_examples_come_in_many_forms():
    expected = [("a", "b"), ("c", "d")]
    columns = {"body": ["b", "d"], "other": [1, 2], "subject": ["a", "c"]}
    assert read_tuples(columns, NAMES) == expected
    assert read_tuples([{"subject": "a", "body": "b"}, ["c", "d"]], NAMES) == expected
    assert read_tuples(iter(expected), NAMES) == expected
    pandas = pytest.importorskip("pandas")
    assert read_tuples(pandas.DataFrame(columns), NAMES) == expected
    pyarrow = pytest.importorskip("pyarrow")
    assert read_tuples(pyarrow.table(columns), NAMES) == expected


@pytest.mark.parametrize(
    ("texts", "error", "message"),
    [
        ("a text", KindError, "one text"),
        (["a text"], KindError, r"texts\[0\].*2 texts, for 'subject', 'body'"),
        ([("a", "b", "c")], KindError, "2 texts"),
        ([("a", None)], KindError, "missing"),
        ({"subject": ["a"]}, InputError, "without the column 'body'"),
        ({"subject": ["a"], "body": []}, InputError, "different lengths"),
    ],
)
def test_what_is_refused(texts, error, message):
    with pytest.raises(error, match=message):
        read_tuples(texts, NAMES)


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        ([{"s": "hi"}], "texts\\[0\\]: got a dict without 'b', wanted 2 texts, for 's', 'b'"),
        ([("a", "b"), ("a", "b", "c")], "texts\\[1\\]: got a tuple of 3 values, wanted 2 texts"),
        ([3], "texts\\[0\\]: got a value of type int, wanted 2 texts"),
    ],
)
def test_what_an_example_lacks_is_named(texts, said):
    with pytest.raises(KindError, match=said):
        read_tuples(texts, ("s", "b"))


def test_dicts_without_names_of_columns_are_told_to_name_them():
    with pytest.raises(KindError, match=r"texts\[0\]: got a value of type dict.*text_columns=\["):
        hl.TextClassifier().fit([{"s": "hi"}, {"s": "ho"}], ["a", "b"])
    clf = hl.TextClassifier(text_columns=["s"]).fit([{"s": "hi"}, {"s": "ho"}], ["a", "b"])
    assert clf.predict([{"s": "ho"}]).tolist() == ["b"]
