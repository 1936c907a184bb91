"""Early stopping: the epochs of a plain fit until patience ends, and a fit that goes on."""

import numpy as np
import pytest

from hardlimit import LinearClassifier
from hardlimit.classifiers.fitting.early_stopping import Patience, fit_with_patience
from hardlimit.exceptions import InputError

RNG = np.random.default_rng(8)
X = RNG.normal(size=(60, 3))
Y = (X[:, 0] + RNG.normal(size=60) > 0).astype(int)


def classifier(**settings):
    return LinearClassifier("passive-aggressive", until=None, max_iter=6, **settings)


def fit(clf, **more):
    fit_with_patience(clf.check_parameters(), X, Y, take=clf.adopt, **more)
    return clf


@pytest.mark.parametrize("multiclass", ["coupled", "ovr"])
def test_without_patience_it_is_a_plain_fit(multiclass):
    watched = fit(classifier(multiclass=multiclass))
    plain = classifier(multiclass=multiclass).fit(X, Y)
    assert np.array_equal(watched.coef_, plain.coef_)
    assert watched.stop_reason_ == plain.stop_reason_ == "max_iter"


def test_patience_ends_the_fit():
    watched = fit(classifier(), patience=Patience(tol=10.0, epochs=2))
    assert (watched.stop_reason_, watched.n_iter_) == ("no_improvement", 3)
    assert np.array_equal(watched.coef_, classifier().set_params(max_iter=3).fit(X, Y).coef_)


def test_rows_held_out_are_looked_at_and_not_learnt():
    held_out = np.arange(60) % 4 == 0
    watched = fit(classifier(), held_out=held_out, patience=Patience(tol=-1.0, epochs=9))
    plain = classifier().fit(X, Y, sample_weight=(~held_out).astype(float))
    assert np.array_equal(watched.coef_, plain.coef_)


def test_a_fit_goes_on_where_another_ended():
    first = classifier(order="cyclic").fit(X, Y)
    more = fit(classifier(order="cyclic"), start=first.fitted)
    twice = classifier(order="cyclic").set_params(max_iter=12).fit(X, Y)
    assert np.array_equal(more.coef_, twice.coef_)
    with pytest.raises(InputError, match="warm_start: got the classes"):
        fit_with_patience(
            classifier().check_parameters(), X, Y + 5, take=lambda model: None, start=first.fitted
        )


def test_a_fit_that_goes_on_is_not_watched_as_if_it_began_at_zero():
    """||w|| / k bounds the margin only where w is the sum of the k rows of this fit."""
    first = fit(LinearClassifier("perceptron", until=None, max_iter=6))
    more = fit(LinearClassifier("perceptron", until=None, max_iter=2), start=first.fitted)
    assert first.history_[-1].gamma_at_most is not None
    assert more.history_[-1].gamma_at_most is None
