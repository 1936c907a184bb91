"""Whatever answers is asked in one way: scores of rows, weights or none, the cost of a vote."""

import pickle

import numpy as np
import pytest

from hardlimit import KernelClassifier, LinearClassifier, TextClassifier, load
from hardlimit.classifiers.model.answers import KernelAnswer, LiveWeights, Votes, Weights
from hardlimit.classifiers.model.text_model import StoredWeights
from hardlimit.engine import Points, rows_of
from hardlimit.exceptions import InputError

from ...rounding import near

RNG = np.random.default_rng(5)
X = RNG.integers(-4, 5, (40, 4)).astype(float)
TWO, THREE = (X[:, 0] > X[:, 1]).astype(int), RNG.integers(0, 3, 40)
TEXTS = ["win a prize now", "lunch at noon?", "a prize to win", "see you at lunch"]
SPAM = ["spam", "ham", "spam", "ham"]


def fitted(y=TWO, **settings):
    return LinearClassifier(max_iter=3, until=None, **settings).fit(X, y).fitted


def streamed(y=TWO):
    return LinearClassifier().partial_fit(X, y).fitted


def voting(y=TWO):
    return fitted(y, keep=("last", "voted"), readout="voted")


def with_kernel(y=TWO):
    return KernelClassifier("rbf", max_iter=3, until=None).fit(X, y).fitted


@pytest.mark.parametrize(
    ("make", "kind"),
    [(fitted, Weights), (streamed, LiveWeights), (voting, Votes), (with_kernel, KernelAnswer)],
)
@pytest.mark.parametrize("y", [TWO, THREE], ids=["two", "three"])
def test_each_kind_says_how_much_it_answers(make, kind, y):
    answer = make(y).answer
    assert type(answer) is kind
    assert (answer.n_outputs, answer.n_columns) == (1 if y is TWO else 3, 4)
    rows = Points.of(X) if kind is KernelAnswer else rows_of(X, 1.0)
    scores = answer.scores(rows)
    assert scores.shape == (40, answer.n_outputs) and np.isfinite(scores).all()
    if kind in (Weights, LiveWeights):
        assert answer.weights().shape == (5, answer.n_outputs)
        by_hand = np.c_[X, np.ones(40)] @ answer.weights()
        assert scores == near(by_hand, 60)
    else:
        assert answer.weights() is None


@pytest.mark.parametrize("make", [fitted, streamed, with_kernel])
def test_only_votes_cost(make):
    assert make().answer.cost(1_000_000) == 0
    assert voting().answer.cost(20) > voting().answer.cost(10) > 0


def test_a_frozen_answer_stands_still_and_a_live_one_moves():
    clf = LinearClassifier(max_iter=2, until=None).fit(X, TWO)
    frozen = clf.fitted.answer
    before = frozen.weights().copy()
    clf.partial_fit(X, 1 - TWO)
    live = clf.fitted.answer
    assert np.array_equal(frozen.weights(), before) and not np.array_equal(live.weights(), before)
    now = live.weights().copy()
    clf.partial_fit(X, TWO)
    assert not np.array_equal(live.weights(), now)  # the state itself answers


def test_a_live_answer_gives_single_columns():
    answer = streamed(THREE).answer
    assert np.array_equal(answer.weights_of([3, 0]), answer.weights()[[3, 0]])


@pytest.mark.parametrize("make", [fitted, voting, with_kernel])
def test_answers_survive_a_pickle(make):
    model = make(THREE)
    again = pickle.loads(pickle.dumps(model.answer))
    rows = Points.of(X) if isinstance(again, KernelAnswer) else rows_of(X, 1.0)
    assert type(again) is type(model.answer)
    assert np.array_equal(again.scores(rows), model.answer.scores(rows))


def test_coefficients_of_a_kernel():
    answer = with_kernel(THREE).answer
    assert answer.dual_coef.shape == (answer.supports.n_rows, 3) and answer.votes is None
    assert answer.gram().shape == (3, 3)
    assert answer.lengths("independent") ** 2 == near(np.diag(answer.gram()), 200)
    scores = answer.scores(Points.of(X))
    assert answer.lengths_of(scores[answer.numbers], "coupled") == near(
        answer.lengths("coupled"), 200
    )
    votes = KernelClassifier("rbf", keep=("last", "voted"), readout="voted", max_iter=2, until=None)
    with pytest.raises(InputError, match="no single vector"):
        _ = votes.fit(X, TWO).fitted.answer.dual_coef


def test_supports_that_count_nothing_are_left_out():
    answer = with_kernel().answer
    blank = np.concatenate([answer.coefficients[:1] * 0, answer.coefficients[1:]])
    less = KernelAnswer(answer.kernel, answer.bias, answer.supports, answer.numbers, blank)
    less = less.without_zeros()
    assert less.supports.n_rows == answer.supports.n_rows - 1
    assert less.numbers.tolist() == answer.numbers[1:].tolist()


def test_a_file_answers_texts_without_its_training_state(tmp_path):
    clf = TextClassifier(max_iter=3).fit(TEXTS, SPAM)
    clf.save(tmp_path / "m")
    model = load(tmp_path / "m").fitted
    answer = model.answer
    assert isinstance(answer, StoredWeights) and model.training is None
    assert np.array_equal(answer.scores_of_texts(TEXTS)[:, 0], clf.decision_function(TEXTS))
    assert np.array_equal(answer.weights(), clf.fitted.answer.weights())
    assert isinstance(pickle.loads(pickle.dumps(answer)), Weights)  # which needs no file
    assert (answer.n_outputs, answer.n_columns, answer.cost(9)) == (1, len(answer.weights()) - 1, 0)
