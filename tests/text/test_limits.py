"""min_df, max_df, max_features, vocabulary, stop words, accents, n-grams across words: as in
scikit-learn."""

from __future__ import annotations

import json
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.feature_extraction.text import (
    ENGLISH_STOP_WORDS,
    CountVectorizer,
    TfidfVectorizer,
    strip_accents_ascii,
    strip_accents_unicode,
)

import hardlimit as hl
from hardlimit.exceptions import InputError, KindError
from hardlimit.text import TextVectorizer
from hardlimit.text.accents import strip_accents

from ..rounding import SINGLE, roundings

TEXTS = [
    "Win a prize now, win it now",
    "lunch at noon, or after noon?",
    "a prize to win, a big prize at noon",
    "see you at lunch after the prize",
    "Été à la plage, ete a la plage",
    "now or never",
]
NEW = ["a prize at noon", "unknown words", "plage at ÉTÉ", ""]
RAW = {"tf": "raw", "idf": None, "norm": None}


def assert_equal(ours, theirs, texts, new, brackets=False):
    """The same terms, and the same rows but for the order of the columns."""
    found = ours.fit_transform(texts)
    want = theirs.fit_transform(texts)
    names = [name[1:-1] if brackets else name for name in ours.get_feature_names_out()]
    assert sorted(names) == sorted(theirs.vocabulary_)
    order = [theirs.vocabulary_[name] for name in names]
    assert found.shape == want.shape
    assert abs(found - want[:, order]).max() < roundings(10, SINGLE)
    assert abs(ours.transform(new) - theirs.transform(new)[:, order]).max() < roundings(10, SINGLE)
    again = TextVectorizer(**ours.get_params()).fit(texts)
    assert (again.transform(new) != ours.transform(new)).nnz == 0


LIMITS = [
    {"min_df": 2},
    {"min_df": 0.3},
    {"min_df": 0.0},
    {"max_df": 2},
    {"max_df": 1},
    {"max_df": 0.5},
    {"min_df": 2, "max_df": 0.5},
    {"min_df": np.int64(2), "max_df": np.float64(0.9)},
]
FEATURES = [
    ({"words": (1, 2)}, {"ngram_range": (1, 2)}),
    ({"words": (2, 3)}, {"ngram_range": (2, 3)}),
    ({"words": None, "chars": (2, 3)}, {"analyzer": "char_wb", "ngram_range": (2, 3)}),
    (
        {"words": None, "chars": (1, 3), "analyzer": "char"},
        {"analyzer": "char", "ngram_range": (1, 3)},
    ),
]


@pytest.mark.parametrize("limits", LIMITS, ids=str)
@pytest.mark.parametrize(("features", "theirs"), FEATURES, ids=str)
def test_limits_of_documents(limits, features, theirs):
    ours = TextVectorizer(**features, **limits)
    brackets = features["words"] is None
    other = TfidfVectorizer(sublinear_tf=True, **theirs, **limits)
    assert_equal(ours, other, TEXTS, NEW, brackets)


@given(
    st.lists(st.text("ab \n", max_size=8), min_size=1, max_size=6),
    st.integers(1, 3),
    st.sampled_from([1.0, 0.5, 2, 3]),
)
def test_limits_of_drawn_texts(texts, least, most):
    texts = ["aa bb", *texts]
    theirs = CountVectorizer(ngram_range=(1, 2), min_df=least, max_df=most)
    try:
        want = theirs.fit_transform(texts)
    except ValueError:
        with pytest.raises(InputError, match="max_df|no term"):
            TextVectorizer(min_df=least, max_df=most).fit(texts)
        return
    ours = TextVectorizer(min_df=least, max_df=most, **RAW)
    found = ours.fit_transform(texts)
    order = [theirs.vocabulary_[name] for name in ours.get_feature_names_out()]
    assert np.array_equal(found.toarray(), want.toarray()[:, order])


@pytest.mark.parametrize("most", [1, 3, 7, 1000])
@pytest.mark.parametrize(("features", "theirs"), FEATURES[::2], ids=str)
def test_the_most_frequent_terms(most, features, theirs):
    ours = TextVectorizer(max_features=most, **features, **RAW)
    found = ours.fit_transform(TEXTS)
    counts = CountVectorizer(**theirs).fit_transform(TEXTS).sum(axis=0)
    largest = np.sort(np.asarray(counts).ravel())[::-1][:most]
    # Which of equal counts are kept is another question; ours are the first in the texts.
    assert np.array_equal(np.sort(np.asarray(found.sum(axis=0)).ravel())[::-1], largest)
    everything = TextVectorizer(**features).fit(TEXTS).get_feature_names_out().tolist()
    kept = ours.get_feature_names_out().tolist()
    assert kept == [name for name in everything if name in set(kept)]


def test_words_and_characters_have_the_most_frequent_each():
    vectorizer = TextVectorizer(chars=(2, 3), max_features=4).fit(TEXTS)
    names = vectorizer.get_feature_names_out()
    assert [name.startswith("[") for name in names].count(True) == 4 and len(names) == 8


@pytest.mark.parametrize("words", [["at", "a", "the", "win"], "english", {"noon"}, ("prize",)])
@pytest.mark.parametrize("ngrams", [(1, 1), (1, 2), (3, 3)])
def test_stop_words_are_left_out_before_n_grams(words, ngrams):
    ours = TextVectorizer(words=ngrams, stop_words=words)
    listed = words if isinstance(words, str) else list(words)
    theirs = TfidfVectorizer(ngram_range=ngrams, stop_words=listed, sublinear_tf=True)
    assert_equal(ours, theirs, TEXTS, NEW)


@pytest.mark.parametrize("ngrams", [(1, 2), (1, 3)])
def test_stop_words_of_hashed_texts(ngrams):
    options = {"words": ngrams, "hash_bits": 20, "idf": None}
    without = TextVectorizer(**options, stop_words=["at", "noon"]).rows(["lunch at noon today"])
    plain = TextVectorizer(**options).rows(["lunch today"])
    assert np.array_equal(without.indices, plain.indices)
    assert np.array_equal(without.data, plain.data)


def test_stop_words_do_not_act_on_characters():
    some = TextVectorizer(words=None, chars=(2, 4), stop_words="english").fit(TEXTS)
    assert some.n_columns_ == TextVectorizer(words=None, chars=(2, 4)).fit(TEXTS).n_columns_


@pytest.mark.parametrize("way", ["ascii", "unicode"])
def test_accents(way):
    ours = TextVectorizer(strip_accents=way)
    theirs = TfidfVectorizer(ngram_range=(1, 2), strip_accents=way, sublinear_tf=True)
    assert_equal(ours, theirs, TEXTS, NEW)
    assert "ete" in ours.get_feature_names_out()


@given(st.text())
def test_accents_of_any_text(text):
    for way, theirs in (("ascii", strip_accents_ascii), ("unicode", strip_accents_unicode)):
        (found,) = strip_accents([text], way)
        want = text if text.isascii() else theirs(text.lower())
        assert found == want
        if "\ud800" <= max(text, default="") <= "\udfff":
            continue
        encoded = text.encode("utf-8", "surrogatepass")
        (found,) = strip_accents([encoded], way)
        try:
            encoded.decode()
        except UnicodeDecodeError:
            continue
        assert (found.decode() if isinstance(found, bytes) else found) == want


def test_bad_bytes_are_counted_as_without_accents():
    text = "Été ".encode() + b"\xff\xfe" + "à".encode() + b"\xc3"
    vectorizer, plain = TextVectorizer(strip_accents="unicode"), TextVectorizer()
    vectorizer.fit([text]), plain.fit([text])
    assert vectorizer.n_replaced_ == plain.n_replaced_ == 3
    assert vectorizer.get_feature_names_out()[0] == "ete"


@given(st.lists(st.text("ab é中.", max_size=9), max_size=4), st.integers(1, 3), st.integers(0, 2))
def test_characters_across_words(texts, least, more):
    texts = [*texts, "some text"]
    ngrams = least, least + more
    theirs = CountVectorizer(analyzer="char", ngram_range=ngrams)
    want = theirs.fit_transform(texts).toarray()
    ours = TextVectorizer(None, ngrams, analyzer="char", **RAW)
    found = ours.fit_transform(texts).toarray()
    order = [theirs.vocabulary_[name[1:-1]] for name in ours.get_feature_names_out()]
    assert np.array_equal(found, want[:, order])


def test_white_space_of_any_kind_is_one_blank():
    vectorizer = TextVectorizer(None, (3, 3), analyzer="char").fit(["a\tb", "a \n\u2003b", "a b"])
    assert vectorizer.get_feature_names_out().tolist() == ["[a b]"]


def test_hashed_characters_across_words_are_those_of_a_vocabulary():
    exact = TextVectorizer(None, (2, 4), analyzer="char", **RAW).fit_rows(TEXTS)
    hashed = TextVectorizer(None, (2, 4), analyzer="char", hash_bits=30, **RAW).rows(TEXTS)
    for a, b in zip(exact.indptr, exact.indptr[1:], strict=False):
        assert sorted(exact.data[a:b]) == sorted(hashed.data[a:b])


def test_a_given_vocabulary():
    terms = ["prize", "at noon", "never seen", "win"]
    ours = TextVectorizer(vocabulary=terms, min_df=5)
    theirs = TfidfVectorizer(ngram_range=(1, 2), vocabulary=terms, sublinear_tf=True)
    assert_equal(ours, theirs, TEXTS, NEW)
    assert ours.get_feature_names_out().tolist() == terms
    columns = {term: column for column, term in enumerate(reversed(terms))}
    ours = TextVectorizer(vocabulary=columns).fit(TEXTS)
    assert ours.get_feature_names_out().tolist() == terms[::-1]
    assert TextVectorizer(vocabulary=set(terms)).fit(TEXTS).terms([0]) == [min(terms)]


@given(st.data())
def test_a_vocabulary_of_terms_that_were_found(data):
    options = {"words": (1, 3), "chars": (2, 3)}
    texts = [*TEXTS, "中文字 and more"]
    plain = TextVectorizer(**options, **RAW)
    want = plain.fit_transform(texts)
    names = plain.get_feature_names_out().tolist()
    chosen = data.draw(st.lists(st.sampled_from(range(len(names))), min_size=1, unique=True))
    ours = TextVectorizer(**options, **RAW, vocabulary=[names[column] for column in chosen])
    assert np.array_equal(ours.fit_transform(texts).toarray(), want.toarray()[:, chosen])


@pytest.mark.parametrize(
    ("options", "kind", "match"),
    [
        ({"min_df": 0}, InputError, "min_df"),
        ({"min_df": 1.5}, InputError, "min_df"),
        ({"min_df": True}, KindError, "min_df"),
        ({"max_df": 0}, InputError, "max_df"),
        ({"max_df": "all"}, KindError, "max_df"),
        ({"max_features": 0}, InputError, "max_features"),
        ({"max_features": 2.0}, KindError, "max_features"),
        ({"min_df": 2, "hash_bits": 10}, InputError, "hashing keeps no terms"),
        ({"max_df": 1, "hash_bits": 10}, InputError, "max_df"),
        ({"vocabulary": ["win"], "hash_bits": 10}, InputError, "hashing has no vocabulary"),
        ({"vocabulary": []}, InputError, "at least one"),
        ({"vocabulary": ["win", "win"]}, InputError, "each term once"),
        ({"vocabulary": ["one two three"]}, InputError, "no text has it"),
        ({"vocabulary": ["[ab]"]}, InputError, "no text has it"),
        ({"vocabulary": ["[abc]"], "chars": (2, 2)}, InputError, "no text has it"),
        ({"vocabulary": [" win"]}, InputError, "no text has it"),
        ({"vocabulary": [""]}, InputError, "no text has it"),
        ({"vocabulary": "win"}, KindError, "vocabulary"),
        ({"vocabulary": [1]}, KindError, "vocabulary"),
        ({"vocabulary": ["\ud800"]}, InputError, "vocabulary"),
        ({"vocabulary": {"win": 1}}, InputError, "columns 0 to 0"),
        ({"vocabulary": {"win": 0, "prize": 0}}, InputError, "each once"),
        ({"stop_words": "german"}, InputError, "english"),
        ({"stop_words": 3}, KindError, "stop_words"),
        ({"stop_words": [3]}, KindError, "stop_words"),
        ({"strip_accents": "latin"}, InputError, "strip_accents"),
        ({"analyzer": "word"}, InputError, "analyzer"),
        ({"min_df": 7}, InputError, "at most 6 and at least 7"),
        ({"min_df": 6}, InputError, "no term is in 6 to 6 of 6 texts"),
        ({"min_df": 4, "max_df": 0.5}, InputError, "max_df"),
    ],
    ids=str,
)
def test_what_is_refused(options, kind, match):
    with pytest.raises(kind, match=match):
        TextVectorizer(**options).fit(TEXTS)


def test_a_fit_that_is_refused_leaves_the_old_vocabulary():
    vectorizer = TextVectorizer().fit(TEXTS)
    before = vectorizer.get_feature_names_out().tolist()
    vectorizer.min_df = 7
    with pytest.raises(InputError):
        vectorizer.fit(TEXTS)
    assert vectorizer.get_feature_names_out().tolist() == before


# A vocabulary that grows no more


@pytest.mark.parametrize("options", [{"min_df": 2}, {"vocabulary": ["prize", "at noon"]}], ids=str)
def test_a_limited_vocabulary_does_not_grow(options):
    vectorizer = TextVectorizer(**options).fit(TEXTS)
    names = vectorizer.get_feature_names_out().tolist()
    stored = TextVectorizer.from_frozen(vectorizer.header(), vectorizer.state_tables())
    for one in (vectorizer, pickle.loads(pickle.dumps(vectorizer)), stored):
        one.partial_fit(["prize prize", "brand new terms at noon"])
        assert one.get_feature_names_out().tolist() == names
        assert one.n_documents_ == len(TEXTS) + 2
        one.refresh_idf()
        both = TextVectorizer(vocabulary=names).fit([*TEXTS, "prize", "brand new terms at noon"])
        assert np.array_equal(one.rows(NEW).data, both.rows(NEW).data)


def test_a_stream_with_limits_begins_with_a_fit():
    with pytest.raises(InputError, match="call fit first"):
        TextVectorizer(min_df=2).partial_fit(TEXTS)
    with pytest.raises(InputError, match="call fit first"):
        hl.TextClassifier(max_df=0.5).partial_fit(TEXTS, list("abcabc"))
    learnt = TextVectorizer(vocabulary=["prize"]).partial_fit(TEXTS)
    assert learnt.n_columns_ == 1 and learnt.n_documents_ == len(TEXTS)


# In a classifier

SETTINGS = [
    {"min_df": 2},
    {"min_df": 2, "max_df": 0.9, "chars": (2, 3)},
    {"max_df": 4, "words": (2, 3)},
    {"max_features": 5, "chars": (2, 3)},
    {"stop_words": ["at", "a"]},
    {"stop_words": "english"},
    {"strip_accents": "unicode", "chars": (2, 3)},
    {"strip_accents": "ascii", "hash_bits": 12},
    {"words": None, "chars": (2, 4), "analyzer": "char"},
    {"chars": (2, 4), "analyzer": "char", "hash_bits": 14, "stop_words": {"prize"}},
    {"vocabulary": ["prize", "noon", "at lunch", "win"]},
    {"vocabulary": {"prize": 1, "[ pl]": 0}, "chars": (3, 3)},
]


@pytest.mark.parametrize("options", SETTINGS, ids=str)
@pytest.mark.parametrize("n_classes", [2, 9])
def test_a_model_file_answers_as_the_model_in_memory(tmp_path, options, n_classes):
    texts = [f"{text} {text}" for text in TEXTS] * 3
    labels = [i % n_classes for i in range(len(texts))]
    clf = hl.TextClassifier(**options, max_iter=3).fit(texts, labels)
    clf.save(tmp_path / "m")
    loaded = hl.load(tmp_path / "m")
    asked = [*TEXTS, *NEW, "plage été".encode()]
    assert np.array_equal(clf.decision_function(asked), loaded.decision_function(asked))
    slim = tmp_path / "slim"
    clf.save(slim, training_state=False)
    assert np.array_equal(clf.decision_function(asked), hl.load(slim).decision_function(asked))
    for text in asked[::3]:
        assert clf.explain(text) == loaded.explain(text)
    assert clf.telling_terms(3) == loaded.telling_terms(3)
    for name, asked_for in options.items():
        kept = getattr(loaded, name)
        if name in ("stop_words", "vocabulary"):
            assert kept == asked_for or set(kept) == set(asked_for)
        else:
            assert kept == asked_for and type(kept) is type(asked_for)
    clf.partial_fit(TEXTS[:2], labels[:2])
    loaded.partial_fit(TEXTS[:2], labels[:2])
    assert np.array_equal(clf.decision_function(asked), loaded.decision_function(asked))
    # A file that was loaded is written again as it was.
    hl.load(tmp_path / "m").save(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == (tmp_path / "m").read_bytes()


def test_the_file_holds_only_what_is_kept(tmp_path):
    texts = [f"{text} {number} extra{number}" for number, text in enumerate(TEXTS * 20)]
    labels = list("ab" * 60)
    for name, options in (("all", {}), ("some", {"min_df": 2})):
        hl.TextClassifier(**options, max_iter=2).fit(texts, labels).save(tmp_path / name)
    assert (tmp_path / "some").stat().st_size < 0.6 * (tmp_path / "all").stat().st_size
    assert json.loads(json.dumps(hl.load(tmp_path / "some").vectorizer_.header()))["closed"]


def test_a_vocabulary_too_long_for_a_file_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("hardlimit.classifiers.files.header.MOST_NAMED", 10)
    clf = hl.TextClassifier(vocabulary=["prize", "noon"]).fit(TEXTS, list("ababab"))
    with pytest.raises(InputError, match="holds at most 10"):
        clf.save(tmp_path / "m")


# On real texts


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "theirs"),
    [
        ({"min_df": 2, "max_df": 0.2}, {}),
        ({"min_df": 0.001}, {}),
        ({"stop_words": "english", "min_df": 3}, {}),
        ({"strip_accents": "unicode"}, {}),
        (
            {"words": None, "chars": (3, 4), "analyzer": "char"},
            {"analyzer": "char", "ngram_range": (3, 4)},
        ),
    ],
    ids=str,
)
def test_real_texts(data_folder, options, theirs):
    lines = (data_folder / "sms_spam" / "SMSSpamCollection").read_text("utf-8").splitlines()
    texts = [" ".join(line.split("\t", 1)[1].split()) for line in lines]
    shared = {k: v for k, v in options.items() if k not in ("words", "chars", "analyzer")}
    other = TfidfVectorizer(sublinear_tf=True, **{"ngram_range": (1, 2), **shared, **theirs})
    ours = TextVectorizer(**options)
    assert_equal(ours, other, texts[:4000], texts[4000:], "words" in options)
    assert len(ENGLISH_STOP_WORDS) > 300
