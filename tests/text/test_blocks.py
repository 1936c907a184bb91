"""Words and characters as two blocks of a row, each with its own length and weight."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.pipeline import FeatureUnion

import hardlimit as hl
from hardlimit.exceptions import InputError, KindError
from hardlimit.text import TextVectorizer
from hardlimit.text.settings import check_settings

from ..rounding import SINGLE, near, roundings

TEXTS = [
    "Win a prize now",
    "lunch at noon?",
    "a prize to win, a big prize",
    "x",
    "",
    "see you at lunch",
    "中文字 text",
]
GOLDEN = Path(__file__).parents[1] / "golden"
BLOCKS = {"chars": (2, 4), "block_weights": (0.8, 0.6)}


def lengths(vectorizer, rows):
    """The Euclidean length of each block of each row, (n, 2)."""
    names = vectorizer.get_feature_names_out()
    chars = np.array([name.startswith("[") for name in names])
    squares = rows.multiply(rows).toarray().astype(float)
    return np.sqrt(np.stack([squares[:, ~chars].sum(1), squares[:, chars].sum(1)], axis=1))


def test_each_block_has_its_weight_for_length():
    vectorizer = TextVectorizer(**BLOCKS)
    rows = vectorizer.fit_transform(TEXTS)
    want = np.array([[0.8, 0.6]] * len(TEXTS))
    # A block without terms is left empty, and the other one as long as it always is.
    want[3], want[4] = [0, 0.6], [0, 0]
    assert np.abs(lengths(vectorizer, rows) - want).max() < roundings(10, SINGLE)
    assert (rows != vectorizer.transform(TEXTS)).nnz == 0


def as_slow_twin(texts, **options):
    """Rows of both blocks, weighed one number at a time."""
    settings = {**options, "block_weights": None, "norm": None, "tf": "raw", "idf": None}
    counter = TextVectorizer(**settings)
    counts = counter.fit_transform(texts)
    names = counter.get_feature_names_out()
    documents = np.bincount(counts.indices, minlength=counts.shape[1])
    rows = []
    for text in range(len(texts)):
        part = slice(counts.indptr[text], counts.indptr[text + 1])
        columns, found = counts.indices[part].tolist(), counts.data[part].tolist()
        values, sums = [], np.zeros((2, 8))
        for column, count in zip(columns, found, strict=True):
            idf = hl.text.logs.smooth_idf(len(texts), int(documents[column]))
            values.append(hl.text.logs.sublinear(int(count)) * idf)
            sums[int(names[column].startswith("[")), column & 7] += values[-1] ** 2
        for column, value in zip(columns, values, strict=True):
            block = int(names[column].startswith("["))
            s = sums[block].tolist()
            total = ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]))
            rows.append(value * options["block_weights"][block] / total**0.5)
    return counts.indices, np.array(rows, dtype=np.float32)


@given(st.lists(st.text("ab \u4e2dX.9", max_size=12), min_size=1, max_size=6))
def test_rows_are_those_of_the_slow_twin(texts):
    options = {"words": (1, 2), "chars": (1, 3), "block_weights": (0.7, 1.3)}
    found = TextVectorizer(**options).fit_transform(texts)
    indices, data = as_slow_twin(texts, **options)
    assert np.array_equal(found.indices, indices) and np.array_equal(found.data, data)


def assert_union(texts, new):
    """Rows are scikit-learn's union of two vectorizers."""
    theirs = FeatureUnion(
        [
            ("words", TfidfVectorizer(sublinear_tf=True, ngram_range=(1, 2))),
            ("chars", TfidfVectorizer(sublinear_tf=True, analyzer="char_wb", ngram_range=(2, 4))),
        ],
        transformer_weights={"words": 0.8, "chars": 0.6},
    ).fit(texts)
    ours = TextVectorizer(words=(1, 2), **BLOCKS).fit(texts)
    place = {
        f"[{name.removeprefix('chars__')}]"
        if name.startswith("chars__")
        else name.removeprefix("words__"): i
        for i, name in enumerate(theirs.get_feature_names_out())
    }
    order = [place[name] for name in ours.get_feature_names_out()]
    assert sorted(order) == list(range(len(place)))
    for some in (texts, new):
        want = theirs.transform(some)[:, order]
        assert abs(want - ours.transform(some)).max() < roundings(10, SINGLE)


def test_rows_are_scikit_learns_union_of_two_vectorizers():
    assert_union(TEXTS[:6], ["a prize at noon", "unknown", "y", ""])


@pytest.mark.slow
def test_rows_are_scikit_learns_union_on_real_texts(data_folder):
    lines = (data_folder / "sms_spam" / "SMSSpamCollection").read_text("utf-8").splitlines()
    texts = [line.split("\t", 1)[1] for line in lines]
    assert_union(texts[:2000], texts[2000:2500])


@pytest.mark.parametrize("bits", [1, 2, 9, 20, 31])
def test_hashing_gives_words_the_even_columns_and_characters_the_odd_ones(bits):
    settings = {"hash_bits": bits, "idf": None}
    both = TextVectorizer(**BLOCKS, **settings).rows(TEXTS)
    words = TextVectorizer(**settings).rows(TEXTS)
    chars = TextVectorizer(None, (2, 4), **settings).rows(TEXTS)
    assert both.n_columns == 2**bits
    even, odd = both.indices[both.indices % 2 == 0], both.indices[both.indices % 2 == 1]
    assert set(even.tolist()) == {column & ~1 for column in words.indices.tolist()}
    assert set(odd.tolist()) == {column | 1 for column in chars.indices.tolist()}
    for row in (0, 2):
        part = slice(both.indptr[row], both.indptr[row + 1])
        assert np.all(np.diff(both.indices[part]) > 0)
        for block, weight in enumerate(BLOCKS["block_weights"]):
            mine = both.data[part][both.indices[part] % 2 == block].astype(float)
            assert abs(np.sqrt((mine**2).sum()) - weight) < roundings(10, SINGLE)


def test_bucket_names_are_those_of_their_block():
    vectorizer = TextVectorizer(hash_bits=20, **BLOCKS).fit(TEXTS)
    rows = vectorizer.rows(TEXTS)
    for column, name in zip(rows.indices, vectorizer.terms(rows.indices), strict=True):
        assert (column % 2 == 1) == name.startswith("[")


@pytest.mark.parametrize("options", [{"words": (1, 2)}, {"words": None, "chars": (2, 4)}])
@pytest.mark.parametrize("bits", [None, 12])
def test_one_block_alone_is_as_without_weights(options, bits):
    alone = TextVectorizer(**options, hash_bits=bits, block_weights=(0.8, 0.6)).fit_rows(TEXTS)
    plain = TextVectorizer(**options, hash_bits=bits).fit_rows(TEXTS)
    assert np.array_equal(alone.indices, plain.indices)
    assert np.array_equal(alone.data, plain.data)


@pytest.mark.parametrize("bits", [None, 12])
def test_pickles_and_the_state_carry_the_blocks(bits):
    vectorizer = TextVectorizer(**BLOCKS, hash_bits=bits).fit(TEXTS[:3])
    others = [
        pickle.loads(pickle.dumps(vectorizer)),
        TextVectorizer.from_frozen(vectorizer.header(), vectorizer.state_tables()),
    ]
    for other in others:
        assert other.block_weights == (0.8, 0.6)
        other.partial_fit(TEXTS[3:])
    vectorizer.partial_fit(TEXTS[3:])
    for other in others:
        assert np.array_equal(other.rows(TEXTS).data, vectorizer.rows(TEXTS).data)
        assert other.header() == vectorizer.header()


def test_a_document_that_broke_off_leaves_no_block_behind():
    features = hl._native.TextFeatures((1, 1), (2, 2), 0, 0, True, column_limit=3, blocks=True)
    rows = hl._native.TextRows()
    with pytest.raises(InputError, match="full"):
        features.count(["ab cd"], 0, True, rows)  # words 0 and 1, then characters
    rows = hl._native.TextRows()
    features.count(["x"], 0, True, rows)  # columns 0 and 1 again, of characters now
    assert features.names([0, 1]) == ["[ x]", "[x ]"]
    features.weigh(rows, 0, True, False, 1.0, [], [], (1.0, 0.5))
    assert np.square(rows.take()[2]).sum() == near(0.25, 10, unit=SINGLE)


@pytest.mark.parametrize(
    ("value", "kind"),
    [((1,), KindError), (0.5, KindError), (("a", 1), KindError), ((0, 1), InputError),
     ((1, -1), InputError), ((float("nan"), 1), InputError), ((1, float("inf")), InputError)],
)  # fmt: skip
def test_weights_are_checked(value, kind):
    with pytest.raises(kind) as caught:
        check_settings(TextVectorizer(block_weights=value).get_params())
    assert caught.value.parameter == "block_weights"


# In a classifier


@pytest.mark.parametrize("n_classes", [2, 9])
@pytest.mark.parametrize("bits", [None, 14])
def test_a_model_file_answers_and_explains_as_the_model_in_memory(tmp_path, n_classes, bits):
    texts = [f"{text} w{i % n_classes}" for i, text in enumerate(TEXTS * 3)]
    labels = [f"class {i % n_classes}" for i in range(len(texts))]
    clf = hl.TextClassifier(chars=(2, 4), block_weights=(0.8, 0.6), hash_bits=bits, max_iter=3)
    clf.fit(texts, labels).save(tmp_path / "m.hardlimit")
    loaded = hl.load(tmp_path / "m.hardlimit")
    assert loaded.block_weights == (0.8, 0.6)
    asked = [*TEXTS, "prize w1", "w0"]
    assert np.array_equal(clf.decision_function(asked), loaded.decision_function(asked))
    for text in asked:
        mine, theirs = clf.explain(text), loaded.explain(text)
        assert mine == theirs
        total = mine.intercept
        for term in mine.terms:
            total += term.contribution
        assert mine.score == total
    clf.partial_fit(texts[:4], labels[:4])
    loaded.partial_fit(texts[:4], labels[:4])
    assert np.array_equal(clf.decision_function(asked), loaded.decision_function(asked))


@pytest.mark.parametrize("name", ["text-1", "text-2", "many-2"])
def test_a_file_of_before_has_no_block_weights(name):
    assert hl.load(GOLDEN / f"{name}.hardlimit").block_weights is None
