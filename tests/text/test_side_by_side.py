"""Several threads make the rows, the vocabulary and the scores of one, to the last bit."""

import hashlib
import signal
import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hardlimit as hl
from hardlimit import _native
from hardlimit.exceptions import InputError, KindError
from hardlimit.foundation import workers
from hardlimit.text import TextVectorizer, batches

from .alphabet import CASES
from .test_flooding import strings_of_one_hash, words_of_one_home

WAYS = {
    "words": {},
    "longer words": {"words": (2, 3), "tf": "raw", "norm": None},
    "no idf": {"idf": None, "tf": "binary"},
    "characters": {"words": None, "chars": (1, 4)},
    "across": {"words": (1, 2), "chars": (2, 3), "analyzer": "char"},
    "blocks": {"words": (1, 2), "chars": (2, 5), "block_weights": (0.8, 0.6)},
    "hashed": {"hash_bits": 7},
    "hashed, nothing learnt": {"hash_bits": 12, "idf": None, "words": (1, 3)},
    "hashed blocks": {"hash_bits": 9, "chars": (2, 5), "block_weights": (0.8, 0.6)},
    "limited": {"min_df": 2, "max_df": 0.9, "max_features": 40},
    "given": {"vocabulary": ["win", "the cat", "prize", "cat"], "words": (1, 2)},
    "stop words": {"stop_words": ["the", "and"], "words": (1, 3)},
    "no accents": {"strip_accents": "unicode", "chars": (2, 3)},
}
TEXTS = [*CASES.values(), "", "the cat and the dog", "the cat", "a dog, the end", "win a prize"] * 4


@pytest.fixture(autouse=True)
def every_text_is_worth_a_thread(monkeypatch):
    monkeypatch.setattr(batches, "LEAST_SHARE", 1)


def digest(vectorizer, *rows):
    """Of all that was learnt and of rows."""
    found = hashlib.sha256(repr(sorted(vectorizer.header().items())).encode())
    for name, table in sorted(vectorizer.state_tables().items()):
        found.update(name.encode() + table.tobytes())
    for one in rows:
        for array in (one.indptr, one.indices, one.data):
            found.update(array.tobytes())
    return found.hexdigest(), vectorizer.n_replaced_


def learn(texts, more, n_jobs, **way):
    vectorizer = TextVectorizer(**way, n_jobs=n_jobs)
    rows = [vectorizer.fit_rows(texts)]
    if "min_df" not in way:
        rows.append(vectorizer.learn_rows(more))
    return digest(vectorizer.refresh_idf(), *rows, vectorizer.rows([*more, *texts]))


@pytest.mark.parametrize("n_jobs", [2, 3, 8])
@pytest.mark.parametrize("way", WAYS, ids=str)
def test_what_is_learnt_is_the_same(way, n_jobs):
    assert learn(TEXTS, TEXTS[:30], n_jobs, **WAYS[way]) == learn(TEXTS, TEXTS[:30], 1, **WAYS[way])


WORDS = ["win", "prize", "the", "cat", "über", "中文分", "internationalisation", "x" * 30, "é1"]
DRAWN = st.lists(st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join), max_size=25)


@given(DRAWN, DRAWN, st.sampled_from(sorted({*WAYS} - {"limited"})), st.sampled_from([2, 3, 8]))
@settings(max_examples=60, deadline=None)
def test_whatever_the_texts(texts, more, way, n_jobs):
    assert learn(texts, more, n_jobs, **WAYS[way]) == learn(texts, more, 1, **WAYS[way])


@given(st.lists(st.one_of(st.text(max_size=20), st.binary(max_size=20)), max_size=20))
@settings(max_examples=40, deadline=None)
def test_broken_texts(texts):
    everything = {"words": (1, 2), "chars": (2, 3)}
    assert learn(texts, texts, 3, **everything) == learn(texts, texts, 1, **everything)


@pytest.mark.parametrize("n_jobs", [2, 3])
def test_chosen_words(n_jobs):
    """Words that collide are laid out by the secret, in the runs as in the whole."""
    words = words_of_one_home(2500, kind="growing")
    blobs = [blob.replace(b" ", b"_") for blob in strings_of_one_hash(40)]
    texts = [" ".join(words[i : i + 50]) for i in range(0, 2500, 50)] * 2
    way = {"words": (1, 2), "chars": (16, 16), "analyzer": "char"}
    texts = [*texts, *blobs, *blobs]
    assert learn(texts, texts, n_jobs, **way) == learn(texts, texts, 1, **way)


def test_a_search_stays_short():
    words = words_of_one_home(2500, kind="growing")
    texts = [" ".join(words[i : i + 50]) for i in range(0, 2500, 50)]
    vectorizer = TextVectorizer(words=(1, 2), n_jobs=3).fit(texts)
    assert vectorizer._features.longest_search() < 256


@pytest.mark.parametrize("hash_bits", [None, 10])
def test_the_first_that_is_no_text_is_named(hash_bits):
    texts = ["win a prize"] * 40 + [None] + ["a"] * 40 + [7]
    with pytest.raises(KindError, match=r"texts\[40\]"):
        TextVectorizer(hash_bits=hash_bits, n_jobs=3).fit(texts)


@pytest.mark.parametrize("way", ["words", "blocks", "hashed", "hashed, nothing learnt"])
@pytest.mark.parametrize("bad", [None, 7])
@pytest.mark.parametrize("place", [0, 77, 119])
def test_what_fails_in_one_thread_fails_as_in_one(way, bad, place):
    """The same error names the same text, and the vectorizer is as it was."""
    learnt = TextVectorizer(**WAYS[way], n_jobs=3).fit(TEXTS)
    before = digest(learnt, learnt.rows(TEXTS))
    texts = ["win a prize now", "the other cat"] * 60
    texts[place] = bad
    for act in ("learn_rows", "rows"):
        found = []
        for n_jobs in (1, 3):
            learnt.set_params(n_jobs=n_jobs)
            with pytest.raises(KindError) as refused:
                getattr(learnt, act)(texts)
            found.append(str(refused.value))
            assert digest(learnt, learnt.rows(TEXTS)) == before
        assert found[0] == found[1] and f"[{place}]" in found[0]


@pytest.mark.parametrize("n_jobs", [1, 2, 3])
@pytest.mark.parametrize("limit", [3, 60, 200])
def test_a_vocabulary_that_is_full(limit, n_jobs):
    """The same documents are learnt, until the first that has no room."""
    texts = [f"word{i} word{i // 2} other" for i in range(100)]
    found = []
    for n in (1, n_jobs):
        features = _native.TextFeatures((1, 2), (0, 0), 0, 0, True, column_limit=limit)
        rows = _native.TextRows()
        with pytest.raises(InputError, match="the vocabulary is full"):
            features.count(texts, 0, True, rows, True, n, 1)
        names = features.names(list(range(features.n_columns)))
        found.append((names, features.n_documents, features.dump()["frequency16"][1].tobytes()))
    assert found[0] == found[1]


def test_terms_that_were_added_before_any_text():
    """They have columns that no document of a run gave them."""
    found = []
    for n_jobs in (1, 3):
        vectorizer = TextVectorizer(words=(1, 3), n_jobs=n_jobs)
        vectorizer.add_terms(["the cat and", "zebra"])
        found.append(digest(vectorizer, vectorizer.learn_rows(TEXTS)))
    assert found[0] == found[1]


@pytest.mark.parametrize("n_jobs", [2, 5])
@pytest.mark.parametrize("many", [False, True])
def test_a_stored_model_scores_alike(tmp_path, many, n_jobs):
    texts = TEXTS * 3
    labels = [i % (20 if many else 2) for i in range(len(texts))]
    path = tmp_path / "m.hardlimit"
    hl.TextClassifier().fit(texts, labels).save(path)
    one = hl.load(path).decision_function(texts)
    with workers.using(n_jobs):
        several = hl.load(path).decision_function(texts)
    assert np.array_equal(one, several)


def test_an_interruption_comes_at_once():
    """A signal stops all threads, and a vocabulary that is whole answers."""
    rng = np.random.default_rng(0)
    words = [f"w{n}" for n in rng.integers(0, 10**6, 200_000)]
    texts = [" ".join(words[i : i + 5000]) for i in range(0, len(words), 5000)] * 20
    vectorizer = TextVectorizer(words=(1, 2), n_jobs=2).fit(["win a prize"])
    before = digest(vectorizer)
    whole = digest(TextVectorizer(words=(1, 2), n_jobs=2).fit(texts))
    main = threading.main_thread().ident
    timer = threading.Timer(0.1, lambda: signal.pthread_kill(main, signal.SIGINT))
    with pytest.raises(KeyboardInterrupt):
        timer.start()
        for _ in range(100):
            vectorizer.fit(texts)
    timer.join()
    # A fit may have ended just before the signal was looked at.
    assert digest(vectorizer) in (before, whole)
