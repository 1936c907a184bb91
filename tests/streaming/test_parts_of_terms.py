"""Vocabularies of parts, joined, are the vocabulary of all texts."""

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardlimit.exceptions import HardlimitError, InputError
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
    # Columns that are known before any text is.
    {"hash_bits": 10},
    {"hash_bits": 10, "idf": None},
    {"hash_bits": 6, "chars": (2, 3)},
    {"vocabulary": ["prize", "lunch", "prize now", "zebra", "patch"]},
    {"vocabulary": ["lunch", "w3", "cash"], "idf": None},
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


def join(made, texts, cuts):
    """What is learnt of the parts."""
    return fit_terms(TextVectorizer(**made), parts_of(TextVectorizer(**made), texts, cuts))


def learnt(vectorizer):
    tables = {name: table.tobytes() for name, table in vectorizer.state_tables().items()}
    return vectorizer.header(), tables, vectorizer.n_documents_


WORDS = st.sampled_from("win prize lunch patch w1 w2 w3 naïve Ωmega été".split())
TEXTS = st.lists(st.lists(WORDS, max_size=6).map(" ".join), min_size=1, max_size=24)
LIMITS = st.fixed_dictionaries(
    {},
    optional={
        "min_df": st.one_of(st.integers(1, 4), st.floats(0.01, 0.4)),
        "max_df": st.floats(0.5, 1.0),
        "max_features": st.integers(1, 12),
    },
)
FEATURES = st.sampled_from(
    [
        {"words": (1, 2), "chars": None},
        {"words": (1, 1), "chars": (2, 3)},
        {"words": None, "chars": (2, 2), "idf": None},
    ]
)


@pytest.mark.parametrize("made", SETTINGS)
@pytest.mark.parametrize("cuts", [[116], [1, 50, 116], [0, 3, 40, 41, 90, 111, 113, 116]])
def test_parts_make_the_whole(made, cuts):
    texts = _texts()
    whole, joined = TextVectorizer(**made).fit(texts), join(made, texts, cuts)
    assert learnt(joined) == learnt(whole)
    assert joined.n_replaced_ == whole.n_replaced_
    columns = range(whole.n_columns_)
    assert joined.terms(columns) == whole.terms(columns)
    one, other = joined.rows(texts), whole.rows(texts)
    assert (one.indices == other.indices).all() and (one.data == other.data).all()
    more = ["of words that nobody has met yet prize", "中文"]
    assert learnt(joined.partial_fit(more)) == learnt(whole.partial_fit(more))


@settings(max_examples=120)
@given(TEXTS, LIMITS, FEATURES, st.lists(st.integers(0, 24), max_size=6))
def test_parts_with_limits_make_the_whole_ties_included(texts, limits, features, cuts):
    made = features | limits
    ends = [*sorted(min(cut, len(texts)) for cut in cuts), len(texts)]
    try:
        wanted = learnt(TextVectorizer(**made).fit(texts))
    except InputError:  # the limits leave no term
        with pytest.raises(InputError):
            join(made, texts, ends)
        return
    assert learnt(join(made, texts, ends)) == wanted


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
