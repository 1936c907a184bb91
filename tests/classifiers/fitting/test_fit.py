"""Functions that learn take choices and rows, and return a model; nothing else is touched."""

import numpy as np
import pytest

from hardlimit.classifiers.fitting import fit
from hardlimit.classifiers.model.answers import Weights
from hardlimit.classifiers.model.choices import resolve_choices
from hardlimit.classifiers.model.training import Training
from hardlimit.classifiers.targets import check_labels, read_labels
from hardlimit.engine import rows_of
from hardlimit.exceptions import ConvergenceWarning, InputError, KindError

X = np.array([[-1.0, -1], [1, -1], [-1, 1], [1, 1]])
Y = ["no", "yes", "yes", "yes"]


def choices(**given):
    return resolve_choices({"rule": "perceptron", "order": "cyclic"} | given)


def learn(asked, y=Y, weights=None, callback=None, took=None):
    rows = rows_of(X, asked.bias)
    examples = check_labels(asked, read_labels(4, y), weights)
    took = [] if took is None else took
    training = Training(asked, examples.book, rows.n_columns)
    return fit.fit_rows(training, rows, examples, fit.make_plan(asked, callback), took.append)


def test_a_fit_returns_its_model():
    took = []
    model = learn(choices(readout="last"), took=took)
    assert took == [model] and isinstance(model.answer, Weights)
    assert model.weights().tolist() == [[1.0], [1.0], [1.0]]
    assert list(model.classes.numbers) == ["no", "yes"]
    assert model.outcome.stop_reason == "separated" and model.training_errors == {"last": 0}
    assert (model.facts.n_rows, model.facts.largest) == (4, 3.0)


def test_what_was_learnt_until_an_interruption_is_handed_over():
    took = []

    def interrupt(record):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        learn(choices(), callback=interrupt, took=took)
    (model,) = took
    assert model.outcome.stop_reason == "interrupted" and len(model.outcome.history) == 1


def test_only_an_aim_that_was_asked_for_is_missed_aloud(recwarn):
    learn(choices(max_iter=1))
    assert not recwarn
    with pytest.warns(ConvergenceWarning, match="until='separated' was not reached in 1 epoch"):
        learn(choices(max_iter=1, until="separated"))


@pytest.mark.parametrize(
    ("given", "callback", "error"),
    [
        ({"until": "soon"}, None, InputError),
        ({"max_iter": 0}, None, InputError),
        ({"max_iter": 1.5}, None, InputError),
        ({"max_iter": "5"}, None, InputError),
        ({"random_state": -1}, None, InputError),
        ({}, 3, KindError),
    ],
)
def test_a_plan_is_checked(given, callback, error):
    with pytest.raises(error):
        fit.make_plan(choices(**given), callback)


def test_absent_examples_bring_no_class():
    asked = choices()
    examples = check_labels(asked, ["a", "b", "c", "a"], [1, 1, 0, 1])
    assert list(examples.book.numbers) == ["a", "b"] and examples.present.tolist() == [0, 1, 3]
    assert not examples.weighted
    assert check_labels(asked, ["a", "b"], [1, 2]).weighted
    assert check_labels(asked, ["a", "b"], None).present is None


@pytest.mark.parametrize(
    ("labels", "weights", "message"),
    [
        (["a", "a"], None, "got 1 class .'a'., wanted at least two"),
        (["a", "b"], [0, 0], "zero for every example"),
        (["a", "b"], [1], "got shape"),
        (["a", "b"], [1, -1], "finite numbers >= 0"),
        (["a", "b"], ["x", "y"], "wanted numbers"),
    ],
)
def test_examples_that_cannot_be_learnt_from(labels, weights, message):
    with pytest.raises(InputError, match=message):
        check_labels(choices(), labels, weights)


def test_labels_are_one_a_row():
    for n_rows, y, message in ((3, ["a"], "got 1, wanted 3"), (0, [], "wanted at least one")):
        with pytest.raises(InputError, match=message):
            read_labels(n_rows, y)
    assert read_labels(1, ["a"]) == ["a"]
    assert len(read_labels(2, [[0, 1], [1, 0]])) == 2
