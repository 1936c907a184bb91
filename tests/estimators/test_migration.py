"""The numbers of scikit-learn's passive-aggressive classifier where the mathematics agrees."""

import inspect
import warnings

import numpy as np
import pytest

pytest.importorskip("sklearn")

from scipy.sparse import csr_matrix
from sklearn import linear_model
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

from hardlimit import PassiveAggressiveClassifier, exceptions

from ..rounding import near

Theirs = getattr(linear_model, "PassiveAggressiveClassifier", None)
needs_theirs = pytest.mark.skipif(Theirs is None, reason="scikit-learn removed the class in 1.10")

X2, Y2 = load_breast_cancer(return_X_y=True)
X2 = StandardScaler().fit_transform(X2)
MANY = load_digits(return_X_y=True)


def theirs(**settings):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        return Theirs(**settings)


def both(X, y, **settings):
    settings |= {"shuffle": False, "tol": None}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        return PassiveAggressiveClassifier(**settings).fit(X, y), theirs(**settings).fit(X, y)


@needs_theirs
@pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
@pytest.mark.parametrize("average", [False, True])
@pytest.mark.parametrize("data", [(X2, Y2), MANY], ids=["two classes", "ten classes"])
def test_through_the_origin_the_numbers_are_the_same(loss, average, data):
    settings = {"loss": loss, "average": average, "C": 0.1, "max_iter": 3, "fit_intercept": False}
    ours, other = both(*data, **settings)
    assert ours.coef_ == near(other.coef_, 5000)
    assert ours.predict(data[0]).tolist() == other.predict(data[0]).tolist()


@needs_theirs
def test_rows_of_one_stream_give_the_same_numbers_too():
    settings = {"C": 0.5, "fit_intercept": False, "shuffle": False}
    ours, other = PassiveAggressiveClassifier(**settings), theirs(**settings)
    for start in range(0, 300, 7):
        rows = slice(start, start + 7)
        ours.partial_fit(X2[rows], Y2[rows], classes=[0, 1])
        other.partial_fit(X2[rows], Y2[rows], classes=[0, 1])
    assert ours.coef_ == near(other.coef_, 5000)


@needs_theirs
def test_with_a_bias_ours_reaches_the_margin_and_theirs_passes_it():
    x, y = [[3.0, 4.0], [0.0, 0.0]], ["yes", "no"]
    settings = {"C": np.inf, "loss": "hinge", "max_iter": 1, "shuffle": False}
    ours = PassiveAggressiveClassifier(**settings).partial_fit(x[:1], y[:1], ["no", "yes"])
    assert ours.decision_function(x[:1]) == near(1, 20)
    assert ours.coef_ == near(np.array([[3, 4]]) / 26, 20)
    other = theirs(**settings).partial_fit(x[:1], y[:1], ["no", "yes"])
    assert other.decision_function(x[:1]) == near(26 / 25, 20)
    assert other.coef_ == near(np.array([[3, 4]]) / 25, 20)


@needs_theirs
def test_their_sparse_bias_decays_and_ours_is_the_same_for_dense_and_sparse():
    settings = {"C": 0.1, "max_iter": 2}
    dense, other_dense = both(X2, Y2, **settings)
    sparse, other_sparse = both(csr_matrix(X2), Y2, **settings)
    assert np.array_equal(dense.coef_, sparse.coef_)
    assert np.array_equal(dense.intercept_, sparse.intercept_)
    # No tolerance: they differ by more than a thousandth.
    assert other_dense.intercept_ != pytest.approx(other_sparse.intercept_, rel=1e-3)


@needs_theirs
def test_every_parameter_is_there_with_its_default_but_two():
    mine = inspect.signature(PassiveAggressiveClassifier).parameters
    their = inspect.signature(Theirs).parameters
    assert set(their) <= set(mine)
    different = {name for name in their if mine[name].default != their[name].default}
    assert different == {"tol", "random_state"}


def test_a_weight_is_the_margin_that_a_step_reaches_and_multiplies_c():
    x, y = [[3.0, 4.0], [-3.0, -4.0]], [1, 0]
    settings = {"C": 1.0, "max_iter": 1, "shuffle": False, "fit_intercept": False}
    plain = PassiveAggressiveClassifier(**settings).fit(x, y)
    heavy = PassiveAggressiveClassifier(**settings, class_weight={1: 10}).fit(x, y)
    assert plain.decision_function(x[:1]) == near(1, 20)
    assert heavy.decision_function(x[:1]) == near(10, 20)
    cut = PassiveAggressiveClassifier(**settings | {"C": 1e-3}, class_weight={1: 10}).fit(x, y)
    assert cut.decision_function(x[:1]) == near(25 * (0.01 + 0.001), 20)


def test_tol_stops_and_until_then_the_bits_are_those_of_a_plain_fit():
    stopped = PassiveAggressiveClassifier(tol=1e-3, C=0.01).fit(X2, Y2)
    assert stopped.stop_reason_ == "no_improvement"
    assert 5 < stopped.n_iter_ < 1000
    plain = PassiveAggressiveClassifier(max_iter=stopped.n_iter_, C=0.01).fit(X2, Y2)
    assert np.array_equal(stopped.coef_, plain.coef_)
    with pytest.warns(exceptions.ConvergenceWarning, match="still improving"):
        PassiveAggressiveClassifier(tol=0.0, C=1e-4, max_iter=2).fit(X2, Y2)


def test_early_stopping_learns_nothing_from_the_rows_that_it_holds_out():
    clf = PassiveAggressiveClassifier(early_stopping=True, C=0.01).fit(X2, Y2)
    assert clf.stop_reason_ == "no_improvement"
    _, rows = train_test_split(np.arange(len(Y2)), test_size=0.1, stratify=Y2, random_state=0)
    assert len(rows) == 57
    held_out = np.isin(np.arange(len(Y2)), rows)
    settings = {"C": 0.01, "max_iter": clf.n_iter_}
    rest = PassiveAggressiveClassifier(**settings).fit(X2, Y2, sample_weight=~held_out)
    assert np.array_equal(clf.coef_, rest.coef_)


def test_a_warm_start_goes_on_where_the_last_fit_ended():
    settings = {"shuffle": False, "average": True}
    twice = PassiveAggressiveClassifier(max_iter=3, warm_start=True, **settings)
    twice.fit(X2, Y2).fit(X2, Y2)
    assert np.array_equal(
        twice.coef_, PassiveAggressiveClassifier(max_iter=6, **settings).fit(X2, Y2).coef_
    )
    with pytest.raises(exceptions.InputError, match="warm_start: got the classes"):
        twice.fit(X2, Y2 + 1)


def test_verbose_tells_each_epoch(capsys):
    PassiveAggressiveClassifier(verbose=1, max_iter=2).fit(X2, Y2)
    assert [line.split(":")[0] for line in capsys.readouterr().out.splitlines()] == [
        "epoch 1",
        "epoch 2",
    ]


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"average": 10}, "average=10"),
        ({"loss": "log"}, "'hinge' .PA-I. or 'squared_hinge'"),
        ({"C": 0}, "C=0"),
        ({"tol": -1}, "tol=-1"),
        ({"n_iter_no_change": 0}, "n_iter_no_change=0"),
        ({"validation_fraction": 1.5}, "validation_fraction=1.5"),
    ],
)
def test_what_is_refused_is_refused_with_its_reason(settings, told):
    with pytest.raises(exceptions.InputError, match=told):
        PassiveAggressiveClassifier(**settings).fit(X2, Y2)


@pytest.mark.parametrize(
    ("settings", "parameter"),
    [
        ({"average": 3}, "average"),
        ({"tol": -1}, "tol"),
        ({"n_iter_no_change": 0}, "n_iter_no_change"),
        ({"validation_fraction": 1}, "validation_fraction"),
        ({"loss": "log"}, "loss"),
    ],
)
def test_parameters_that_cannot_be_are_named(settings, parameter):
    with pytest.raises(exceptions.InputError) as caught:
        PassiveAggressiveClassifier(**settings).fit(X2, Y2)
    assert caught.value.parameter == parameter
    assert caught.value.got == settings[parameter]
