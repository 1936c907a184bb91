"""The border: kinds of texts, bad bytes, lone surrogates, empty and huge documents."""

import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardlimit.examples.sparse import Csr
from hardlimit.exceptions import InputError, KindError, NotFittedError
from hardlimit.text import TextVectorizer

from ..rounding import SINGLE, roundings
from .alphabet import CASES


def plain(**options):
    return TextVectorizer(tf="raw", idf=None, norm=None, chars=(1, 1), **options)


def equal(a: Csr, b: Csr) -> bool:
    return all(np.array_equal(getattr(a, k), getattr(b, k)) for k in ("indptr", "indices", "data"))


@pytest.mark.parametrize("hash_bits", [None, 18])
def test_str_and_its_bytes_give_the_same_rows(hash_bits):
    texts = list(CASES.values())
    a = TextVectorizer(hash_bits=hash_bits)
    b = TextVectorizer(hash_bits=hash_bits)
    assert equal(a.fit_rows(texts), b.fit_rows([text.encode() for text in texts]))


BAD = [
    b"\xff",
    b"\xc0\x80",
    b"\xc2",
    b"\xe4\xb8",
    b"\xe4\xb8x",
    b"\xed\xa0\x80",
    b"\xf0\x9f\x98",
    b"\xf0\x80\x80\x80",
    b"\xf4\x90\x80\x80",
    b"\xf5\x80",
    b"\x80\x80a",
    b"\xe0\x80\xaf",
    b"ab\xe2\x82",
    b"\xe2\x82\xacok\xe2\x28\xa1",
    b"\xf0\x9f\x98\x80\xf0\x9f",
    b"x" * 31 + b"\xe4" + b"\xb8\xadx" * 30,
]


@pytest.mark.parametrize("data", BAD, ids=repr)
def test_bad_bytes_are_replaced_as_python_does_and_counted(data):
    vectorizer, same = plain(), plain()
    rows = vectorizer.fit_rows([data])
    text = data.decode("utf-8", "replace")
    assert vectorizer.n_replaced_ == text.count("\ufffd")
    assert equal(rows, same.fit_rows([text])) and same.n_replaced_ == 0
    assert vectorizer.terms(rows.indices) == same.terms(rows.indices)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from([*BAD, b"ab", " Σ中é".encode(), b"\xe4", b"\xb8", b"\xad"])))
def test_any_bytes(pieces):
    data = b"".join(pieces)
    vectorizer, same = plain(), plain()
    text = data.decode("utf-8", "replace")
    assert equal(vectorizer.fit_rows([data]), same.fit_rows([text]))
    assert vectorizer.n_replaced_ == text.count("\ufffd")


def test_lone_surrogates_become_one_replacement_each():
    vectorizer, same = plain(), plain()
    rows = vectorizer.fit_rows(["a\ud800b \udc00 \ud83d\ude00 ok", "fine"])
    assert equal(rows, same.fit_rows(["a\ufffdb \ufffd \ufffd\ufffd ok", "fine"]))
    assert vectorizer.n_replaced_ == 4
    vectorizer.transform(["fine"])
    assert vectorizer.n_replaced_ == 0


def test_a_text_is_not_changed_by_reading_it():
    text = "naïve café " * 100
    before = sys.getsizeof(text)
    plain().fit([text])
    assert sys.getsizeof(text) == before  # no cached UTF-8


@pytest.mark.parametrize("hash_bits", [None, 8])
def test_empty_documents_and_none_at_all(hash_bits):
    vectorizer = TextVectorizer(hash_bits=hash_bits)
    rows = vectorizer.fit_rows(["", " \n", "a ! ?", b"", "two words"])
    assert list(rows.known_features) == [0, 0, 0, 0, 3]
    assert vectorizer.rows([]).shape == (0, vectorizer.n_columns_)
    assert vectorizer.transform([]).shape == (0, vectorizer.n_columns_)
    empty = TextVectorizer(hash_bits=hash_bits).fit_rows([])
    assert empty.shape[0] == 0 and len(empty.data) == 0


def test_a_document_without_a_known_feature_is_flagged():
    vectorizer = TextVectorizer().fit(["win a prize"])
    assert list(vectorizer.rows(["lunch now", "prize lunch", ""]).known_features) == [0, 1, 0]


@pytest.mark.parametrize("bad", [None, 3, 1.5, ["text"], bytearray(b"text")])
@pytest.mark.parametrize("place", [0, 1500])
def test_an_item_of_the_wrong_kind_is_named_with_its_position(bad, place):
    texts = ["fine"] * place + [bad]
    with pytest.raises(
        KindError, match=rf"texts\[{place}\]: got a value of type {type(bad).__name__}"
    ):
        TextVectorizer().fit(texts)


@pytest.mark.parametrize("one", ["one text", b"one text"])
def test_one_text_instead_of_several(one):
    with pytest.raises(KindError, match=r"put it in a list, \[text\]"):
        TextVectorizer().fit(one)
    with pytest.raises(KindError, match="put it in a list"):
        TextVectorizer(hash_bits=4, idf=None).transform(one)


def test_what_cannot_be_iterated():
    with pytest.raises(KindError, match="texts: got a value of type int, wanted an iterable"):
        TextVectorizer().fit(3)


def test_any_iterable_will_do():
    texts = ["win a prize", "lunch now"]
    want = TextVectorizer().fit_rows(texts)
    for several in (iter(texts), tuple(texts), np.array(texts), dict.fromkeys(texts).keys()):
        assert equal(want, TextVectorizer().fit_rows(several))


def test_nothing_learnt_yet():
    with pytest.raises(NotFittedError, match=r"call fit\(texts\) first"):
        TextVectorizer().transform(["text"])
    assert TextVectorizer(hash_bits=4, idf=None).transform(["some text"]).nnz == 3


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"words": (2, 1)}, r"words: got \(2, 1\)"),
        ({"words": (0, 1)}, "1 <= least <= most"),
        ({"words": 2}, "a pair of whole numbers"),
        ({"chars": (1, 65)}, "most <= 64"),
        ({"chars": (1.5, 2)}, "1 <= least"),
        ({"words": None}, "no features"),
        ({"hash_bits": 0}, "from 1 to 31"),
        ({"hash_bits": 32}, "from 1 to 31"),
        ({"hash_bits": "many"}, "whole number"),
        ({"salt": -1}, "salt: got -1"),
        ({"tf": "log"}, "'raw', 'binary', 'sublinear'"),
        ({"idf": "bm25"}, "'smooth', 'ratio' or idf=None"),
        ({"norm": "l1"}, "'l2' or norm=None"),
    ],
)
def test_parameters_are_checked_at_fit(options, message):
    vectorizer = TextVectorizer(**options)
    with pytest.raises((InputError, KindError), match=message):
        vectorizer.fit(["text"])


def large(n_bytes: int) -> str:
    words = [f"w{i:x}" for i in range(1_000_000)]
    return (" ".join(words) + " ") * (n_bytes // sum(len(w) + 1 for w in words) + 1)


@pytest.mark.parametrize("hash_bits", [None, 20])
def test_a_document_of_20_megabytes_with_a_million_terms(hash_bits):
    text = large(20_000_000)
    vectorizer = TextVectorizer(words=(1, 1), hash_bits=hash_bits, tf="raw", idf=None, norm=None)
    rows = vectorizer.fit_rows([text, "w0 w1"])
    if hash_bits is None:
        assert list(rows.known_features) == [1_000_000, 2]
        assert set(rows.data[:-2].tolist()) == {text.count("w0 ") * 1.0}
    assert float(rows.data[:-2].astype(np.float64).sum()) == text.count(" ")


@pytest.mark.slow
@pytest.mark.parametrize("options", [{}, {"chars": (3, 4)}, {"hash_bits": 22, "words": (1, 2)}])
def test_a_document_of_100_megabytes(options):
    rows = TextVectorizer(**options).fit_rows([large(100_000_000)])
    assert rows.known_features[0] > 900_000
    assert abs(float(np.square(rows.data.astype(np.float64)).sum()) - 1) < roundings(40, SINGLE)


def test_one_word_without_an_end():
    text = "中" * 300_000 + "a" * 300_000
    rows = TextVectorizer(words=(1, 1), chars=(2, 4)).fit_rows([text])
    n_windows = 5 + 6 + 7  # of 2, 3 and 4 characters
    assert rows.known_features[0] == 1 + 3 + n_windows
