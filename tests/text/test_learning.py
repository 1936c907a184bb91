"""The vocabulary grows in order, whatever the batches; idf stays as learnt; limits are told."""

import pickle
import signal
import time

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline

from hardlimit import _native
from hardlimit.exceptions import InputError
from hardlimit.text import TextVectorizer, logs

from .alphabet import CASES

TEXTS = [*CASES.values(), "the cat and the dog", "the cat", "a dog, the end"] * 3
EVERYTHING = {"words": (1, 3), "chars": (2, 8)}


def equal(a, b):
    return all(np.array_equal(getattr(a, k), getattr(b, k)) for k in ("indptr", "indices", "data"))


@pytest.mark.parametrize("size", [1, 2, 7])
@pytest.mark.parametrize("options", [{}, EVERYTHING, {"hash_bits": 9}])
def test_columns_do_not_depend_on_batches(size, options):
    whole, parts = TextVectorizer(**options).fit(TEXTS), TextVectorizer(**options)
    for start in range(0, len(TEXTS), size):
        parts.partial_fit(TEXTS[start : start + size])
    assert parts.n_columns_ == whole.n_columns_ and parts.n_documents_ == len(TEXTS)
    columns = range(whole.n_columns_)
    assert parts.terms(columns) == whole.terms(columns)
    assert equal(parts.refresh_idf().rows(TEXTS), whole.rows(TEXTS))


@pytest.mark.parametrize("n", [255, 256, 257, 258, 513])
def test_n_grams_go_on_over_the_ends_of_blocks(n):
    """Words are looked up by 256; an n-gram may begin in one block and end in the next."""
    words = [f"w{k}" for k in range(n)]
    grams = [" ".join(words[k : k + size]) for size in (1, 2, 3, 4) for k in range(n - size + 1)]
    vectorizer = TextVectorizer(words=(1, 4), idf=None).fit([" ".join(words)])
    assert sorted(vectorizer.get_feature_names_out()) == sorted(grams)
    row = vectorizer.rows([" ".join(words)])
    assert len(row.indices) == len(grams), "and are found again"


def test_columns_are_numbered_by_first_appearance():
    vectorizer = TextVectorizer(words=(1, 2)).fit(["b a b", "bb aa", "aa cc bb"])
    want = ["bb", "aa", "bb aa", "cc", "aa cc", "cc bb"]
    assert list(vectorizer.get_feature_names_out()) == want


def test_idf_stays_as_learnt_until_it_is_refreshed():
    vectorizer = TextVectorizer(words=(1, 1), norm=None).fit(["old", "old also"])
    vectorizer.partial_fit(["old new", "new"])
    row = vectorizer.rows(["old also new"]).data.tolist()
    f32 = np.float32
    old, also = f32(logs.smooth_idf(2, 2)), f32(logs.smooth_idf(2, 1))
    assert row == [old, also, f32(logs.smooth_idf(4, 2))]
    refreshed = vectorizer.refresh_idf().rows(["old also new"]).data.tolist()
    assert refreshed == [
        f32(logs.smooth_idf(4, 3)), f32(logs.smooth_idf(4, 1)), f32(logs.smooth_idf(4, 2))
    ]  # fmt: skip


@pytest.mark.parametrize("options", [{}, EVERYTHING, {"hash_bits": 9}, {"idf": None}])
def test_counting_once_equals_counting_twice(options):
    once, twice = TextVectorizer(**options), TextVectorizer(**options)
    assert equal(once.fit_rows(TEXTS), twice.fit(TEXTS).rows(TEXTS))
    more = ["a new text altogether", "the cat"]
    learnt = once.learn_rows(more)
    assert equal(learnt, twice.partial_fit(more).rows(more))
    assert learnt.n_columns == twice.n_columns_
    counts = once.learn_counts(["the cat and a dog"])
    copy, learnt = counts.copy(), once.weigh(counts)
    assert equal(learnt, once.weigh(copy))
    assert equal(learnt, twice.learn_rows(["the cat and a dog"]))


def test_transform_learns_nothing():
    vectorizer = TextVectorizer(**EVERYTHING).fit(TEXTS)
    before = vectorizer.n_columns_, vectorizer.n_documents_
    vectorizer.transform(["something never seen", *TEXTS])
    assert (vectorizer.n_columns_, vectorizer.n_documents_) == before


def test_fit_forgets():
    vectorizer = TextVectorizer().fit(TEXTS)
    vectorizer.fit(["one text"])
    assert list(vectorizer.get_feature_names_out()) == ["one", "text", "one text"]


def test_a_full_vocabulary_says_so():
    features = _native.TextFeatures((1, 1), (0, 0), 0, 0, True, column_limit=3)
    rows = _native.TextRows()
    features.count(["aa bb cc"], 0, True, rows)
    with pytest.raises(InputError, match="the vocabulary is full: 3 columns; use hash_bits"):
        features.count(["aa dd"], 0, True, rows)


@pytest.mark.parametrize("options", [{}, EVERYTHING, {"hash_bits": 9}, {"words": (2, 2)}])
def test_pickle(options):
    vectorizer = TextVectorizer(**options).fit(TEXTS)
    copy = pickle.loads(pickle.dumps(vectorizer))
    assert copy.get_params() == vectorizer.get_params()
    more = ["win another prize", "東京 Σας"]
    for _ in range(2):
        assert equal(copy.rows(TEXTS + more), vectorizer.rows(TEXTS + more))
        assert copy.terms(range(copy.n_columns_)) == vectorizer.terms(range(copy.n_columns_))
        copy.partial_fit(more)
        vectorizer.partial_fit(more)
    assert not hasattr(pickle.loads(pickle.dumps(TextVectorizer(**options))), "_features")


def test_clone_pipeline_and_search():
    words = (1, 2)
    assert clone(TextVectorizer(words=words)).words == words
    texts = ["win a prize", "lunch now", "prize of gold", "lunch at noon"] * 10
    labels = [1, 0, 1, 0] * 10
    pipeline = make_pipeline(TextVectorizer(), MultinomialNB()).fit(texts, labels)
    assert pipeline.predict(["a prize", "for lunch"]).tolist() == [1, 0]
    grid = {"textvectorizer__words": [(1, 1), (1, 2)], "textvectorizer__hash_bits": [None, 12]}
    search = GridSearchCV(pipeline, grid, cv=2).fit(texts, labels)
    assert search.best_score_ == 1
    assert pipeline[:1].get_feature_names_out().tolist()[:2] == ["win", "prize"]


def test_unknown_parameter():
    with pytest.raises(InputError, match="got 'ngrams', wanted one of"):
        TextVectorizer().set_params(ngrams=3)
    assert repr(TextVectorizer(words=(1, 1), salt=3)) == "TextVectorizer(words=(1, 1), salt=3)"


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timers of signals")
@pytest.mark.parametrize("options", [{}, {"hash_bits": 18}, {"words": None, "chars": (3, 4)}])
def test_a_long_document_can_be_interrupted_and_leaves_nothing(options):
    vectorizer = TextVectorizer(**options).fit(["win a prize", "lunch at noon"])
    before = {name: table.tobytes() for name, table in vectorizer.state_tables().items()}
    header = vectorizer.header()
    long = " ".join(f"w{i:x}" for i in range(2000)) + " abc def ghi" * 3_000_000

    def interrupt(*_):
        raise KeyboardInterrupt

    # Of the processor's time, of which the document takes some hundred times as much.
    handler = signal.signal(signal.SIGVTALRM, interrupt)
    try:
        with pytest.raises(KeyboardInterrupt):
            signal.setitimer(signal.ITIMER_VIRTUAL, 0.02)
            vectorizer.partial_fit([long])
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, handler)
    if "hash_bits" not in options:  # names of buckets are hints, and stay
        assert vectorizer.header() == header
        assert {n: t.tobytes() for n, t in vectorizer.state_tables().items()} == before
    vectorizer.partial_fit(["a prize to win"])
    again = TextVectorizer(**options).fit(["win a prize", "lunch at noon"])
    again.partial_fit(["a prize to win"])
    if "hash_bits" not in options:
        assert {n: t.tobytes() for n, t in vectorizer.state_tables().items()} == {
            n: t.tobytes() for n, t in again.state_tables().items()
        }


def seconds_of_a_text(bits):
    vectorizer = TextVectorizer(words=(1, 1), hash_bits=bits)
    best = float("inf")
    for number in range(60):
        start = time.perf_counter()
        vectorizer.learn_rows([f"one more text number{number} with words{number % 7}"])
        best = min(best, time.perf_counter() - start)
    return best


def test_a_text_of_a_stream_costs_its_terms_and_not_all_columns():
    # 4,096 times the columns; looking at all of them took 200 times as long.
    assert seconds_of_a_text(22) < 10 * seconds_of_a_text(10)


def stored_idf(tables):
    """The idf of each term: many share one, which is then stored once."""
    numbers = tables.get("idf_numbers")
    return tables["idf"] if numbers is None else tables["idf"][numbers]


@pytest.mark.parametrize("options", [{}, {"hash_bits": 18}])
def test_idf_of_more_new_terms_than_are_noted(options):
    many = [
        " ".join(f"term{n}" for n in range(first, first + 1000)) for first in range(0, 70000, 1000)
    ]
    one, whole = TextVectorizer(words=(1, 1), **options), TextVectorizer(words=(1, 1), **options)
    one.partial_fit(["before", "term5"]).partial_fit(many).partial_fit(["after", "term5"])
    whole.fit(["before", "term5", *many, "after", "term5"])
    assert one.n_columns_ == whole.n_columns_
    if not options:
        columns = {t: c for c, t in enumerate(one.terms(range(one.n_columns_)))}
        idf = stored_idf(one.state_tables())
        for term, n, df in (("before", 2, 1), ("term5", 2, 1), ("term9", 72, 1), ("after", 74, 1)):
            assert idf[columns[term]] == logs.smooth_idf(n, df)
    assert equal(one.refresh_idf().rows(many[:3]), whole.rows(many[:3]))


def test_a_restored_vectorizer_gives_an_idf_to_terms_that_had_none():
    before = TextVectorizer(words=(1, 1)).fit(["old", "old also"])
    header, tables = before.header(), dict(before.state_tables())
    tables["idf"] = np.where(np.arange(2) == 1, 0.0, tables["idf"])  # counted, without an idf
    restored = TextVectorizer.from_frozen(header, tables).partial_fit(["new"])
    assert stored_idf(restored.state_tables()).tolist() == [
        logs.smooth_idf(2, 2), logs.smooth_idf(3, 1), logs.smooth_idf(3, 1)
    ]  # fmt: skip
