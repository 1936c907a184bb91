"""The documented hash against a slow twin, its test vectors, its evenness, and bucket names."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardlimit.exceptions import InputError
from hardlimit.text import TextVectorizer

from .alphabet import CASES

MASK = 2**64 - 1
P0, P1 = 0x243F6A8885A308D3, 0x13198A2E03707345
P2, P3 = 0xA4093822299F31D1, 0x082EFA98EC4E6C89


def fold(a: int, b: int) -> int:
    return (a * b & MASK) ^ (a * b >> 64)


def string(data: bytes, salt: int, kind: int) -> int:
    h = fold(salt + (kind + 1) * P0 & MASK, P1) + len(data) * P0 & MASK
    for start in range(0, len(data), 8):
        h = fold(h ^ int.from_bytes(data[start : start + 8], "little"), P1)
    return h


def column(term: str, bits: int, salt: int = 0) -> int:
    """The column of a term by its name."""
    if term[0] in "{[":
        h = string(term[1:-1].encode(), salt, 1 if term[0] == "{" else 2)
    else:
        first, *others = [string(word.encode(), salt, 0) for word in term.split(" ")]
        h = first
        for other in others:
            h = fold(h ^ P2, other ^ P3)
    return h >> (64 - bits)


def terms_of(text, **options):
    vectorizer = TextVectorizer(tf="raw", idf=None, norm=None, **options)
    rows = vectorizer.fit_rows([text])
    return dict(zip(vectorizer.terms(rows.indices), rows.data.tolist(), strict=True))


VECTORS = {  # term: (20 bits, salt 0), (31 bits, salt 1)
    "win": (225800, 2122208081),
    "win prize": (404667, 1568745520),
    "win prize now": (61010, 1898194268),
    "internationalisation": (840151, 1228794159),
    "{中文}": (713255, 1468262609),
    "[ wi]": (725310, 1966422421),
    "[prize now]": (252254, 316858543),
    "σας": (1010933, 916769961),
}


@pytest.mark.parametrize("term", VECTORS)
def test_vectors_that_never_change(term):
    assert (column(term, 20), column(term, 31, salt=1)) == VECTORS[term]


@pytest.mark.parametrize("salt", [0, 1, 2**64 - 1])
@pytest.mark.parametrize("bits", [1, 10, 31])
@pytest.mark.parametrize("lengths", [(1, 1), (1, 2), (2, 2), (2, 4)])
def test_columns_are_those_of_the_slow_twin(salt, bits, lengths):
    for text in CASES.values():
        terms = terms_of(text, words=lengths, chars=(2, 9))
        want = Counter()
        for term, count in terms.items():
            want[column(term, bits, salt)] += count
        options = {"words": lengths, "chars": (2, 9), "hash_bits": bits, "salt": salt}
        rows = TextVectorizer(tf="raw", idf=None, norm=None, **options).rows([text])
        assert dict(zip(rows.indices.tolist(), rows.data.tolist(), strict=True)) == want


@settings(max_examples=100, deadline=None)
@given(st.text(), st.integers(0, 2**64 - 1))
def test_any_text_and_salt(text, salt):
    want = Counter()
    for term, count in terms_of(text, chars=(1, 3)).items():
        want[column(term, 16, salt)] += count
    vectorizer = TextVectorizer(
        chars=(1, 3), hash_bits=16, salt=salt, tf="raw", idf=None, norm=None
    )
    rows = vectorizer.rows([text])
    assert dict(zip(rows.indices.tolist(), rows.data.tolist(), strict=True)) == want


@pytest.mark.parametrize("options", [{"words": (1, 1)}, {"words": (2, 2)}, {"words": None}])
def test_columns_are_evenly_spread(options):
    if options["words"] is None:
        options = {"words": None, "chars": (3, 3)}
    text = " ".join(f"{a}{b}{a}" for a in range(300) for b in range(100))
    n = len(terms_of(text, **options))
    rows = TextVectorizer(hash_bits=12, idf=None, norm=None, **options).rows([text])
    expected = 4096 * (1 - (1 - 1 / 4096) ** n)
    assert abs(rows.known_features[0] - expected) < 6 * np.sqrt(4096 * 0.25)


def test_a_bucket_is_named_by_the_first_term_met_in_fit():
    vectorizer = TextVectorizer(words=(1, 3), chars=(2, 3), hash_bits=24)
    rows = vectorizer.fit_rows(["win a prize now 東京"])
    names = vectorizer.terms(rows.indices)
    assert {"win", "win prize", "win prize now", "{東京}", "[ wi]", "[a ]"} <= set(names)
    assert [column(name, 24) for name in names] == rows.indices.tolist()
    small = TextVectorizer(hash_bits=1, words=(1, 1)).fit(["win", "a prize now lunch"])
    first = {}
    for word in ["win", "prize", "now", "lunch"]:
        first.setdefault(column(word, 1), word)
    assert small.terms([0, 1]) == [first.get(0, ""), first.get(1, "")]


def test_a_bucket_never_met_has_no_name():
    vectorizer = TextVectorizer(hash_bits=10).fit(["win"])
    vectorizer.transform(["lunch"])
    assert vectorizer.terms([column("win", 10), column("lunch", 10)]) == ["win", ""]
    with pytest.raises(InputError, match="columns 0 to 1023"):
        vectorizer.terms([1024])
