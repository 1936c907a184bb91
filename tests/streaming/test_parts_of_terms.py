"""Vocabularies of parts, joined, are the vocabulary of all texts."""

import pickle

import numpy as np
import pytest

from hardlimit.exceptions import HardlimitError
from hardlimit.streaming.terms import bounded, fit_terms, make_counter
from hardlimit.text import TextVectorizer

from ..distributed.conftest import messages

SETTINGS = [
    {},
    {"words": (1, 3), "chars": (2, 3)},
    {"words": (2, 2)},
    {"words": (3, 4), "idf": None},
    {"words": None, "chars": (1, 4), "analyzer": "char"},
    {"max_features": 40, "words": (1, 1)},
    {"min_df": 2, "chars": (2, 4)},
    {"chars": (3, 3), "block_weights": (1.0, 2.0), "strip_accents": "unicode"},
]


def _texts():
    odd = ["", "中文字 prize été", "\ud800 lone", "win win win", "a"]
    return [text for text, _ in messages(110)] + odd + ["été prize 文字 of " + "long" * 9]


def parts_of(vectorizer, texts, cuts):
    """What was counted of each part, as it travels; texts of a part come in two steps."""
    counters = [make_counter(vectorizer, k) for k, _ in enumerate(cuts)]
    for counter, begin, end in zip(counters, [0, *cuts], cuts, strict=False):
        counter.add(texts[begin : begin + 3][: end - begin])
        counter.add(texts[min(begin + 3, end) : end])
    return [pickle.loads(pickle.dumps(counter.packed())) for counter in counters]


def _all_of(vectorizer):
    return {name: table.tobytes() for name, table in vectorizer.state_tables().items()}


@pytest.mark.parametrize("made", SETTINGS)
@pytest.mark.parametrize("cuts", [[116], [1, 50, 116], [0, 3, 40, 41, 90, 111, 113, 116]])
def test_parts_make_the_whole(made, cuts):
    texts = _texts()
    whole = TextVectorizer(**made).fit(texts)
    joined = fit_terms(TextVectorizer(**made), parts_of(TextVectorizer(**made), texts, cuts))
    assert _all_of(joined) == _all_of(whole)
    assert joined.header() == whole.header()
    assert joined.n_replaced_ == whole.n_replaced_
    one, other = joined.rows(texts), whole.rows(texts)
    assert (one.indices == other.indices).all() and (one.data == other.data).all()
    more = ["of words that nobody has met yet prize", "中文"]
    assert _all_of(joined.partial_fit(more)) == _all_of(whole.partial_fit(more))


@pytest.mark.parametrize(
    "made", [{"hash_bits": 8}, {"min_df": 2}, {"max_features": 9}, {"vocabulary": ["a"]}]
)
def test_with_limits_terms_are_counted_in_bounded_memory(made):
    bounds = isinstance(make_counter(TextVectorizer(**made)), bounded.BoundedCounter)
    assert bounds == ({"min_df", "max_features"} & {*made} != set())


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("words_columns", lambda a: a[:-1]),
        ("words_columns", lambda a: np.zeros_like(a)),
        ("words_columns", lambda a: np.full_like(a, 1 << 20)),
        ("pairs2_keys", lambda a: np.zeros_like(a)),
        ("pairs2_keys", lambda a: np.full_like(a, 1 << 60)),
        ("pairs2_keys", lambda a: np.full_like(a, a[0])),
        ("pairs2_columns", lambda a: a[:-1]),
        ("frequency16", lambda a: np.append(a, a[:1])),
        ("frequency16", lambda a: np.full_like(a, 60000)),
    ],
)
def test_tables_that_contradict_themselves_are_refused(name, change):
    (part,) = parts_of(TextVectorizer(), _texts(), [116])
    tables = part.tables | {name: change(part.tables[name])}
    with pytest.raises(HardlimitError):
        fit_terms(TextVectorizer(), [part._replace(tables=tables)])


@pytest.mark.parametrize(
    "made",
    [
        {},
        {"idf": None},
        {"chars": (2, 3), "hash_bits": 6},
        {"hash_bits": None, "vocabulary": ["prize", "lunch", "prize now", "zebra", "patch"]},
        {"hash_bits": None, "vocabulary": ["lunch", "w3", "cash"], "idf": None},
    ],
)
@pytest.mark.parametrize("cuts", [[120], [1, 50, 120], [3, 40, 41, 90, 120]])
def test_parts_of_columns_that_are_known_make_the_whole(made, cuts):
    made = {"hash_bits": 10, **made}
    texts = [text for text, _ in messages(120)]
    whole = TextVectorizer(**made).fit(texts)
    merged = fit_terms(TextVectorizer(**made), parts_of(TextVectorizer(**made), texts, cuts))
    assert merged.header() == whole.header()
    columns = range(whole.n_columns_)
    assert merged.terms(columns) == whole.terms(columns)
    one, other = merged.rows(texts), whole.rows(texts)
    assert (one.indices == other.indices).all() and (one.data == other.data).all()
    tables, wanted = merged.state_tables(), whole.state_tables()
    assert {k: v.tobytes() for k, v in tables.items()} == {
        k: v.tobytes() for k, v in wanted.items()
    }
