"""Columns that are known before any text, counted in parts, are those of all texts together."""

import pytest

from hardlimit.distributed.fixed_terms import count_fixed, fit_fixed
from hardlimit.text import TextVectorizer

from .conftest import messages


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
def test_parts_make_the_whole(made, cuts):
    made = {"hash_bits": 10, **made}
    texts = [text for text, _ in messages(120)]
    whole = TextVectorizer(**made).fit(texts)
    parts = [
        count_fixed(TextVectorizer(**made), texts[begin:end])
        for begin, end in zip([0, *cuts], cuts, strict=False)
    ]
    merged = fit_fixed(parts)
    assert merged.header() == whole.header()
    columns = range(whole.n_columns_)
    assert merged.terms(columns) == whole.terms(columns)
    one, other = merged.rows(texts), whole.rows(texts)
    assert (one.indices == other.indices).all() and (one.data == other.data).all()
    tables, wanted = merged.state_tables(), whole.state_tables()
    assert {k: v.tobytes() for k, v in tables.items()} == {
        k: v.tobytes() for k, v in wanted.items()
    }
