"""The compiled text code: any bytes, any n-grams; growing, restored and stored tables agree.

The first four bytes choose the features; what follows is cut at zero bytes into texts.
"""

import re

import numpy as np

from fuzz.harness import refusals_pass

SEEDS = [
    bytes([options, 0, 1, 0]) + text
    for options in range(0, 96, 7)
    for text in (
        b"Win a prize NOW\0lunch at noon\0win a prize",
        "ΑΣ ὈΔΥΣΣΕΎΣ İstanbul\0中文テキスト ไทย\0ǅ naïveté".encode(),
        b"\xff\xfe\x80 \xed\xa0\x80 bad \xc3\0internationalisation telecommunications",
    )
]
WORDS = [None, (1, 1), (1, 2), (2, 3)]
CHARS = [None, (1, 3), (3, 5), (2, 9)]


def _make(data):
    from hardlimit.text import TextVectorizer

    return TextVectorizer(
        words=WORDS[data[0] & 3],
        chars=CHARS[data[0] >> 2 & 3],
        hash_bits=[None, None, 1, 9][data[0] >> 4 & 3],
        tf=["raw", "binary", "sublinear"][data[1] % 3],
        idf=[None, "smooth", "ratio"][data[2] % 3],
        norm=[None, "l2"][data[3] & 1],
    )


def _same(a, b):
    assert np.array_equal(a.indptr, b.indptr) and np.array_equal(a.indices, b.indices)
    assert np.array_equal(a.data, b.data, equal_nan=True)


def run(data: bytes) -> None:
    """Learn the texts in two ways and compare everything that should be the same."""
    if len(data) < 4:
        return
    texts = data[4:].split(b"\0")
    with refusals_pass():
        one, two = _make(data), _make(data)
        rows = one.fit_rows(texts)
        two.fit([text.decode("utf-8", "replace") for text in texts])
        _same(rows, two.rows(texts))
        again = type(one).from_frozen(one.header(), one.state_tables())
        _same(one.rows(texts), again.rows(texts))
        _score(one, texts)
        if data[0] & 63 == 1:
            _compare_words(one, texts)


def _score(vectorizer, texts):
    """Stored tables give the scores of rows and weights."""
    from hardlimit import _native

    tables = vectorizer.frozen_tables()
    checked = {name: _native.CheckedBuffer(name, t.tobytes()) for name, t in tables.items()}
    weights = np.ones(vectorizer.n_columns_, np.float32)
    buffer = _native.CheckedBuffer("weights", weights.tobytes())
    scorer = _native.TextScorer(vectorizer.header(), checked, buffer, [0.0])
    rows = vectorizer.rows(texts)
    known = scorer.known(texts)
    if vectorizer.hash_bits is None:
        assert known == np.diff(rows.indptr).tolist()
    for text in texts[:3]:
        scorer.contributions(text)


def _compare_words(vectorizer, texts):
    """Words are those of the regular expression."""
    words = set()
    for text in texts:
        words |= set(re.findall(r"(?u)\b\w\w+\b", text.decode("utf-8", "replace").lower()))
    found = {name for name in vectorizer.get_feature_names_out() if name[0] != "{"}
    assert found == words
