"""The batch algorithm's stop criterion theta, which is no separation and does not claim it."""

import pytest

import hardlimit as hl
from hardlimit import LinearClassifier, orders, textbook
from hardlimit.exceptions import ConvergenceWarning, InputError

from ..rounding import near

OR = ([[-1, -1], [1, -1], [-1, 1], [1, 1]], [-1, 1, 1, 1])
XOR = ([[0, 0], [1, 0], [0, 1], [1, 1], [2, 1]], [-1, 1, 1, -1, 1])


def fitted(data, theta, **given):
    return LinearClassifier(order=orders.Batch(theta=theta), readout="last", **given).fit(*data)


@pytest.mark.parametrize("theta", [2.0, 0.5, 0.1, 0.05])
def test_it_ends_where_the_textbook_ends(theta):
    """At 1/10 a step is just as long, and goes on in both."""
    clf = fitted(XOR, theta, schedule="1/step")
    told = textbook.trace(
        *XOR, order="batch", schedule="1/step", theta=str(theta), bias_feature=1
    ).outcome
    assert (clf.stop_reason_, clf.n_corrections_) == ("small_step", told.corrections)
    assert told.reason == "small_step" and told.wrong
    assert [*clf.coef_[0], *clf.intercept_] == near([float(v) for v in told.w], 500)


def test_weights_that_separate_are_said_to_separate():
    """One step of length sqrt 12 separates the modified OR."""
    assert fitted(OR, 5.0).stop_reason_ == "separated"
    told = textbook.trace(*OR, order=orders.Batch(theta=5)).outcome
    assert (told.reason, told.epochs) == ("separated", 1)


def test_a_sum_of_zero_has_stalled_whatever_theta_is():
    """The trap of the criterion: XOR from 0 has a sum of 0 and every pattern wrong."""
    plain = ([[-1, -1], [1, -1], [-1, 1], [1, 1]], [-1, 1, 1, -1])
    assert fitted(plain, 1.0).stop_reason_ == "stalled"
    assert textbook.trace(*plain, order="batch", theta=1).stop_reason == "stalled"


def test_neurons_end_together():
    clf = fitted((XOR[0], [0, 1, 2, 0, 1]), 0.1, schedule="1/step", multiclass="ovr")
    assert clf.stop_reason_ == "small_step"


def test_it_ends_a_fit_without_an_aim_too():
    assert fitted(XOR, 0.5, schedule="1/step", until=None).stop_reason_ == "small_step"


def test_who_asked_for_separation_is_warned():
    with pytest.warns(ConvergenceWarning, match="a step shorter than theta.*a smaller theta"):
        fitted(XOR, 0.5, schedule="1/step", until="separated")


def test_it_is_saved(tmp_path):
    fitted(XOR, 0.5, schedule="1/step").save(tmp_path / "m")
    assert orders.resolve(hl.load(tmp_path / "m").order) == orders.Batch(theta=0.5)


@pytest.mark.parametrize("theta", [-1, 0, float("inf"), "small"])
def test_what_is_no_length_is_refused(theta):
    with pytest.raises(InputError, match="got theta=.*, wanted a finite number > 0"):
        orders.Batch(theta=theta)


def test_it_is_for_batches():
    with pytest.raises(InputError, match="theta does not go with order='cyclic'"):
        textbook.trace(*OR, theta=1)
