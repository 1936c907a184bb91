"""A fitted model: its own choices, one answer, a training state that read-outs and copies share."""

import copy
import pickle
import threading

import numpy as np
import pytest

from hardlimit import KernelClassifier, LinearClassifier, TextClassifier, load, rules
from hardlimit.classifiers.model.parts import Counts
from hardlimit.exceptions import InputError, NotFittedError

from ...rounding import near

RNG = np.random.default_rng(6)
X = RNG.integers(-4, 5, (50, 4)).astype(float)
Y = RNG.integers(0, 3, 50)
TEXTS = ["win a prize now", "lunch at noon?", "a prize to win", "see you at lunch"]
SPAM = ["spam", "ham", "spam", "ham"]
KINDS = {
    "numbers": (LinearClassifier(max_iter=3, until=None), X, Y),
    "kernel": (KernelClassifier("rbf", max_iter=3, until=None), X, Y),
    "texts": (TextClassifier(max_iter=3), TEXTS, SPAM),
}
kinds = pytest.mark.parametrize("kind", KINDS)


def fit(kind):
    clf, inputs, labels = KINDS[kind]
    return copy.deepcopy(clf).fit(inputs, labels), inputs, labels


@kinds
def test_a_fit_leaves_the_model_and_nothing_else(kind):
    clf, inputs, labels = fit(kind)
    parameters = set(clf.get_params(deep=False))
    assert set(vars(clf)) - parameters <= {"_model", "_metadata"}
    assert clf.fitted.choices.rule == rules.resolve(clf.rule)
    assert clf.classes_.tolist() == list(clf.fitted.classes.numbers)


@kinds
def test_each_fit_makes_a_model_of_its_own(kind):
    clf, inputs, labels = fit(kind)
    before = clf.fitted
    scores = clf.decision_function(inputs)
    clf.fit(inputs[::-1], labels[::-1])
    assert clf.fitted is not before
    clf.adopt(before)
    assert np.array_equal(clf.decision_function(inputs), scores)


@kinds
def test_parameters_set_later_do_not_reach_the_model(kind):
    clf, inputs, _ = fit(kind)
    scores = clf.decision_function(inputs)
    clf.set_params(rule="relaxation", bias_feature=7.0, multiclass="ovr", max_iter=1)
    choices = clf.fitted.choices
    assert type(choices.rule) is not rules.Relaxation and choices.multiclass == "coupled"
    assert np.array_equal(clf.decision_function(inputs), scores)


@kinds
def test_read_outs_share_the_training_state(kind):
    clf, inputs, labels = fit(kind)
    last = clf.with_readout("last")
    assert last.fitted.state is clf.fitted.state and last.fitted is not clf.fitted
    assert last.readout == last.fitted.choices.readout == "last"
    assert not clf.fitted.live and not last.fitted.live
    last.partial_fit(inputs, labels)
    assert clf.fitted.live and last.fitted.live  # what one learns, both know
    again = clf.with_readout("last")
    assert np.array_equal(again.decision_function(inputs), last.decision_function(inputs))


@kinds
def test_a_read_out_of_a_loaded_model_knows_what_the_other_learnt(kind, tmp_path):
    clf, inputs, labels = fit(kind)
    clf.save(tmp_path / "m")
    one = load(tmp_path / "m")
    other = one.with_readout(one.fitted.choices.readout)
    other.partial_fit(inputs, labels)
    assert np.array_equal(one.decision_function(inputs), other.decision_function(inputs))


@kinds
def test_deep_copies_and_pickles_have_states_of_their_own(kind):
    clf, inputs, labels = fit(kind)
    scores = clf.decision_function(inputs)
    for other in (copy.deepcopy(clf), pickle.loads(pickle.dumps(clf))):
        assert other.fitted.classes is other.fitted.state.book
        other.partial_fit(inputs, labels)
        assert not clf.fitted.live
    assert np.array_equal(clf.decision_function(inputs), scores)


@kinds
def test_a_training_state_is_read_when_it_is_needed(kind, tmp_path):
    clf, inputs, labels = fit(kind)
    clf.save(tmp_path / "m")
    loaded = load(tmp_path / "m")
    loaded.predict(inputs)
    assert loaded.fitted.training is None
    assert loaded.n_corrections_ == clf.n_corrections_ and loaded.fitted.training is None
    loaded.partial_fit(inputs, labels)
    clf.partial_fit(inputs, labels)
    assert np.array_equal(loaded.decision_function(inputs), clf.decision_function(inputs))


@kinds
def test_threads_restore_one_training_state(kind, tmp_path):
    clf, *_ = fit(kind)
    clf.save(tmp_path / "m")
    model = load(tmp_path / "m").fitted
    states, start = [], threading.Barrier(4)

    def restore():
        start.wait()
        states.append(model.state)

    threads = [threading.Thread(target=restore) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({id(state) for state in states}) == 1


@kinds
def test_a_slim_model_predicts_and_says_what_it_lacks(kind, tmp_path):
    clf, inputs, labels = fit(kind)
    clf.save(tmp_path / "m", training_state=False)
    slim = load(tmp_path / "m")
    assert np.array_equal(slim.decision_function(inputs), clf.decision_function(inputs))
    assert slim.fitted.counted == Counts(clf.n_corrections_, clf.n_mistakes_)
    for ask in (lambda: slim.partial_fit(inputs, labels), lambda: slim.with_readout("last")):
        with pytest.raises(NotFittedError) as caught:
            ask()
        assert caught.value.topic == "no-training-state"


def test_what_was_never_fitted_says_so():
    for kind, (clf, inputs, _) in KINDS.items():
        fresh = copy.deepcopy(clf)
        for ask in (
            lambda fresh=fresh: fresh.fitted,
            lambda fresh=fresh: fresh.classes_,
            lambda fresh=fresh, inputs=inputs: fresh.predict(inputs),
        ):
            with pytest.raises(NotFittedError, match=f"{type(fresh).__name__}: not fitted yet"):
                ask()
        assert not hasattr(fresh, "classes_"), kind


def test_a_vote_has_no_weights():
    model = LinearClassifier(keep=("last", "voted"), readout="voted", max_iter=2, until=None)
    model = model.fit(X, Y).fitted
    assert model.votes is not None
    with pytest.raises(InputError, match="no single weight vector"):
        model.weights()
    assert set(model.vectors()) == {"last"}


def test_weights_are_given_in_the_units_of_the_rows():
    clf = LinearClassifier(scale="standard", max_iter=3, until=None).fit(X * 100, Y)
    weights = clf.fitted.weights_as_given()
    scores = X * 100 @ weights.coef.T + weights.intercept
    assert scores == near(clf.decision_function(X * 100), 200)
    assert not (weights.coef.T == near(clf.fitted.weights()[:-1], 200))


def test_metadata_outlive_a_fit(tmp_path):
    clf = LinearClassifier(max_iter=2, until=None)
    clf.metadata["source"] = "a.csv"
    clf.fit(X, Y).fit(X, Y)
    assert clf.metadata == clf.fitted.metadata == {"source": "a.csv"}
    clf.metadata = {"source": "b.csv"}
    clf.save(tmp_path / "m")
    assert load(tmp_path / "m").metadata == {"source": "b.csv"}


def test_a_stream_answers_by_the_read_out_that_is_asked_for_now():
    clf = LinearClassifier().partial_fit(X, Y)
    mean = clf.coef_
    clf.readout = "last"
    assert np.array_equal(clf.coef_, clf.with_readout("last").coef_)
    assert not np.array_equal(clf.coef_, mean)


def test_validation_scores_are_those_of_the_last_fit():
    clf = LinearClassifier(max_iter=2, until=None).fit(X, Y, validation=(X, Y))
    assert set(clf.validation_scores_) == set(clf.fitted.choices.kept)
    assert not hasattr(clf.fit(X, Y), "validation_scores_")
