"""The spam rule of the slides, and others that are written by hand."""

import pytest

import hardlimit as hl
from hardlimit import TextClassifier
from hardlimit.exceptions import InputError, KindError

from ...rounding import SINGLE, near

RULE = {"free": 0.124, "offer": 2.5, "lecture": -2.31}
SLIDES = {"threshold": 2.12, "classes": ["nospam", "spam"]}


@pytest.fixture
def spam():
    return TextClassifier.from_weights(RULE, **SLIDES)


def test_the_rule_of_the_slides(spam):
    texts = ["a free offer", "a lecture on cs", "offer, offer: lecture", "free free", ""]
    assert spam.predict(texts).tolist() == ["spam", "nospam", "spam", "nospam", "nospam"]
    scores = [0.504, -4.43, 0.57, -1.872, -2.12]
    assert spam.decision_function(texts) == near(scores, 10, unit=SINGLE)


def test_it_explains_itself(spam):
    found = spam.explain("a free offer")
    assert {one.term: round(one.contribution, 6) for one in found.terms} == {
        "free": 0.124, "offer": 2.5,
    }  # fmt: skip
    assert found.intercept == near(-2.12, 1, unit=SINGLE)
    assert [term for term, _ in spam.telling_terms()["spam"]] == ["offer", "free"]


def test_it_is_saved_with_the_same_answers_and_learns_on(spam, tmp_path):
    spam.save(tmp_path / "spam.hardlimit")
    loaded, texts = hl.load(tmp_path / "spam.hardlimit"), ["a free offer", "prize"]
    assert loaded.decision_function(texts).tolist() == spam.decision_function(texts).tolist()
    for one in (spam, loaded):
        one.partial_fit(["win a prize", "a free lecture"], ["spam", "nospam"])
        assert one.predict(["win a prize"]).tolist() == ["spam"]
    assert loaded.decision_function(texts).tolist() == spam.decision_function(texts).tolist()


def test_terms_of_several_words():
    clf = TextClassifier.from_weights({"win big prize": 1, "no": -2}, tf="binary")
    assert clf.words == (1, 3)
    assert clf.decision_function(["no, no prize", "I win a big prize, no?"]).tolist() == [-2, -1]
    clf = TextClassifier.from_weights({"win prize": 1})
    assert clf.decision_function(["win a prize", "prize win"]).tolist() == [1, 0]


def test_hashed_terms():
    clf = TextClassifier.from_weights(RULE, **SLIDES, hash_bits=12)
    assert clf.predict(["a free offer", "a lecture"]).tolist() == ["spam", "nospam"]


@pytest.mark.parametrize(
    ("weights", "more", "error", "said"),
    [
        ({"Free": 1}, {}, InputError, "got 'Free'.* which is read as 'free'"),
        ({"x": 1}, {}, InputError, "no text has this term$"),
        ({}, {}, KindError, "a dict of terms"),
        ({"free": float("nan")}, {}, InputError, "wanted finite numbers"),
        ({3: 1}, {}, KindError, "terms that are texts"),
        (RULE, {"idf": "smooth"}, InputError, "learnt from texts.*use idf=None"),
        (RULE, {"classes": ["a", "b", "c"]}, InputError, "two different classes"),
    ],
)
def test_what_is_refused(weights, more, error, said):
    with pytest.raises(error, match=said):
        TextClassifier.from_weights(weights, **more)
