"""A stream: a batch is checked before anything is learnt from it, then presented in order."""

import numpy as np
import pytest

from hardlimit import LinearClassifier, orders, scaling
from hardlimit.classifiers.fitting import stream
from hardlimit.classifiers.model.choices import resolve_choices
from hardlimit.engine import rows_of
from hardlimit.exceptions import HardlimitWarning, InputError

X = np.array([[1.0, 0], [0, 1], [1, 1]])


def begin(labels=("a",), classes=None, **given):
    choices = resolve_choices({"rule": "perceptron"} | given)
    return stream.begin(choices, 2, list(labels), classes)


def test_classes_are_known_from_their_first_example_on():
    assert list(begin(["b", "a"]).classes.numbers) == ["b"]
    assert list(begin(["b", "a"], multiclass="ovr").classes.numbers) == ["a", "b"]
    assert list(begin(["b"], classes=["x", "b"]).classes.numbers) == ["x", "b"]


def test_rows_are_presented_once_in_order():
    model, took = begin(["a", "b", "a"]), []
    batch = stream.check_batch(model.state, model.choices, ["a", "b", "a"], None)
    stream.present_rows(model, rows_of(X, 1.0), batch, took.append)
    assert took == [model] and model.live
    assert model.state.state.presentations == 3 and list(model.classes.numbers) == ["a", "b"]


def test_training_errors_are_of_the_weights_that_were_counted():
    clf = LinearClassifier().fit(X, [0, 1, 1])
    assert clf.n_training_errors_ == 0
    clf.partial_fit(X[:1], [1])
    assert clf.n_training_errors_ is None


def test_a_batch_that_is_refused_leaves_no_trace():
    model = begin(["a"], multiclass="ovr", classes=["a", "b"])
    for labels, weights in ((["a", "c"], None), (["a", "b"], [1, -1]), (["a", True], None)):
        with pytest.raises((InputError, TypeError)):
            stream.check_batch(model.state, model.choices, labels, weights)
    assert list(model.classes.numbers) == ["a", "b"] and model.state.state.presentations == 0


def test_balanced_classes_are_counted_when_they_were_learnt():
    model = begin(["a"], class_weight="balanced")
    batch = stream.check_batch(model.state, model.choices, ["a", "a", "b"], None)
    assert batch.weights.tolist() == [1.0, 1.0, 1.5] and model.state.class_counts.counts == {}
    stream.present_rows(model, rows_of(X, 1.0), batch)
    assert model.state.class_counts.counts == {"a": 2, "b": 1}


def test_what_a_stream_cannot_keep():
    voting = LinearClassifier(keep="all", readout="last", until=None, max_iter=2)
    model = voting.fit(X, [0, 1, 0]).fitted
    with pytest.warns(HardlimitWarning, match="partial_fit: of the fit, longest"):
        stream.check_streamable(model, "last", orders.Cyclic(), fresh=False)
    for readout, order in (("voted", orders.Cyclic()), ("last", orders.Worst())):
        with pytest.raises(InputError):
            stream.check_streamable(model, readout, order, fresh=False)


def test_a_scale_that_measures_needs_a_fit():
    assert stream.begin_scale(None) is None
    assert stream.begin_scale(scaling.resolve("rows")) is not None
    with pytest.raises(InputError, match="scale='maxabs'.*call fit"):
        stream.begin_scale(scaling.resolve("maxabs"))
