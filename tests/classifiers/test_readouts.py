"""Every read-out of one fit against the textbook's list of hypotheses, exactly on integers."""

import copy
import pickle

import numpy as np
import pytest

from hardlimit import LinearClassifier, load, orders, readouts, rules, textbook
from hardlimit.exceptions import HardlimitWarning, InputError

from ..rounding import near, normal_spread, within

SEED, EPOCHS = 3, 5
KEPT = ("longest", "pocket", "pocket-ratchet", "voted", "random")


def data(classes=2):
    rng = np.random.default_rng(2)
    return rng.integers(-3, 4, (30, 3)), rng.integers(0, classes, 30)


def fitted(X, y, rule="perceptron", order="shuffled", **settings):
    settings = {"keep": "all", "until": None, "max_iter": EPOCHS, "bias_feature": -1.0} | settings
    return LinearClassifier(rule, order=order, random_state=SEED, **settings).fit(X, y)


def rows_of(order):
    def rows(epoch):
        positions = orders.resolve(order).positions(30, SEED, epoch - 1)
        return range(30) if positions is None else positions.tolist()

    return rows


def textbook_steps(X, targets, rule, order):
    examples = textbook.examples(X, targets)
    found = textbook.incremental(examples, rule, order=rows_of(order), until=None, max_iter=EPOCHS)
    return textbook.run(found).steps


def weights(clf, output=0):
    return (*clf.coef_[output].tolist(), float(clf.intercept_[output]) / clf.bias_feature)


def gallant(steps):
    """The pocket, and the pocket with ratchet, by the letter of the algorithm."""
    examples = {step.example: step.z for step in steps}

    def errors(w):
        return sum(sum(a * b for a, b in zip(w, z, strict=True)) <= 0 for z in examples.values())

    pocket = ratchet = start = steps[0].w_before
    run = best = ratchet_run = 0
    fewest = errors(start)
    for step in steps:
        if step.corrected:
            run = 0
            continue
        run += 1
        w = step.w_before
        if run > best:
            pocket, best = w, run
        if run > ratchet_run and errors(w) < fewest:
            ratchet, ratchet_run, fewest = w, run, errors(w)
    return pocket, ratchet


@pytest.mark.parametrize("order", ["cyclic", "shuffled"])
@pytest.mark.parametrize("rule", ["perceptron", rules.MarginPerceptron(b=4)], ids=str)
def test_two_classes(rule, order):
    X, y = data()
    clf = fitted(X, y, rule, order)
    steps = textbook_steps(X, 2 * y - 1, rule, order)
    hypotheses = textbook.survivors(steps)
    assert weights(clf.with_readout("longest")) == textbook.longest(hypotheses).v
    pocket, ratchet = gallant(steps)
    assert weights(clf.with_readout("pocket")) == pocket
    assert weights(clf.with_readout("pocket-ratchet")) == ratchet
    assert weights(clf.with_readout("random")) in [tuple(map(float, h.v)) for h in hypotheses]
    rows = np.column_stack([X, -np.ones(30)])
    votes = [textbook.vote(hypotheses, row) / len(steps) for row in rows.tolist()]
    assert clf.with_readout("voted").decision_function(X) == near(np.array(votes, float), 10)


def test_neurons_have_survivors_of_their_own():
    X, y = data(3)
    clf = fitted(X, y, multiclass="ovr")
    for k in range(3):
        steps = textbook_steps(X, np.where(y == k, 1, -1), "perceptron", "shuffled")
        found = textbook.longest(textbook.survivors(steps)).v
        assert weights(clf.with_readout("longest"), k) == found
        assert weights(clf.with_readout("pocket"), k) == gallant(steps)[0]
        alone = fitted(X, (y == k).astype(int)).with_readout("pocket-ratchet")
        assert weights(clf.with_readout("pocket-ratchet"), k) == weights(alone, 0)


def test_coupled_classes_survive_together():
    X, y = data(3)
    clf = fitted(X, y, multiclass="coupled")
    found = textbook.coupled(
        X, y.tolist(), "perceptron", order=rows_of("shuffled"), until=None, max_iter=EPOCHS
    )
    w = textbook.longest(textbook.survivors(textbook.run(found).steps)).v
    longest = clf.with_readout("longest")
    assert [weights(longest, k) for k in range(3)] == list(textbook.rows_of_classes(w, 3))


def test_modified_or():
    """Counts 1, 1, 6: the longest survivor, the votes, and the three averages."""
    X, y = [[-1, -1], [1, -1], [-1, 1], [1, 1]], [-1, 1, 1, 1]
    clf = LinearClassifier(order="cyclic", bias_feature=-1.0, keep="all").fit(X, y)
    assert weights(clf.with_readout("longest")) == (1, 1, -1)
    assert weights(clf.with_readout("averaged")) == (9 / 8, 7 / 8, -5 / 8)
    scores = clf.with_readout("voted").decision_function(X)
    assert (scores * 8).tolist() == [-6 - 1 - 1, 6 + 1 - 1, 6 - 1 - 1, 6 + 1 + 1]


def test_a_pocket_with_ratchet_never_gets_worse():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 4))
    y = (X[:, 0] + rng.normal(size=80) > 0).astype(int)
    errors = [
        fitted(X, y, order="random", max_iter=epochs).with_readout("pocket-ratchet").score(X, y)
        for epochs in (1, 2, 4, 8, 16)
    ]
    assert errors == sorted(errors)
    assert errors[-1] >= fitted(X, y, order="random", max_iter=16).with_readout("last").score(X, y)


def test_a_random_hypothesis_is_uniform_over_the_presentations():
    """20 examples that are all mistakes: w_t is any of 0, z, 2z ... with the same chance."""
    X = np.ones((4, 1))
    counts = np.zeros(5)
    for seed in range(2000):
        clf = LinearClassifier(
            rules.MarginPerceptron(b=100), order="cyclic", keep="all", until=None, max_iter=1,
            fit_intercept=False, random_state=seed,
        ).fit(np.vstack([X, [[0]]]), [1, 1, 1, 1, 0])  # fmt: skip
        counts[int(clf.with_readout("random").coef_[0, 0])] += 1
    # presentations 0 .. 5; the zero row is no correction that moves anything
    assert counts[:4] == within(2000 / 6, normal_spread(np.sqrt(2000 / 6 * 5 / 6)))
    assert counts[4] == within(2000 / 3, normal_spread(np.sqrt(2000 / 3 * 2 / 3)))


@pytest.mark.parametrize("readout", [*KEPT, "averaged"])
def test_copies_and_pickles_answer_alike(readout):
    X, y = data(3)
    clf = fitted(X, y)
    want = clf.with_readout(readout).decision_function(X)
    for other in (copy.deepcopy(clf), pickle.loads(pickle.dumps(clf))):
        assert (other.with_readout(readout).decision_function(X) == want).all()


def test_validation_scores_every_read_out():
    X, y = data()
    clf = LinearClassifier(keep="all", until=None, max_iter=3)
    clf.fit(X, y, validation=(X, y))
    assert list(clf.validation_scores_) == list(readouts.ALL)
    for readout, score in clf.validation_scores_.items():
        assert clf.with_readout(readout).score(X, y) == score


def test_no_refit_no_difference():
    """The read-outs that watch do not change what is learnt."""
    X, y = data(3)
    plain = fitted(X, y, keep=("last", "averaged"), readout="last")
    assert (fitted(X, y).with_readout("last").coef_ == plain.coef_).all()


def test_votes_cost_too_much(monkeypatch):
    X, y = data()
    clf = fitted(X, y, readout="voted")
    assert clf.n_training_errors_ is not None
    monkeypatch.setattr(readouts, "VOTING_BUDGET", 10)
    with pytest.raises(InputError, match="with_readout\\('averaged'\\), fewer rows"):
        clf.predict(X)
    assert fitted(X, y, readout="voted").n_training_errors_ is None


def test_a_vote_has_no_weights():
    X, y = data()
    clf = fitted(X, y, readout="voted")
    with pytest.raises(InputError, match="no single weight vector"):
        clf.coef_  # noqa: B018


def test_what_was_not_kept_is_told():
    X, y = data()
    clf = LinearClassifier(until=None, max_iter=2).fit(X, y)
    with pytest.raises(InputError, match="was not kept; fit with keep=\\('longest',\\)"):
        clf.with_readout("longest")
    with pytest.raises(InputError, match="wanted one of last, averaged"):
        clf.with_readout("best")
    with pytest.raises(InputError, match="batches keep last and averaged"):
        fitted(X, y, readout="longest").partial_fit(X, y)
    with pytest.raises(InputError, match="batches keep last and averaged"):
        LinearClassifier(keep="longest", readout="longest").partial_fit(X, y)


def test_a_stream_after_a_fit_drops_what_it_cannot_keep_loaded_or_not(tmp_path):
    X, y = data()
    clf = fitted(X, y).with_readout("averaged")
    clf.save(tmp_path / "m")
    loaded = load(tmp_path / "m")
    voting = clf.with_readout("voted")
    loaded.partial_fit(X, y)
    with pytest.warns(HardlimitWarning, match="partial_fit: of the fit, .*voted.* are dropped"):
        clf.partial_fit(X, y)
    clf.partial_fit(X, y)  # said once
    loaded.partial_fit(X, y)
    assert np.array_equal(clf.coef_, loaded.coef_)
    with pytest.raises(InputError, match="'voted': it is not there any more"):
        voting.predict(X)
    with pytest.raises(InputError, match="was not kept"):
        clf.with_readout("voted")
