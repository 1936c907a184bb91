"""Texts in, a classifier out."""

import pickle

import numpy as np
import pytest

import hardlimit
from hardlimit import TextClassifier
from hardlimit.exceptions import HardlimitError, InputError, KindError, NotFittedError

from ..rounding import SINGLE, near

TEXTS = ["win a prize now", "lunch at noon?", "a prize to win", "see you at lunch"]
LABELS = ["spam", "ham", "spam", "ham"]


@pytest.fixture
def clf():
    return TextClassifier().fit(TEXTS, LABELS)


def test_learns_and_answers(clf):
    assert clf.predict(["prize prize", "lunch?"]).tolist() == ["spam", "ham"]
    assert clf.decision_function(["prize"])[0] > 0
    assert clf.score(TEXTS, LABELS) == 1.0
    assert clf.n_iter_ == 5
    assert clf.stop_reason_ == "max_iter"


def test_bytes_and_generators_are_texts(clf):
    other = TextClassifier().fit((t.encode() for t in TEXTS), iter(LABELS))
    assert np.array_equal(other.coef_, clf.coef_)
    assert other.predict(iter([b"a prize"])).tolist() == ["spam"]


@pytest.mark.parametrize("n_classes", [2, 3])
def test_an_explanation_adds_up_to_the_score(n_classes):
    labels = LABELS if n_classes == 2 else ["spam", "ham", "spam", "other"]
    for clf in (
        TextClassifier().fit(TEXTS, labels),
        TextClassifier().fit(TEXTS, labels).partial_fit(TEXTS[:1], labels[:1]),
    ):
        for text in TEXTS:
            told = clf.explain(text)
            scores = np.atleast_1d(clf.decision_function([text])[0])
            behind = abs(scores[0]) if n_classes == 2 else np.sort(scores)[-1] - np.sort(scores)[-2]
            assert told.label == clf.predict([text])[0]
            assert told.score == near(behind, 10, unit=SINGLE)
            total = told.intercept + sum(t.contribution for t in told.terms)
            assert total == near(told.score, 100)
            found = [t.contribution for t in told.terms]
            assert found == sorted(found, reverse=True)
            short = clf.explain(text, top=3)
            assert len(short.terms) == 3
            total = short.intercept + short.others + sum(t.contribution for t in short.terms)
            assert total == near(told.score, 100)


def test_a_printed_explanation_shows_the_heaviest_terms_and_adds_up(clf):
    printed = str(clf.explain("win a prize now at lunch")).split("\n")
    assert len(printed) == 1 + 15 + 2 + 3
    assert printed[-5].endswith("more terms)") and printed[-3] == "of which"
    # Each of 18 lines is printed with four digits.
    score = pytest.approx(float(printed[0].split()[-1]), abs=1e-3)
    assert sum(float(line.split()[0]) for line in printed[1:-3]) == score
    intercept_and_blocks = [printed[-4], *printed[-2:]]
    assert sum(float(line.split()[0]) for line in intercept_and_blocks) == score


def test_a_text_without_a_known_term_says_so(clf):
    told = clf.explain("zzz qqq", top=5)
    assert TextClassifier(chars=None).fit(TEXTS, LABELS).explain("zzz").known_features == 0
    assert "no term of this text is known" in str(
        TextClassifier(chars=None).fit(TEXTS, LABELS).explain("zzz")
    )
    assert told.against != told.label


def test_telling_terms_name_what_speaks_for_each_class():
    clf = TextClassifier(chars=None).fit(TEXTS, LABELS)
    telling = clf.telling_terms(2)
    assert "prize" in [term for term, _ in telling["spam"]]
    assert "lunch" in [term for term, _ in telling["ham"]]
    assert all(weight > 0 for terms in telling.values() for _, weight in terms)


def test_a_stream_with_new_terms_and_new_classes():
    clf = TextClassifier(chars=None)
    clf.partial_fit(TEXTS[:1], LABELS[:1])
    assert clf.predict(["anything"]).tolist() == ["spam"]
    clf.partial_fit(TEXTS[1:], LABELS[1:])
    columns = clf.coef_.shape[1]
    clf.partial_fit(["invoice attached"], ["bills"])
    assert clf.coef_.shape[1] > columns
    assert clf.predict(["the invoice"]).tolist() == ["bills"]
    assert clf.classes_.tolist() == ["spam", "ham", "bills"]
    fitted = TextClassifier(chars=None).fit(TEXTS, LABELS)
    fitted.partial_fit(["invoice attached"], ["bills"])
    assert fitted.predict(["invoice", "prize", "lunch"]).tolist() == ["bills", "spam", "ham"]


def test_batches_of_a_stream_do_not_matter_without_idf():
    texts, labels = TEXTS * 3, LABELS * 3
    whole = TextClassifier(chars=None, idf=None).partial_fit(texts, labels)
    ones = TextClassifier(chars=None, idf=None)
    for text, label in zip(texts, labels, strict=True):
        ones.partial_fit([text], [label])
    assert np.array_equal(whole.coef_, ones.coef_)
    assert whole.vectorizer_.get_feature_names_out().tolist() == (
        ones.vectorizer_.get_feature_names_out().tolist()
    )


def test_a_correction_takes_hold_of_the_last_vector(clf):
    last = clf.with_readout("last")
    assert last.predict(["lunch is a prize"])[0] in LABELS
    for _ in range(3):
        last.partial_fit(["lunch is a prize"], ["spam"])
    assert last.predict(["lunch is a prize"]).tolist() == ["spam"]


def test_hashing_needs_no_vocabulary():
    clf = TextClassifier(hash_bits=12, idf=None, chars=None).fit(TEXTS, LABELS)
    assert clf.predict(["prize", "lunch"]).tolist() == ["spam", "ham"]
    assert clf.coef_.shape == (1, 4096)
    assert "prize" in [term for term, _ in clf.telling_terms(4)["spam"]]


def test_short_messages_get_characters_and_long_ones_do_not():
    assert TextClassifier().fit(TEXTS, LABELS).vectorizer_.chars == (2, 5)
    long = [t * 40 for t in TEXTS]
    assert TextClassifier().fit(long, LABELS).vectorizer_.chars is None
    assert TextClassifier(words=(1, 1), chars=None).fit(TEXTS, LABELS).vectorizer_.words == (1, 1)


def test_the_threshold_moves_the_answer(clf):
    score = clf.decision_function(["a prize"])[0]
    clf.threshold_ = score
    assert clf.predict(["a prize"]).tolist() == ["ham"]
    clf.threshold_ = score - 1e-9
    assert clf.predict(["a prize"]).tolist() == ["spam"]


def test_pickles_answer_and_learn_on(clf):
    copy = pickle.loads(pickle.dumps(clf))
    assert np.array_equal(copy.decision_function(TEXTS), clf.decision_function(TEXTS))
    for each in (copy, clf):
        each.partial_fit(["new words here"], ["bills"])
    assert np.array_equal(copy.decision_function(TEXTS), clf.decision_function(TEXTS))
    assert copy.classes_.tolist() == clf.classes_.tolist()


@pytest.mark.parametrize(
    ("texts", "labels", "message"),
    [
        ("one text", ["a"], "put it in a list"),
        (["a b", None], ["x", "y"], "1|None"),
        (["aa", "bb"], ["x"], "got 1, wanted 2"),
        (["aa", "bb"], ["x", "x"], "got 1 class"),
        ([], [], "got nothing"),
        (["aa", "bb"], "xy", "one string"),
        (17, ["x"], "iterable"),
    ],
)
def test_what_cannot_be_learnt_from_is_refused(texts, labels, message):
    with pytest.raises(HardlimitError, match=message):
        TextClassifier().fit(texts, labels)


def test_a_failed_fit_leaves_the_old_model(clf):
    before = clf.predict(TEXTS).tolist()
    with pytest.raises(HardlimitError):
        clf.fit(["aa", "bb"], ["x", "x"])
    assert clf.predict(TEXTS).tolist() == before
    with pytest.raises(KindError):
        clf.partial_fit(["fine", 3], ["spam", "ham"])
    assert clf.predict(TEXTS).tolist() == before


def test_nothing_is_answered_before_fit():
    for ask in (TextClassifier().predict, TextClassifier().explain):
        with pytest.raises(NotFittedError):
            ask(["text"])


def test_bad_bytes_are_replaced_not_fatal(clf):
    assert clf.predict([b"\xff\xfe prize \xc3", "a \ud800 prize"]).tolist() == ["spam"] * 2


def test_sms_reaches_its_figure(data_folder):
    lines = (data_folder / "sms_spam" / "SMSSpamCollection").read_text("utf-8").split("\n")
    rows = [line.split("\t", 1) for line in lines if line]
    train = [row for i, row in enumerate(rows) if i % 5]
    held_out = rows[::5]
    clf = TextClassifier().fit([t for _, t in train], [label for label, _ in train])
    assert clf.score([t for _, t in held_out], [label for label, _ in held_out]) >= 0.989


def test_an_answer_is_explained_against_a_class_that_is_asked_for(tmp_path):
    texts, labels = ["apple a", "bread b", "cheese c"], [1, 2, 3]
    clf = TextClassifier(words=(1, 1), chars=None).fit(texts * 3, labels * 3)
    path = tmp_path / "m.hardlimit"
    clf.save(path)
    scores = clf.decision_function(["apple"])[0]
    for model in (clf, hardlimit.load(path)):
        for other in (2, 3):
            told = model.explain("apple", against=other)
            assert (told.label, told.against) == (1, other)
            assert told.score == near(scores[0] - scores[other - 1], 10, unit=SINGLE)
        for wrong in (1, 9, "2"):
            with pytest.raises(InputError) as caught:
                model.explain("apple", against=wrong)
            assert (caught.value.parameter, caught.value.got) == ("against", wrong)
