"""Vocabularies of parts, joined, are the vocabulary of all texts."""

import numpy as np
import pytest

from hardlimit.distributed.exact_terms import count_exact, fit_exact, keeps_all_terms
from hardlimit.exceptions import HardlimitError
from hardlimit.text import TextVectorizer

from .conftest import messages

SETTINGS = [
    {},
    {"words": (1, 3), "chars": (2, 3)},
    {"words": (2, 2)},
    {"words": (3, 4), "idf": None},
    {"words": None, "chars": (1, 4), "analyzer": "char"},
    {"chars": (3, 3), "block_weights": (1.0, 2.0), "strip_accents": "unicode"},
]


def _texts():
    odd = ["", "中文字 prize été", "\ud800 lone", "win win win", "a"]
    return [text for text, _ in messages(110)] + odd + ["été prize 文字 of " + "long" * 9]


def _all_of(vectorizer):
    return {name: table.tobytes() for name, table in vectorizer.state_tables().items()}


@pytest.mark.parametrize("made", SETTINGS)
@pytest.mark.parametrize("cuts", [[116], [1, 50, 116], [0, 3, 40, 41, 90, 111, 113, 116]])
def test_parts_make_the_whole(made, cuts):
    texts = _texts()
    whole = TextVectorizer(**made).fit(texts)
    parts = [
        count_exact(TextVectorizer(**made), texts[begin:end])
        for begin, end in zip([0, *cuts], cuts, strict=False)
    ]
    joined = fit_exact(TextVectorizer(**made), parts)
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
def test_with_limits_not_all_terms_are_kept(made):
    assert not keeps_all_terms(TextVectorizer(**made))


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
    part = count_exact(TextVectorizer(), _texts())
    tables = part.tables | {name: change(part.tables[name])}
    with pytest.raises(HardlimitError):
        fit_exact(TextVectorizer(), [part._replace(tables=tables)])
