"""Orders and schedules through the compiled loops, against the textbook and against theorems."""

import numpy as np
import pytest

from hardlimit import LinearClassifier, orders, rules, schedules, textbook
from hardlimit.exceptions import ConvergenceWarning, InputError

from ..rounding import near, normal_spread, roundings, within

OR = [[-1, -1], [1, -1], [-1, 1], [1, 1]], [-1, 1, 1, 1]
W1 = [(0.1, 1.1), (6.8, 7.1), (-3.5, -4.1), (2.0, 2.7), (4.1, 2.8), (3.1, 5.0), (-0.8, -1.3),
      (0.9, 1.2), (5.0, 6.4), (3.9, 4.0)]  # fmt: skip
W2 = [(7.1, 4.2), (-1.4, -4.3), (4.5, 0.0), (6.3, 1.6), (4.2, 1.9), (1.4, -3.2), (2.4, -4.0),
      (2.5, -6.1), (8.4, 3.7), (4.1, -2.2)]  # fmt: skip
DHS = [*W1, *W2], [1] * 10 + [0] * 10


def learnt(rule, data=OR, **settings):
    settings = {"readout": "last", "bias_feature": -1.0, "max_iter": 1000} | settings
    return LinearClassifier(rule, **settings).fit(*data)


def weights(clf):
    return (*clf.coef_[0].tolist(), float(clf.intercept_[0]) / clf.bias_feature)


def test_batch_perceptron_on_modified_or():
    clf = learnt("perceptron", order="batch")
    assert weights(clf) == (2, 2, -2)
    assert (clf.n_corrections_, clf.stop_reason_) == (1, "separated")
    assert weights(learnt("perceptron", order="batch", bias_feature=1.0)) == (2, 2, 2)


def test_batch_perceptron_on_dhs_takes_23_iterations():
    clf = learnt("perceptron", DHS, order="batch", bias_feature=1.0)
    assert clf.n_corrections_ == 23
    assert weights(clf) == near((-30.4, 34.1, 34), 200)


def test_xor_stalls_and_says_how_many_are_wrong():
    clf = LinearClassifier("perceptron", order="batch", until="separated", readout="last")
    with pytest.warns(ConvergenceWarning, match="stalled after 1 epoch with 4 examples wrong"):
        clf.fit(OR[0], [0, 1, 1, 0])
    assert (clf.stop_reason_, clf.n_iter_, clf.n_training_errors_) == ("stalled", 1, 2)
    assert clf.history_[-1].mistakes == 4


BATCHED = [
    ("perceptron", "sum", None),
    ("perceptron", "average", None),
    (rules.MarginPerceptron(b=2), "sum", "1/step"),
    (rules.MarginPerceptron(b=2), "average", schedules.Inverse(2, 3)),
    (rules.Relaxation(eta=1.5, b=1), "average", None),
    (rules.Relaxation(eta=0.25, b=1), "sum", None),
]


@pytest.mark.parametrize(("rule", "combine", "schedule"), BATCHED, ids=str)
def test_batches_are_the_textbooks(rule, combine, schedule):
    clf = learnt(rule, order=orders.Batch(combine), schedule=schedule, until=None, max_iter=9)
    steps = textbook.batch(
        textbook.examples(*OR), rule, combine=combine, until=None, max_iter=9,
        schedule=schedules.resolve(schedule),
    )  # fmt: skip
    assert weights(clf) == near(tuple(map(float, textbook.run(steps).outcome.w)), 500)


def test_batches_of_many_classes_are_sums_at_fixed_weights():
    rng = np.random.default_rng(0)
    X, y = rng.integers(-4, 5, (40, 5)), rng.integers(0, 4, 40)
    for multiclass in ("coupled", "ovr"):
        clf = learnt("perceptron", (X, y), order="batch", multiclass=multiclass, until=None,
                     max_iter=6, keep=("last", "averaged"))  # fmt: skip
        w, total = np.zeros((4, 6), int), np.zeros((4, 6), int)
        rows = np.column_stack([X, -np.ones(40, int)])
        for _ in range(6):
            w = w + gathered(rows, y, w, multiclass)
            total += w
        assert (np.column_stack([clf.coef_, -clf.intercept_]) == w).all()
        mean = clf.with_readout("averaged")
        assert np.column_stack([mean.coef_, -mean.intercept_]) == near(total / 6, 500)


def gathered(rows, y, w, multiclass):
    change = np.zeros_like(w)
    scores = rows @ w.T
    for row, target, score in zip(rows, y, scores, strict=True):
        if multiclass == "ovr":
            for k in range(len(w)):
                t = 1 if target == k else -1
                change[k] += t * row * (t * score[k] <= 0)
            continue
        others = [k for k in range(len(w)) if k != target]
        rival = max(others, key=lambda k: (score[k], -k))
        if score[target] - score[rival] <= 0:
            change[target] += row
            change[rival] -= row
    return change


def test_the_plain_sum_of_relaxation_refuses_an_eta_that_diverges():
    """The largest eigenvalue of the unit rows is 13.49 here, so that eta must stay below 0.148."""
    for eta in (0.5, 1, 1.5, 0.149):
        with pytest.raises(InputError, match=r"wanted eta < 0.148.* diverges"):
            learnt(rules.Relaxation(eta=eta, b=0.1), DHS, order=orders.Batch("sum"),
                   bias_feature=1.0)  # fmt: skip
    for order in (orders.Batch("average"), orders.Batch("sum")):
        eta = 0.147 if order.combine == "sum" else 1.9
        clf = learnt(
            rules.Relaxation(eta=eta, b=0.1), DHS, order=order, bias_feature=1.0, max_iter=100_000
        )
        assert clf.stop_reason_ == "separated"


def test_line_search_goes_to_the_minimum_and_never_up():
    """From (1,1,1) with b = 1: rho = 1 and (1, 1, -1/3) (modified OR)."""
    X, y = OR
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(50, 3)), rng.integers(0, 2, 50)
    rows = np.column_stack([X, -np.ones(50)]) * (2 * y - 1)[:, None]

    def criterion(w):
        short = np.maximum(0, 1 - rows @ w)
        return (short**2 / (rows**2).sum(1)).sum() / 2

    values = []
    for iterations in range(1, 12):
        clf = learnt(rules.Relaxation(), (X, y), order="batch", schedule="line-search", until=None,
                     max_iter=iterations)  # fmt: skip
        values.append(criterion(np.array(weights(clf))))
    assert values == sorted(values, reverse=True)
    first = learnt(rules.Relaxation(), (X, y), order="batch", schedule="line-search", until=None,
                   max_iter=1)  # fmt: skip
    g = (rows / (rows**2).sum(1)[:, None]).sum(0)
    step = (g @ g) / (((rows @ g) ** 2) / (rows**2).sum(1)).sum()
    assert np.array(weights(first)) == near(step * g, 100)


@pytest.mark.parametrize("rule", ["perceptron", rules.MarginPerceptron(b=7)], ids=str)
def test_worst_first_is_minover(rule):
    rng = np.random.default_rng(4)
    X = rng.integers(-9, 10, (40, 3))
    y = np.where(X @ [2, -1, 1] + 3 > 0, 1, -1)
    until = "separated" if rule == "perceptron" else "margin"
    clf = learnt(rule, (X, y), order="worst", until=until, max_iter=10_000)
    run = textbook.run(textbook.minover(textbook.examples(X, y), rule, max_iter=100_000))
    assert weights(clf) == run.outcome.w
    assert clf.n_corrections_ == run.outcome.corrections
    assert clf.stop_reason_ in ("separated", "margin_reached")


def test_worst_first_of_many_classes_keeps_its_scores():
    """Every pick is the worst by margins computed anew."""
    rng = np.random.default_rng(5)
    X, y = rng.integers(-9, 10, (30, 4)), rng.integers(0, 3, 30)
    rows = np.column_stack([X, -np.ones(30, int)])
    w = np.zeros((3, 5), int)
    for steps in range(1, 4):
        for _ in range(30):
            scores = rows @ w.T
            rivals = [max((k for k in range(3) if k != t), key=lambda k, s=s: (s[k], -k))
                      for s, t in zip(scores, y, strict=True)]  # fmt: skip
            margins = scores[range(30), y] - scores[range(30), rivals]
            i = margins.argmin()
            assert margins[i] <= 0
            w[y[i]] += rows[i]
            w[rivals[i]] -= rows[i]
        clf = learnt("perceptron", (X, y), order="worst", until=None, max_iter=steps)
        assert (np.column_stack([clf.coef_, -clf.intercept_]) == w).all()


def test_minover_brackets_the_best_margin():
    """margin <= gamma <= ||w|| / k, and the two come together as b grows."""
    rng = np.random.default_rng(6)
    X = rng.normal(size=(60, 3))
    y = np.where(X @ [1.0, 2, -1] > 0, 1, -1)
    keep = abs(X @ [1.0, 2, -1]) > 0.4
    brackets = []
    for b in (1, 10, 100):
        clf = learnt(rules.MarginPerceptron(b=b), (X[keep], y[keep]), order="worst",
                     until="margin", max_iter=10**6)  # fmt: skip
        w = np.array(weights(clf))
        rows = np.column_stack([X[keep], -np.ones(keep.sum())]) * y[keep][:, None]
        length = np.sqrt(w @ w)
        brackets.append(((rows @ w).min() / length, length / clf.n_corrections_))
    assert all(low <= high * (1 + roundings(1000)) for low, high in brackets)
    assert brackets[-1][0] / brackets[-1][1] > 0.97


def test_random_draws_with_replacement_and_repeats_with_its_seed():
    draws = orders.Random().positions(1000, 7, 0)
    assert (draws == orders.Random().positions(1000, 7, 0)).all()
    assert len(set(draws.tolist())) == within(
        1000 * (1 - np.exp(-1)), normal_spread(np.sqrt(1000 * (np.exp(-1) - 2 * np.exp(-2))))
    )
    clf = learnt("perceptron", order="random")
    assert clf.stop_reason_ == "separated"


def test_an_epoch_of_draws_without_a_correction_settles_nothing():
    """It may have missed the row that is wrong; of so few rows it often does."""
    X, y = [[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]], [1, 1, 0]
    quiet = 0
    for seed in range(40):
        clf = learnt("perceptron", (X, y), order="random", until="separated", random_state=seed)
        assert (clf.stop_reason_, clf.n_training_errors_) == ("separated", 0)
        quiet += any(epoch.corrections == 0 for epoch in clf.history_[:-1])
    assert quiet > 2


@pytest.mark.parametrize("schedule", ["0.25", "1/step", "1/sqrt(step)", "1/(2+step/3)"])
def test_schedules_count_corrections(schedule):
    rule = rules.MarginPerceptron(b=1)
    clf = learnt(rule, order="cyclic", schedule=schedule, until=None, max_iter=12)
    steps = textbook.incremental(
        textbook.examples(*OR, number=float), rule, until=None, max_iter=12,
        schedule=schedules.resolve(schedule),
    )  # fmt: skip
    assert weights(clf) == near(textbook.run(steps).outcome.w, 500)


def test_a_constant_changes_nothing_but_the_scale():
    rng = np.random.default_rng(7)
    X, y = rng.normal(size=(60, 4)), rng.integers(0, 2, 60)
    plain = learnt("perceptron", (X, y), until=None, max_iter=5)
    for eta in (0.5, 4.0):
        clf = learnt("perceptron", (X, y), schedule=eta_of(eta), until=None, max_iter=5)
        assert (clf.coef_ == eta * plain.coef_).all()
        assert clf.n_corrections_ == plain.n_corrections_


def eta_of(value):
    class Own:
        def eta(self, step):
            return value

    return Own()


def test_projection_is_relaxation_with_eta_one():
    rng = np.random.default_rng(8)
    X, y = rng.normal(size=(30, 3)), rng.integers(0, 2, 30)
    a = learnt(rules.MarginPerceptron(b=2), (X, y), schedule="projection", until=None, max_iter=4)
    b = learnt(rules.Relaxation(eta=1, b=2), (X, y), until=None, max_iter=4)
    assert weights(a) == near(weights(b), 500)


def test_a_schedule_that_breaks_the_conditions_warns():
    with pytest.warns(ConvergenceWarning, match=r"1/step\^2 is finite"):
        learnt(rules.MarginPerceptron(b=1), schedule=schedules.Power(2), max_iter=5)


@pytest.mark.parametrize(("n", "size"), [(1, 64), (7, 3), (9, 3), (200, 64), (64, 64), (5, 1)])
def test_blocks_show_each_row_once_and_neighbours_together(n, size):
    order = orders.Blocks(size)
    shown = order.positions(n, 3, 0)
    assert shown.dtype == np.int64 and sorted(shown.tolist()) == list(range(n))
    begins = [i for i in range(n) if i == 0 or shown[i] != shown[i - 1] + 1 or shown[i] % size == 0]
    assert all(shown[i] % size == 0 for i in begins)
    assert len(begins) == -(-n // size)
    assert order.positions(n, 3, 0).tolist() == shown.tolist()
    if n > 2 * size:
        assert order.positions(n, 3, 1).tolist() != shown.tolist()
        assert order.positions(n, 4, 0).tolist() != shown.tolist()


def test_blocks_of_one_row_are_the_shuffled_order():
    one, shuffled = orders.Blocks(1), orders.Shuffled()
    assert one.positions(30, 5, 2).tolist() == shuffled.positions(30, 5, 2).tolist()


@pytest.mark.parametrize("size", [0, -1, 2.5, float("nan"), float("inf"), "many", None])
def test_blocks_have_a_whole_number_of_rows(size):
    with pytest.raises(InputError, match="size"):
        orders.Blocks(size)


def test_a_fit_by_blocks_is_the_textbooks():
    drawn = np.random.default_rng(8).integers(-3, 4, (40, 3))
    labels = [1 if row.sum() + row[0] > 0 else -1 for row in drawn]
    clf = learnt("perceptron", (drawn, labels), order=orders.Blocks(7), until=None, max_iter=4)
    same = {"order": orders.Blocks(7), "until": None, "max_iter": 4, "random_state": 0}
    run = textbook.trace(drawn.tolist(), labels, "perceptron", bias_feature=-1, **same)
    assert weights(clf) == tuple(map(float, run.steps[-1].w_after))
