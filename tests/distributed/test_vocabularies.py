"""Vocabularies, limits and idf of shards are those of all texts in one pass, ties included."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardlimit.exceptions import InputError
from hardlimit.streaming.terms import fit_terms, make_counter
from hardlimit.text import TextVectorizer

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


def learnt(vectorizer):
    tables = {name: table.tobytes() for name, table in vectorizer.state_tables().items()}
    return vectorizer.header(), tables, vectorizer.n_documents_


@settings(max_examples=120, deadline=None)
@given(TEXTS, LIMITS, FEATURES, st.lists(st.integers(0, 24), max_size=6))
def test_parts_learn_what_the_whole_learns(texts, limits, features, cuts):
    made = features | limits
    ends = [*sorted(min(cut, len(texts)) for cut in cuts), len(texts)]
    parts = [texts[begin:end] for begin, end in zip([0, *ends], ends, strict=False)]
    try:
        wanted = learnt(TextVectorizer(**made).fit(texts))
    except InputError:  # the limits leave no term
        with pytest.raises(InputError):
            _fit(made, parts)
        return
    assert learnt(_fit(made, parts)) == wanted


def _fit(made, parts):
    counters = [make_counter(TextVectorizer(**made), k) for k, _ in enumerate(parts)]
    for counter, part in zip(counters, parts, strict=True):
        counter.add(part)
    return fit_terms(TextVectorizer(**made), [counter.packed() for counter in counters])
