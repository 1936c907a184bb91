"""The one frame of all fits: what is taken when, and what a small fit costs before it learns."""

import sys

import numpy as np
import pytest

import hardlimit as hl
from hardlimit import learner
from hardlimit.classifiers.fitting.training import Way, learn_whole, train
from hardlimit.classifiers.fitting.training_errors import TrainingErrors
from hardlimit.classifiers.model.model import Model
from hardlimit.classifiers.model.parts import Facts
from hardlimit.classifiers.model.training import Training
from hardlimit.classifiers.targets import check_labels
from hardlimit.engine import layout_of, pair_examples
from hardlimit.learner import FitOutcome

X, Y = np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 1.0], [1.0, 2.0]]), [0, 1, 1, 0]


class Scripted(Way):
    """Learns one row after the other and writes down what it is asked; raises at a place."""

    def __init__(self, training, examples, rows, fails=None, at=""):
        self.training, self.examples, self.rows = training, examples, rows
        self.fails, self.at, self.asked = fails, at, []

    def note(self, name):
        self.asked.append(name)
        if self.at == name:
            raise self.fails

    def learn(self, model):
        self.note("before")
        round_ = pair_examples(self.rows, self.examples.targets, None)
        self.training.state.present(round_, 0, 1 << 20)
        self.note("learn")

    def facts(self):
        self.note("facts")
        return Facts(len(Y), 5.0)

    def find_errors(self, model):
        self.note("errors")
        return TrainingErrors(1, (0.25,))

    def warn(self):
        self.note("warn")


@pytest.fixture
def script():
    choices = hl.LinearClassifier().check_parameters()
    examples = check_labels(choices, Y, None)
    training = Training(choices, examples.book, 2)
    model = Model(choices, examples.book, FitOutcome("max_iter"), training)
    rows = layout_of(X).rows(choices.bias)
    return lambda **more: (model, Scripted(training, examples, rows, **more))


def test_a_model_is_taken_once_its_errors_are_counted(script):
    model, way = script()
    assert train(model, way, lambda one: way.note("take")) is model
    assert way.asked == ["before", "learn", "facts", "errors", "take", "warn"]
    assert model.training_errors == {"averaged": 1}
    assert model.facts.least == {"averaged": (0.25,)}


@pytest.mark.parametrize("fails", [KeyboardInterrupt, ValueError])
def test_what_was_learnt_until_an_error_is_taken(script, fails):
    model, way = script(fails=fails, at="learn")
    with pytest.raises(fails):
        learn_whole(model, way, lambda one: way.note("take"))
    assert way.asked == ["before", "learn", "facts", "take"]
    assert model.frozen is not None


@pytest.mark.parametrize(
    ("fails", "at"),
    [(MemoryError, "learn"), (MemoryError, "errors"), (KeyboardInterrupt, "before")],
)
def test_half_a_model_is_not_taken(script, fails, at):
    model, way = script(fails=fails, at=at)
    with pytest.raises(fails):
        learn_whole(model, way, lambda one: way.note("take"))
    assert "take" not in way.asked and model.frozen is None


def test_calls_before_the_first_epoch(monkeypatch):
    """Functions of Python, from `fit` to the driver of the epochs; each costs 50 ns or more."""
    hl.LinearClassifier().fit(X, Y)  # what is made once in a process
    called, classifier = [], hl.LinearClassifier()

    def note(frame, event, argument):
        if event == "call":
            called.append(frame.f_code)

    sys.setprofile(note)
    try:
        classifier.fit(X, Y)
    finally:
        sys.setprofile(None)
    before = called[: called.index(learner.learn.__code__)]
    assert len(before) <= 175, [code.co_qualname for code in before]
