"""Fits of texts that begin at weights of terms."""

import numpy as np
import pytest

import hardlimit as hl
from hardlimit import LinearClassifier, TextClassifier, TextVectorizer
from hardlimit.exceptions import InputError, KindError

TEXTS = ["win a prize now", "lunch at noon?", "a prize to win", "see you at lunch"]
LABELS = ["spam", "ham", "spam", "ham"]
START = {"prize": 0.25, "free offer": 2.0, "lecture": -1.5}
PLAIN = {"words": (1, 2), "chars": None, "order": "cyclic", "readout": "last"}


def test_it_is_the_fit_over_rows_that_begins_there():
    clf = TextClassifier(**PLAIN).fit(TEXTS, LABELS, initial_weights=START)
    vectorizer = TextVectorizer(words=(1, 2)).fit(TEXTS)
    columns = vectorizer.add_terms(list(START))
    weights = np.zeros(vectorizer.n_columns_ + 1)
    weights[columns] = list(START.values())
    twin = LinearClassifier(
        "passive-aggressive", order="cyclic", readout="last", until=None, max_iter=5,
        bias_feature=0.1,
    ).fit(vectorizer.transform(TEXTS), LABELS, initial_weights=weights)  # fmt: skip
    assert clf.vectorizer_.get_feature_names_out().tolist() == list(
        vectorizer.get_feature_names_out()
    )
    assert np.float32(clf.coef_).tolist() == np.float32(twin.coef_).tolist()
    assert clf.n_corrections_ == twin.n_corrections_ > 0


def test_terms_that_no_text_had_keep_their_weights_and_learn_on(tmp_path):
    clf = TextClassifier(**PLAIN).fit(TEXTS, LABELS, initial_weights=START)
    assert clf.predict(["a free offer", "the lecture"]).tolist() == ["spam", "ham"]
    assert clf.explain("free offer").terms[0].term == "free offer"
    clf.save(tmp_path / "m")
    loaded, asked = hl.load(tmp_path / "m"), [*TEXTS, "a free offer", "the lecture", "free"]
    assert loaded.decision_function(asked).tolist() == clf.decision_function(asked).tolist()
    for one in (clf, loaded):
        before = one.vectorizer_.n_columns_
        one.partial_fit(["a free offer"] * 3, ["ham"] * 3)
        assert one.vectorizer_.n_columns_ == before  # its words were known
        assert one.with_readout("last").predict(["a free offer"]).tolist() == ["ham"]
    assert loaded.decision_function(asked).tolist() == clf.decision_function(asked).tolist()


def test_words_of_a_given_n_gram_are_learnt_later():
    clf = TextClassifier(**PLAIN).fit(TEXTS, LABELS, initial_weights={"free offer": 1})
    clf.partial_fit(["free free free"], ["spam"])
    assert [one.term for one in clf.explain("free").terms] == ["free"]


@pytest.mark.parametrize("n_classes", [3, 12])
def test_several_classes(n_classes):
    names = [f"c{k}" for k in range(n_classes)]
    texts = [f"word{k} same" for k in range(n_classes)]
    start = {name: {f"new{k}": 3.0} for k, name in enumerate(names[:-1])}
    clf = TextClassifier(**PLAIN).fit(texts, names, initial_weights=start)
    assert clf.predict([*texts, "new0", "new1"]).tolist() == [*names, "c0", "c1"]


def test_a_dict_for_each_of_two_classes():
    each = {"ham": {"free": -1.0}, "spam": {"free": 1.0, "offer": 2.0}}
    found = [
        TextClassifier().fit(TEXTS, LABELS, initial_weights=start).decision_function(["free offer"])
        for start in (each, {"free": 2.0, "offer": 2.0})
    ]
    assert found[0].tolist() == found[1].tolist()


def test_a_slim_model_has_no_terms_left(tmp_path):
    clf = TextClassifier().fit(TEXTS, LABELS)
    clf.save(tmp_path / "slim", training_state=False)
    with pytest.raises(ValueError, match="training state"):
        clf.fit(TEXTS, LABELS, initial_weights=hl.load(tmp_path / "slim"))


def test_an_earlier_model():
    spam = TextClassifier.from_weights(
        {"free": 1.0, "lecture": -2.0}, threshold=0.5, classes=["spam", "ham"]
    )
    # Of the same classes in another order: what spoke for ham does so now.
    clf = TextClassifier(**PLAIN, max_iter=1).fit(TEXTS, LABELS, initial_weights=spam)
    assert clf.explain("free").terms[0].contribution > 0
    assert clf.predict(["free free", "lecture"]).tolist() == ["ham", "spam"]
    again = TextClassifier(**PLAIN).fit(TEXTS, LABELS)
    more = TextClassifier(**PLAIN).fit(TEXTS, LABELS, initial_weights=again)
    assert more.n_corrections_ < again.n_corrections_


@pytest.mark.parametrize("more", [{}, {"words": (1, 3)}, {"chars": (2, 3)}])
def test_hashed(more):
    made = {**PLAIN, "hash_bits": 12, **more}
    clf = TextClassifier(**made).fit(TEXTS, LABELS, initial_weights=START)
    exact = TextClassifier(**{**PLAIN, **more}).fit(TEXTS, LABELS, initial_weights=START)
    asked = ["a free offer", "a lecture", *TEXTS]
    assert clf.predict(asked).tolist() == exact.predict(asked).tolist()
    assert clf.explain("free offer").terms[0].term == "free offer"
    again = TextClassifier(**made).fit(TEXTS, LABELS, initial_weights=clf)
    assert again.predict(asked).tolist() == clf.predict(asked).tolist()
    with pytest.raises(InputError, match="hashes its terms"):
        TextClassifier(**PLAIN).fit(TEXTS, LABELS, initial_weights=clf)


def test_text_columns():
    table = {"subject": ["prize", "lunch"], "body": ["win now", "at noon"]}
    clf = TextClassifier(text_columns=["subject", "body"]).fit(
        table, ["spam", "ham"], initial_weights={"subject: free": 3.0, "body: [ fr]": -3.0}
    )
    assert clf.predict([("free", "x"), ("x", "free")]).tolist() == ["spam", "ham"]
    with pytest.raises(InputError, match="behind the name of its column"):
        clf.fit(table, ["spam", "ham"], initial_weights={"free": 3.0})


def test_limits_keep_a_term_that_was_given():
    clf = TextClassifier(min_df=2).fit(TEXTS, LABELS, initial_weights={"noon": -9, "free": 9})
    assert clf.predict(["noon", "free"]).tolist() == ["ham", "spam"]
    assert {"noon", "free"} < set(clf.vectorizer_.get_feature_names_out())


def test_probabilities_come_from_the_same_start():
    clf = TextClassifier(probability=True, max_iter=1)
    clf.fit(TEXTS * 5, LABELS * 5, initial_weights=START)
    assert clf.predict_proba(["free offer"])[0, 1] > 0.5


@pytest.mark.parametrize(
    ("weights", "more", "error", "said"),
    [
        ({"Free": 1}, {}, InputError, "got a weight of 'Free'.* which is read as 'free'"),
        ({"x": 1}, {}, InputError, "got a weight of 'x'"),
        ({"win big prize": 1}, {}, InputError, "got a weight of 'win big prize'"),
        ({"win": "much"}, {}, InputError, "initial_weights"),
        ({"win": float("nan")}, {}, InputError, "finite"),
        ({1: 2}, {}, KindError, "terms that are texts"),
        ({}, {}, KindError, "a dict of terms"),
        ([1, 2], {}, KindError, "a dict of terms"),
        ({"a": {"win": 1}, "b": 2}, {}, KindError, "a dict of terms"),
        ({"spam": {"win": 1}, "ad": {"win": 2}}, {}, InputError, "classes 'spam', 'ad'"),
        ({"win": 1}, {"rule": "balanced-winnow"}, InputError, "begins at values of its own"),
        ({"win": 1}, {"readout": "voted", "keep": "all"}, InputError, "votes"),
        ({"free": 1}, {"vocabulary": ["win"]}, InputError, "does not grow"),
        (TextClassifier(), {}, ValueError, "not fitted"),
    ],
)
def test_what_is_refused_leaves_the_earlier_fit(weights, more, error, said):
    clf = TextClassifier(**{"words": (1, 2), "chars": None, **more}).fit(TEXTS, LABELS)
    before = clf.decision_function(TEXTS).tolist()
    with pytest.raises(error, match=said):
        clf.fit(TEXTS, LABELS, initial_weights=weights)
    assert clf.decision_function(TEXTS).tolist() == before


def test_one_weight_a_term_is_of_two_classes():
    with pytest.raises(InputError, match="for each class"):
        TextClassifier().fit(TEXTS, ["a", "b", "c", "a"], initial_weights={"win": 1})
