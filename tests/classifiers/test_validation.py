"""What a fit says of examples that it did not learn from, and of each that it did."""

import numpy as np
import pytest

from hardlimit import LinearClassifier, TextClassifier, guards, orders, readouts, rules, schedules
from hardlimit.exceptions import InputError

X = np.array([[-1, -1], [1, -1], [-1, 1], [1, 1.0]])
Y = [0, 1, 1, 1]


def test_a_validation_that_is_no_pair_is_refused_before_anything_is_learnt():
    clf = LinearClassifier()
    with pytest.raises(InputError, match="validation: got ndarray, wanted the pair"):
        clf.fit(X, Y, validation=X)
    assert not clf.__sklearn_is_fitted__()
    with pytest.raises(InputError, match="wanted the pair"):
        TextClassifier().fit(["a", "b"], [0, 1], validation=["a"])


def test_labels_of_another_kind_are_not_silently_wrong():
    with pytest.raises(InputError, match="none of which is one of the classes 0, 1"):
        LinearClassifier().fit(X, Y, validation=(X, ["no", "yes", "yes", "yes"]))


def test_a_vote_beyond_the_budget_leaves_the_other_scores(monkeypatch):
    monkeypatch.setattr(readouts, "VOTING_BUDGET", 1)
    clf = LinearClassifier(keep="all").fit(X, Y, validation=(X, Y))
    assert clf.validation_scores_["voted"] is None
    assert clf.validation_scores_["last"] == 1


def test_counts_of_each_example_can_be_read():
    clf = LinearClassifier(guard=guards.AlphaBound(2), order="cyclic", until=None, max_iter=5)
    clf.fit(np.vstack([X, X[:1]]), [*Y, 1])
    assert clf.n_i_.shape == (5,) and clf.n_i_.max() <= 2
    assert clf.n_i_.sum() == clf.n_corrections_
    assert clf.alpha_i_.tolist() == clf.n_i_.tolist()
    with pytest.raises(AttributeError, match="nothing was kept of the single examples"):
        LinearClassifier().fit(X, Y).n_i_  # noqa: B018


def test_counts_of_independent_neurons_have_a_column_each():
    clf = LinearClassifier(guard=guards.AlphaBound(2), multiclass="ovr", until=None, max_iter=3)
    assert clf.fit(X, [0, 1, 2, 2]).n_i_.shape == (4, 3)


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"rule": rules.Relaxation(b=2), "schedule": "projection"}, "projects by itself"),
        (
            {"rule": rules.MarginPerceptron(1), "schedule": "projection", "order": "batch"},
            "in a batch each has a step of its own",
        ),
        ({"order": "batch", "keep": "all", "readout": "longest"}, "readout: got 'longest'"),
        ({"rule": "balanced-winnow", "readout": "averaged"}, "got readout='averaged'"),
    ],
)
def test_refusals_name_the_true_reason(settings, reason):
    with pytest.raises(InputError, match=reason):
        LinearClassifier(**settings).fit(X, Y)


class Backwards:
    def eta(self, step):
        return 1 if step < 3 else -1


def test_a_schedule_that_turns_round_is_stopped():
    with pytest.raises(InputError, match=r"eta\(3\)=-1, wanted a finite number >= 0"):
        LinearClassifier(schedule=Backwards(), order="cyclic").fit(X, Y)


def test_a_number_is_a_schedule():
    twice = LinearClassifier(schedule=2.0, readout="last", order="cyclic").fit(X, Y)
    once = LinearClassifier(readout="last", order="cyclic").fit(X, Y)
    assert (twice.coef_ == 2 * once.coef_).all()


def test_a_ratchet_stops_counting_where_it_has_lost():
    """Bit for bit the pocket of before: the errors are counted no further than needed."""
    rng = np.random.default_rng(0)
    X = rng.integers(-3, 4, (200, 3))
    y = (X[:, 0] + rng.integers(-2, 3, 200) > 0).astype(int)
    clf = LinearClassifier(keep="all", order="random", until=None, max_iter=20).fit(X, y)
    ratchet = clf.with_readout("pocket-ratchet")
    errors = (ratchet.predict(X) != y).sum()
    assert errors <= (clf.with_readout("last").predict(X) != y).sum()
    assert errors <= (clf.with_readout("longest").predict(X) != y).sum()


def test_a_projection_is_not_multiplied_by_weights():
    clf = LinearClassifier(rules.MarginPerceptron(1), schedule="projection", order="cyclic")
    with pytest.raises(InputError, match="weight can only be 0 or 1 here"):
        clf.fit(X, Y, sample_weight=[4, 1, 1, 1])
    with pytest.raises(InputError, match="weight can only be 0 or 1 here"):
        clf.partial_fit(X, Y, sample_weight=[4, 1, 1, 1], classes=[0, 1])
    clf.fit(X, Y, sample_weight=[1, 1, 1, 0])


class Growing:
    def eta(self, step):
        return 1.0 if step < 3 else 30.0


@pytest.mark.parametrize("schedule", [schedules.Power(-1), Growing()])
def test_a_plain_batch_sum_never_steps_beyond_its_limit(schedule):
    rows = np.random.default_rng(0).normal(size=(40, 2))
    rule = rules.Relaxation(eta=0.02, b=1)
    clf = LinearClassifier(rule, order=orders.Batch("sum"), schedule=schedule, max_iter=500)
    with pytest.raises(InputError, match="each step leads away from the solution"):
        clf.fit(rows, rows[:, 0] * rows[:, 1] > 0)
