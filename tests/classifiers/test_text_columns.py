"""A classifier of texts in several columns: answers, explains, is saved, and learns on."""

import copy
import pickle

import numpy as np
import pytest

import hardlimit as hl
from hardlimit import model_file
from hardlimit.exceptions import InputError, ModelFileError

from ..rounding import SINGLE, near

SUBJECTS = ["hello there", "win now", "meeting at noon", "cash prize", "re: lunch"]
BODIES = ["come to the office", "click the link for cash", "see you", "free money now", "ok then"]
TABLE = {
    "subject": [s for s in SUBJECTS for _ in BODIES],
    "body": BODIES * len(SUBJECTS),
    "label": [
        "spam" if (i in (1, 3)) or (j in (1, 3)) else "ham" for i in range(5) for j in range(5)
    ],
}


def fitted(**settings):
    clf = hl.TextClassifier(text_columns=("subject", "body"), **settings)
    return clf.fit(TABLE, TABLE["label"])


def test_it_learns_from_both_columns():
    clf = fitted()
    assert clf.score(TABLE, TABLE["label"]) == 1
    one = hl.TextClassifier().fit(TABLE["subject"], TABLE["label"])
    assert one.score(TABLE["subject"], TABLE["label"]) < 1
    # The same word says other things in the other column.
    assert clf.decision_function([("cash", "")])[0] != clf.decision_function([("", "cash")])[0]


def test_an_explanation_names_the_column():
    clf = fitted(words=(1, 1), chars=None)
    found = clf.explain(("win now", "ok then"))
    assert {"subject: win", "subject: now", "body: ok", "body: then"} == {
        one.term for one in found.terms
    }
    score = clf.decision_function([("win now", "ok then")])[0]
    assert found.score == near(abs(score), 10, unit=SINGLE)
    assert any(term.startswith("body: ") for term, _ in clf.telling_terms(5)["spam"])


@pytest.mark.parametrize("slim", [False, True])
@pytest.mark.parametrize("settings", [{}, {"hash_bits": 12, "idf": None}], ids=["terms", "hash"])
def test_a_file_answers_alike(slim, settings, tmp_path):
    clf = fitted(**settings)
    clf.save(tmp_path / "m", training_state=not slim)
    loaded = hl.load(tmp_path / "m")
    assert (loaded.decision_function(TABLE) == clf.decision_function(TABLE)).all()
    assert loaded.predict(TABLE).tolist() == clf.predict(TABLE).tolist()
    assert loaded.explain(("win", "ok")).score == near(
        clf.explain(("win", "ok")).score, 10, unit=SINGLE
    )
    assert tuple(loaded.get_params()["text_columns"]) == ("subject", "body")
    clf.save(tmp_path / "again", training_state=not slim)
    assert (tmp_path / "m").read_bytes() == (tmp_path / "again").read_bytes()


def test_many_classes_in_a_file(tmp_path):
    labels = [f"class {n % 12}" for n in range(25)]
    clf = hl.TextClassifier(text_columns=("subject", "body")).fit(TABLE, labels)
    clf.save(tmp_path / "m")
    found = hl.load(tmp_path / "m").decision_function(TABLE)
    assert found == near(clf.decision_function(TABLE), 10, unit=SINGLE)


@pytest.mark.parametrize(
    "other",
    [
        copy.copy,
        copy.deepcopy,
        lambda clf: pickle.loads(pickle.dumps(clf)),
    ],
)
def test_copies_answer_alike(other):
    clf = fitted()
    assert (other(clf).decision_function(TABLE) == clf.decision_function(TABLE)).all()


def test_a_stream_goes_on_in_memory_and_in_a_file(tmp_path):
    clf = fitted()
    clf.save(tmp_path / "m")
    loaded = hl.load(tmp_path / "m")
    for one in (clf, loaded):
        one.partial_fit([("brand new words", "unseen body")] * 3, ["bills"] * 3)
    assert (loaded.decision_function(TABLE) == clf.decision_function(TABLE)).all()
    assert "bills" in clf.classes_
    begun = hl.TextClassifier(text_columns=("subject", "body"))
    begun.partial_fit(TABLE, TABLE["label"])
    assert begun.decision_function(TABLE).shape == (25,)


def test_probabilities():
    clf = fitted(probability=True)
    assert clf.predict_proba(TABLE).sum(1) == near(np.ones(25), 10)


@pytest.mark.parametrize("names", ["subject", (), ("a", "a"), (1, 2)])
def test_names_that_are_none(names):
    with pytest.raises(InputError, match="text_columns"):
        hl.TextClassifier(text_columns=names).fit(TABLE, TABLE["label"])


def test_models_of_one_text_have_no_trace_of_it(tmp_path):
    hl.TextClassifier().fit(["a b", "c d"], [0, 1]).save(tmp_path / "m")
    assert b"text_columns" not in (tmp_path / "m").read_bytes()


@pytest.mark.parametrize("n_labels", [2, 3])
@pytest.mark.parametrize("training_state", [True, False])
def test_votes_are_saved_and_loaded(n_labels, training_state, tmp_path):
    labels = [f"{label}{i % n_labels == 2}" for i, label in enumerate(TABLE["label"])]
    chosen = {"text_columns": ("subject", "body"), "max_iter": 3, "keep": ("last", "voted")}
    clf = hl.TextClassifier(rule="perceptron", readout="voted", **chosen).fit(TABLE, labels)
    clf.save(tmp_path / "m", training_state=training_state)
    loaded = hl.load(tmp_path / "m")
    assert np.array_equal(loaded.decision_function(TABLE), clf.decision_function(TABLE))
    assert loaded.predict(TABLE).tolist() == clf.predict(TABLE).tolist()
    loaded.save(tmp_path / "again", training_state=training_state)
    assert (tmp_path / "again").read_bytes() == (tmp_path / "m").read_bytes()
    if training_state:
        one, other = (c.with_readout("last") for c in (clf, loaded))
        assert np.array_equal(one.decision_function(TABLE), other.decision_function(TABLE))


def test_forged_votes_of_columns_are_refused(tmp_path):
    clf = fitted(readout="voted", keep=("last", "voted"), rule="perceptron", max_iter=2)
    clf.save(tmp_path / "m")
    file = model_file.open(tmp_path / "m")
    tensors = {name: np.array(file.array(name)) for name in file.names}
    counts = "answer.votes.counts"
    for change in ([0, 1, 0, 0], [0, 0, 1, 0], [-(10**6), 0, 0, 0]):
        forged = {**tensors, counts: tensors[counts] + np.array(change)}
        model_file.write(tmp_path / "f", file.header, forged)
        with pytest.raises(ModelFileError):
            hl.load(tmp_path / "f")


def blocks_of(found):
    total = found.intercept + sum(one.contribution for one in found.blocks)
    assert total == near(found.score, 100)
    assert sum(one.n_terms for one in found.blocks) == found.known_features
    return [one.block for one in found.blocks]


@pytest.mark.parametrize("chars", [None, (3, 4)])
def test_an_explanation_adds_up_the_blocks_of_each_column(chars, tmp_path):
    clf = fitted(words=(1, 1), chars=chars)
    kinds = ["words"] if chars is None else ["characters", "words"]
    expected = [f"{name}: {kind}" for name in ("body", "subject") for kind in kinds]
    assert blocks_of(clf.explain(("win now", "ok then"))) == expected
    assert blocks_of(clf.explain(("win now", "ok then"), top=1)) == expected
    clf.save(tmp_path / "m")
    assert blocks_of(hl.load(tmp_path / "m").explain(("win now", "ok then"))) == expected


def test_the_blocks_of_one_text_are_words_and_characters(tmp_path):
    texts, labels = TABLE["body"], TABLE["label"]
    clf = hl.TextClassifier(words=(1, 1), chars=(3, 3)).fit(texts, labels)
    clf.save(tmp_path / "m")
    for model in (clf, hl.load(tmp_path / "m")):
        found = model.explain("free money")
        assert blocks_of(found) == ["characters", "words"]
        assert "words (2 terms)" in str(found)
    alone = hl.TextClassifier(words=(1, 1), chars=None).fit(texts, labels).explain("free money")
    assert alone.blocks == () and "of which" not in str(alone)


LIMITS = {
    "min_df": {"min_df": 5, "words": (1, 2)},
    "max_df": {"max_df": 0.3},
    "max_features": {"max_features": 3},
    "max_features of both blocks": {"max_features": 4, "chars": (3, 3)},
    "stop_words": {"stop_words": ["now", "for"]},
    "vocabulary": {"vocabulary": ["cash", "win", "free"]},
    "vocabulary by column": {"vocabulary": {"cash": 1, "win": 0}},
}


def terms_of(vectorizer):
    return vectorizer.get_feature_names_out().tolist()


@pytest.mark.parametrize("settings", LIMITS.values(), ids=LIMITS.keys())
def test_limits_act_on_each_column_by_itself(settings, tmp_path):
    """Each column keeps the terms that a vectorizer of that column alone keeps."""
    settings = {"words": (1, 1), "chars": None} | settings
    clf = fitted(**settings)
    for name in ("subject", "body"):
        alone = hl.TextVectorizer(**settings).fit(TABLE[name])
        own = [term for term in terms_of(clf.fitted.vectorizer) if term.startswith(f"{name}: ")]
        assert own == [f"{name}: {term}" for term in terms_of(alone)]
    clf.save(tmp_path / "m")
    loaded = hl.load(tmp_path / "m")
    assert np.array_equal(loaded.decision_function(TABLE), clf.decision_function(TABLE))
    # A limited vocabulary does not grow.
    for model in (clf, loaded):
        model.partial_fit([("zebra", "zebra crossing")], ["ham"])
        grown = any("zebra" in term for term in terms_of(model.fitted.vectorizer))
        assert grown == ("stop_words" in settings)
    scores = loaded.decision_function(TABLE)
    assert scores == near(clf.decision_function(TABLE), 20, unit=SINGLE)


def test_a_column_without_a_term_is_named():
    table = {"subject": ["a b", "c d"] * 6, "body": ["win now", "see you"] * 6}
    clf = hl.TextClassifier(text_columns=("subject", "body"), min_df=2, words=(1, 1), chars=None)
    clf.fit(table, ["spam", "ham"] * 6)  # no column of texts needs a word
    uncommon = {"subject": [f"s{i}" for i in range(12)], "body": ["win now", "see you"] * 6}
    with pytest.raises(InputError, match="subject.*no term is in 2 to 12 of 12 texts"):
        clf.fit(uncommon, ["spam", "ham"] * 6)


def test_limits_of_columns_refuse_a_stream():
    clf = hl.TextClassifier(text_columns=("subject", "body"), min_df=2)
    with pytest.raises(InputError, match="a stream has no whole"):
        clf.partial_fit(TABLE, TABLE["label"])
