"""Every stop says why, and an interruption loses nothing."""

import os
import signal
import threading

import numpy as np
import pytest
from twin import separable_set

from hardlimit import LinearClassifier, rules
from hardlimit.exceptions import ConvergenceWarning, InputError

XOR = ([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0])


def test_what_was_asked_for_and_not_reached_warns_once():
    for until in ("separated", "margin"):
        with pytest.warns(ConvergenceWarning, match="not reached in 5 epochs") as caught:
            clf = LinearClassifier(until=until, max_iter=5).fit(*XOR)
        assert len(caught) == 1
        assert caught[0].filename == __file__
        assert clf.stop_reason_ == "max_iter"


def test_a_default_that_is_not_reached_is_only_told():
    clf = LinearClassifier(max_iter=5).fit(*XOR)
    assert clf.stop_reason_ == "max_iter"
    assert clf.n_iter_ == 5


@pytest.mark.parametrize("multiclass", ["coupled", "ovr"])
def test_separated_means_no_training_error_of_the_last_vector(multiclass):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(90, 2)) * 0.2 + np.repeat([[0, 0], [3, 0], [0, 3]], 30, axis=0)
    y = np.repeat(["a", "b", "c"], 30)
    clf = LinearClassifier(multiclass=multiclass, readout="last").fit(X, y)
    assert clf.stop_reason_ == "separated"
    assert clf.n_training_errors_ == 0


def test_finished_neurons_rest_while_their_clock_runs_on():
    """Three neurons finish in different rounds; averages lie on one horizon all the same."""
    rng = np.random.default_rng(3)
    X = np.rint(rng.normal(size=(60, 2)) * 2) + np.repeat([[0, 0], [9, 0], [0, 9]], 20, axis=0)
    y = np.repeat([0, 1, 2], 20)
    together = LinearClassifier(multiclass="ovr", order="cyclic").fit(X, y)
    epochs = together.n_iter_
    for k in range(3):
        alone = LinearClassifier(order="cyclic", until=None, max_iter=epochs).fit(X, y == k)
        assert np.array_equal(alone.coef_[0], together.coef_[k])


def test_margin_is_reached_within_the_slack():
    rows, w = separable_set(np.random.default_rng(1), 60, 3, 0.2)
    y = (np.array(rows) @ w > 0).astype(int)
    hard = rules.PassiveAggressive(C=float("inf"))
    clf = LinearClassifier(hard, until="margin", tol=1e-3, readout="last", max_iter=10_000)
    clf.fit(rows, y)
    assert clf.stop_reason_ == "margin_reached"
    # The last number is tol, as asked for.
    assert ((2 * y - 1) * clf.decision_function(rows)).min() >= 1 - 1e-3


def test_history_and_callback_tell_the_same():
    records = []
    clf = LinearClassifier(max_iter=6).fit(*XOR, callback=records.append)
    assert records == clf.history_
    assert [r.epoch for r in records] == [1, 2, 3, 4, 5, 6]
    assert sum(r.mistakes for r in records) == clf.n_mistakes_
    assert sum(r.corrections for r in records) == clf.n_corrections_
    assert all(r.seconds >= 0 for r in records)


def test_interrupted_by_a_signal_keeps_what_was_learnt():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(20_000, 200)), rng.integers(0, 2, 20_000)
    clf = LinearClassifier("passive-aggressive", until=None, max_iter=10_000)
    begun = threading.Event()

    def interrupt():
        begun.wait()  # some epochs later, where the loops without the interpreter's lock run
        os.kill(os.getpid(), signal.SIGINT)

    # In the background of a shell it is ignored.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Thread(target=interrupt).start()
    with pytest.raises(KeyboardInterrupt):
        clf.fit(X, y, callback=lambda record: begun.set())
    signal.signal(signal.SIGINT, before)
    assert clf.n_iter_ < 1000  # an epoch is some slices, and a signal is seen after each
    assert clf.stop_reason_ == "interrupted"
    assert clf.n_corrections_ > 0
    assert len(clf.predict(X[:5])) == 5


def test_an_error_in_the_callback_keeps_what_was_learnt():
    def stop(record):
        if record.epoch == 3:
            raise KeyboardInterrupt

    clf = LinearClassifier(max_iter=50)
    with pytest.raises(KeyboardInterrupt):
        clf.fit(*XOR, callback=stop)
    assert clf.n_iter_ == 3
    assert clf.predict(XOR[0]).shape == (4,)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"until": "converged"}, "wanted 'separated', 'margin' or None"),
        ({"max_iter": 0}, "wanted at least 1"),
        ({"order": "sorted"}, "wanted one of batch, blocks, cyclic"),
        ({"readout": "best"}, "wanted one of last, averaged"),
        ({"keep": "last"}, "is not kept"),
        ({"averaging": "mid"}, "wanted one of post, pre, ciml"),
        ({"multiclass": "ovo"}, "wanted 'coupled' or 'ovr'"),
        ({"bias_feature": 0.0}, "fit_intercept=False"),
        ({"bias_feature": float("nan")}, "finite"),
        ({"tol": -1}, "wanted a (finite )?number >= 0"),
        ({"random_state": -1}, "wanted an int >= 0"),
        ({"random_state": "x"}, "wanted an int >= 0"),
        ({"class_weight": "heavy"}, "wanted None, 'balanced' or a dict"),
        ({"class_weight": {7: 1.0}}, "none of the classes 0, 1"),
        ({"class_weight": {1: -1.0}}, "wanted a (finite )?number >= 0"),
    ],
)
def test_settings_that_make_no_sense_are_refused(settings, message):
    with pytest.raises(InputError, match=message):
        LinearClassifier(**settings).fit(*XOR)


@pytest.mark.parametrize("schedule", [None, "line-search"])
@pytest.mark.parametrize(
    ("until", "reason"), [("separated", "separated"), ("margin", "margin_reached")]
)
def test_a_batch_whose_violators_have_what_is_required_has_reached_it(schedule, until, reason):
    """Members with margin == b count as violators, and correct nothing."""
    clf = LinearClassifier(
        "relaxation", order="batch", schedule=schedule, until=until, fit_intercept=False
    ).fit([[1.0], [-1.0]], [1, 0])
    assert clf.stop_reason_ == reason
    clf = LinearClassifier("relaxation", order="batch", until=None, fit_intercept=False)
    assert clf.fit([[1.0], [-1.0]], [1, 0]).stop_reason_ == "settled"


def test_margins_that_are_no_numbers_are_not_right_answers():
    a = 1e200
    X, y = [[a, -a], [a, a], [a, a]], [1, 0, 1]
    for settings in ({"keep": "all", "readout": "voted"}, {"until": None, "max_iter": 3}):
        clf = LinearClassifier(fit_intercept=False, order="cyclic", **settings)
        with pytest.raises(InputError, match="overflowed; scale the columns"):
            clf.fit(X, y)
    clf = LinearClassifier(
        fit_intercept=False, order="cyclic", keep="all", readout="voted", until=None, max_iter=2
    )
    with pytest.raises(InputError, match="overflowed"):
        clf.fit(X, y)


def test_a_look_of_the_order_worst_is_no_presentation():
    """PAUM leaves a negative example alone that is wrong by less than its margin."""
    rule = rules.PAUM(tau_minus=-5.0)
    clf = LinearClassifier(rule, order="worst", until=None, max_iter=2, readout="last")
    clf.fit([[1.0], [2.0]], [0, 1])
    assert sum(e.mistakes for e in clf.history_) <= 1
