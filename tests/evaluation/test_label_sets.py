"""Several labels a row: figures of sets, of their order, a threshold, and who is held out."""

import itertools
import random

import numpy as np
import pytest

from hardlimit import evaluation
from hardlimit.evaluation.calibration import LabelSlope, deal_label_folds, fit_label_slope
from hardlimit.evaluation.label_folds import deal_label_sets
from hardlimit.evaluation.label_ranking import RankingSums
from hardlimit.exceptions import InputError

from ..rounding import near, slope_spread, within


def drawn(n, n_labels, seed):
    draw = np.random.default_rng(seed)
    return draw.random((n, n_labels)) < 0.3, draw.integers(-4, 5, (n, n_labels)) / 4


def as_sets(truth):
    return [{f"l{k}" for k in np.flatnonzero(row)} for row in truth]


@pytest.mark.parametrize("seed", range(4))
def test_figures_of_sets_are_those_of_matrices(seed):
    truth, scores = drawn(30, 5, seed)
    names = [f"l{k}" for k in range(5)]
    matrix = evaluation.figures_of_labels(truth, scores > 0, labels=names)
    sets = evaluation.figures_of_label_sets(as_sets(truth), as_sets(scores > 0), labels=names)
    assert matrix == sets


def test_a_label_that_nobody_knows_is_one_more():
    found = evaluation.figures_of_label_sets([{"a", "x"}], [("a",)], labels=["a"])
    assert [one.label for one in found.labels] == ["a", "x"] and found.exact == 0
    assert found.micro_recall == 0.5 and found.hamming_loss == 0.5
    for true, said in (([], []), ([{"a"}], [])):
        with pytest.raises(InputError):
            evaluation.figures_of_label_sets(true, said, labels=["a"])


@pytest.mark.parametrize("seed", range(4))
def test_ranking_figures_are_those_of_scikit_learn(seed):
    metrics = pytest.importorskip("sklearn.metrics")
    truth, scores = drawn(40, 6, seed)  # with ties, rows without labels, and
    truth[0], truth[1], truth[2] = True, False, scores[2] == scores[2].max()
    sums = RankingSums()
    for block in (slice(0, 7), slice(7, 8), slice(8, None)):
        sums.add(scores[block], truth[block])
    found = sums.figures()
    assert found.coverage == near(metrics.coverage_error(truth, scores), 2000)
    assert found.ranking_loss == near(metrics.label_ranking_loss(truth, scores), 2000)
    expected = metrics.label_ranking_average_precision_score(truth, scores)
    assert found.average_precision == near(expected, 2000)
    with_labels = truth.any(axis=1)
    missed = ~truth[np.arange(40), scores.argmax(axis=1)]
    assert found.one_error == near(missed[with_labels].mean(), 20)
    assert RankingSums().figures() is None


@pytest.mark.parametrize("seed", range(6))
def test_the_threshold_is_the_best_there_is(seed):
    truth, scores = drawn(12, 3, seed)
    truth[0, 0] = True
    best = evaluation.threshold_for_f1(scores, truth)

    def f1(threshold):
        said = scores > threshold
        return 2 * (said & truth).sum() / (said.sum() + truth.sum())

    others = [f1(t) for t in np.arange(-2, 2, 1 / 16)]
    assert f1(best) == near(max(others), 20)
    with pytest.raises(InputError, match="no row has a label"):
        evaluation.threshold_for_f1(scores, np.zeros_like(truth))


def test_every_label_has_its_share():
    draw = random.Random(0)
    rows = [{draw.randrange(40) for _ in range(draw.randrange(4))} for _ in range(2000)]
    parts = deal_label_sets(rows, [0.2] * 5)
    assert sorted(parts.count(k) for k in range(5)) == [400] * 5
    for label in range(40):
        counts = [
            sum(label in x for x, p in zip(rows, parts, strict=True) if p == k) for k in range(5)
        ]
        assert max(counts) - min(counts) <= 6  # of about 15 each; at random twice that


def test_shares_do_not_depend_on_the_order_of_labels_and_sizes_count():
    rows = [["a", "b"], ["b"], ["a"], [], ["c", "a"], ["c"]]
    turned = [list(reversed(row)) for row in rows]
    assert deal_label_sets(rows, [0.5, 0.5]) == deal_label_sets(turned, [0.5, 0.5])
    assert deal_label_sets([["a"], ["a"], ["a"]], [0.5, 0.5], [2, 1, 1]) == [0, 1, 1]


def test_held_out_rows_keep_duplicates_together_and_every_label_learnt():
    draw = random.Random(1)
    texts = [f"text {draw.randrange(150)}" for _ in range(300)]
    labels = [{draw.choice("abcdef") for _ in range(draw.randrange(3))} for _ in texts]
    labels[7] = {"rare"}
    train, test = evaluation.label_holdout(texts, labels, 0.25)
    assert sorted(train + test) == list(range(300)) and 60 <= len(test) <= 90
    assert not {texts[i] for i in train} & {texts[i] for i in test}
    assert {x for i in train for x in labels[i]} == {*"abcdef", "rare"}
    order = draw.sample(range(300), 300)
    again = evaluation.label_holdout([texts[i] for i in order], [labels[i] for i in order], 0.25)
    assert {texts[order[i]] for i in again[1]} == {texts[i] for i in test}
    with pytest.raises(InputError, match="too few"):
        evaluation.label_holdout(["x"], [{"a"}], 0.5)
    with pytest.raises(InputError, match="more than 0"):
        evaluation.label_holdout(texts, labels, 1.0)


def test_folds_keep_equal_keys_together():
    truth, _ = drawn(60, 4, 0)
    keys = [number % 20 for number in range(60)]
    folds = deal_label_folds(truth, 4, keys)
    assert all(len({folds[i] for i in range(60) if keys[i] == key}) == 1 for key in range(20))
    assert set(folds) == {0, 1, 2, 3}


def test_one_slope_for_all_labels():
    draw = np.random.default_rng(0)
    scores = draw.normal(size=(4000, 3))
    truth = draw.random((4000, 3)) < 1 / (1 + np.exp(-2.5 * scores))
    assert fit_label_slope(scores, truth).a == within(2.5, slope_spread(scores, 2.5))
    weights = np.r_[np.ones(2000), np.zeros(2000)]
    half = fit_label_slope(scores[:2000], truth[:2000]).a
    assert fit_label_slope(scores, truth, weights).a == near(half, 10**5)
    p = LabelSlope(2.0).probabilities(np.array([[1e300, -1e300, 5e-324, 0.0, -5e-324]]))
    assert p.tolist() == [[1.0, 0.0, np.nextafter(0.5, 1), 0.5, 0.5]]


def test_the_textbook_of_the_ranking():
    """Every row of three labels and three scores, by counting pairs."""
    for own, places in itertools.product(range(1, 7), itertools.product(range(3), repeat=3)):
        truth = np.array([[bool(own >> k & 1) for k in range(3)]])
        sums = RankingSums()
        sums.add(np.array([places], float), truth)
        pairs = [(a, b) for a in range(3) for b in range(3) if truth[0, a] and not truth[0, b]]
        wrong = sum(places[a] <= places[b] for a, b in pairs)
        assert sums.figures().ranking_loss == near(wrong / len(pairs), 20)


@pytest.mark.parametrize("seed", range(6))
def test_no_threshold_errs_less(seed):
    truth, scores = drawn(12, 1, seed)
    truth[:2, 0] = [True, False]
    scores -= seed - 3  # all on one side of 0 too
    best = evaluation.threshold_for_accuracy(scores, truth)

    def errors(threshold):
        return ((scores > threshold) != truth).sum()

    assert errors(best) == min(errors(t) for t in np.arange(-8, 8, 1 / 16))
    assert best == 0 or errors(0) > errors(best)


def test_a_goal_is_one_of_three():
    scores, truth = np.array([-1.0, 1.0]), np.array([False, True])
    for goal in (evaluation.Goal(), evaluation.Goal(0.1, max_f1=True)):
        with pytest.raises(InputError, match="wanted one of max_false_positive, max_f1 and"):
            evaluation.choose_threshold(scores, truth, goal)
