"""Fits that begin at weights that a user gives: as the textbook does, or refused."""

import itertools

import numpy as np
import pytest

from hardlimit import KernelClassifier, LinearClassifier, bounds, textbook
from hardlimit.exceptions import InputError, KindError

from ...rounding import near

OR = ([[-1, -1], [1, -1], [-1, 1], [1, 1]], [-1, 1, 1, 1])
STARTS = ([0, 0, 0], [5, -3, 2], [0.5, 0.25, -4])
EXACT = ("perceptron", "margin-perceptron", "paum", "passive-aggressive", "relaxation")
# Rules that shrink or take roots meet rounded ties on such small numbers: theirs are drawn.
DRAWN = (
    "romma", "aggressive-romma", "alma", "shifting-perceptron", "dynamic-margin", "arow", "scw1",
    "second-order-perceptron",
)  # fmt: skip


def fitted(rule, start, X=OR[0], y=OR[1], **given):
    given = {"order": "cyclic", "readout": "last", "max_iter": 50, **given}
    return LinearClassifier(rule, **given).fit(X, y, initial_weights=start)


@pytest.mark.parametrize("name", EXACT)
@pytest.mark.parametrize("start", STARTS)
def test_the_compiled_fit_goes_as_the_textbook_goes(name, start):
    ex = textbook.examples(*OR, bias_feature=1)
    run = textbook.incremental(ex, name, w=start, max_iter=50)
    outcome = textbook.run(run).outcome
    clf = fitted(name, start)
    assert clf.n_corrections_ == outcome.corrections
    found = [*clf.coef_[0], *clf.intercept_]
    assert found == near([float(v) for v in outcome.w], 5000)
    assert (clf.stop_reason_, clf.n_iter_) == (outcome.reason, outcome.epochs)


@pytest.mark.parametrize("order", ["batch", "worst"])
def test_other_orders_go_as_the_textbook_goes(order):
    clf = fitted("perceptron", STARTS[1], order=order)
    found = textbook.trace(*OR, order=order, w=STARTS[1], bias_feature=1, max_iter=50).outcome
    assert [*clf.coef_[0], *clf.intercept_] == [float(v) for v in found.w]


@pytest.mark.parametrize("name", DRAWN)
def test_rules_with_roots_and_covariances_go_as_the_textbook_goes(name):
    rng = np.random.default_rng(1)
    X, y, start = rng.normal(size=(12, 2)), np.tile([1, -1], 6), [0.5, 0.25, -0.75]
    ex = textbook.examples(X, y, bias_feature=1, number=float)
    found = textbook.run(textbook.incremental(ex, name, w=start, max_iter=2)).outcome
    clf = fitted(name, start, X, y, max_iter=2, until=None)
    assert clf.n_corrections_ == found.corrections > 3
    assert [*clf.coef_[0], *clf.intercept_] == near(found.w, 5000)


@pytest.mark.parametrize("averaging", ["post", "pre", "ciml"])
def test_the_mean_counts_the_start_by_its_convention(averaging):
    """By hand from the textbook's steps: w_0 is in two of the three means."""
    start = [2, -1, 3]
    ex = textbook.examples(*OR, bias_feature=1)
    steps, _ = textbook.run(textbook.incremental(ex, w=start))
    after = [step.w_after for step in steps]
    before = [step.w_before for step in steps]
    rows = {"post": after, "pre": before, "ciml": [before[0], *after]}[averaging]
    mean = np.array(rows, float).mean(axis=0)
    clf = fitted("perceptron", start, readout="averaged", averaging=averaging)
    assert [*clf.coef_[0], *clf.intercept_] == near(mean, 200)


def test_a_start_that_separates_stays():
    clf = fitted("perceptron", [2, 2, 2])
    assert (clf.n_corrections_, clf.stop_reason_) == (0, "separated")


def test_classes_and_neurons_have_a_row_each():
    X, y = np.eye(3), [0, 1, 2]
    start = np.arange(12).reshape(3, 4)
    for multiclass in ("coupled", "ovr"):
        clf = fitted("perceptron", start, X, y, multiclass=multiclass, max_iter=1, until=None)
        moved = np.column_stack([clf.coef_, clf.intercept_]) - start
        assert (moved == np.rint(moved)).all() and 0 < np.abs(moved).max() <= 3
    with pytest.raises(
        InputError, match=r"initial_weights: got 4 weights, wanted 3 rows of 4 weights"
    ):
        fitted("perceptron", [1, 2, 3, 4], X, y)


def test_every_readout_but_the_vote_goes_with_it():
    kept = ("last", "averaged", "longest", "pocket", "pocket-ratchet", "random", "tail-averaged")
    clf = LinearClassifier(order="cyclic", keep=kept).fit(*OR, initial_weights=[9, 9, 9])
    for name in kept:
        assert clf.with_readout(name).coef_.tolist() == [[9, 9]]


def test_skipping_gives_the_same_bits():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 5))
    y = X @ [1, 2, 3, 4, 5] > 0.3
    start = [1, 1, 1, 1, 1, 0]
    found = [
        LinearClassifier(readout="last", skip=skip).fit(X, y, initial_weights=start)
        for skip in (True, False)
    ]
    assert found[0].coef_.tolist() == found[1].coef_.tolist()


def test_a_run_that_comes_round_to_its_start_is_cycling():
    xor = (OR[0], [-1, 1, 1, -1])
    for start in STARTS:
        clf = fitted("perceptron", start, *xor, max_iter=200)
        found = textbook.trace(*xor, w=start, bias_feature=1, max_iter=200).outcome
        assert (clf.stop_reason_, clf.cycle_) == ("cycling", found.cycle)


@pytest.mark.parametrize("start", list(itertools.product((-3, 0, 4), repeat=3)))
def test_k0_bounds_the_corrections_from_any_start(start):
    clf = fitted("perceptron", list(start), schedule="0.5")
    found = bounds.of(clf, *OR)
    assert found["from a(1)"].holds and not found.broken
    assert "began at given weights" in found["Novikoff"].reason
    assert clf.bounds_.gamma.most is None  # ||w|| / k is from zeros


def test_k0_by_hand():
    # a(1) = (1, 1, 1), a = (1, 1, 1) / sqrt 3, gamma = 1 / sqrt 3 and R^2 = 3, so that alpha a is
    # (3, 3, 3): ||(1, 1, 1) - (3, 3, 3)||^2 / 3 = 4.
    clf = fitted("perceptron", [1, 1, 1])
    assert bounds.of(clf, *OR)["from a(1)"].value == near(4, 20)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"rule": "balanced-winnow"}, "BalancedWinnow: .*begins at values of its own"),
        ({"rule": "winnow-2"}, "Winnow2: .*begins at values of its own"),
        ({"rule": "adatron"}, "AdaTron: .*what each example counts"),
        ({"keep": "voted", "readout": "voted"}, "replayed from the corrections"),
        ({"scale": "standard"}, "other units than the weights"),
    ],
)
def test_where_a_start_has_no_meaning(given, said):
    with pytest.raises(InputError, match=said):
        LinearClassifier(**{"readout": "last", **given}).fit([[1, 2], [3, 4]], [0, 1],
                                                            initial_weights=[1, 1, 1])  # fmt: skip


@pytest.mark.parametrize(
    ("start", "error", "said"),
    [
        ([1, 2], InputError, r"got 2 weights, wanted 3 weights, one a column, the bias's last"),
        ([1, 2, float("nan")], InputError, "wanted finite numbers"),
        (["a", "b", "c"], KindError, "wanted an array of numbers"),
    ],
)
def test_what_are_no_weights_is_refused(start, error, said):
    with pytest.raises(error, match=said):
        fitted("perceptron", start)


def test_through_the_origin_there_is_no_weight_of_the_bias():
    clf = fitted("perceptron", [3, 3], fit_intercept=False, until=None, max_iter=1)
    assert clf.coef_.shape == (1, 2)
    with pytest.raises(InputError, match="wanted 2 weights, one a column, without a bias"):
        fitted("perceptron", [3, 3, 1], fit_intercept=False)


def test_a_kernel_has_no_weights_to_begin_at():
    with pytest.raises(InputError, match="coefficients of the examples"):
        KernelClassifier().fit(*OR, initial_weights=[1, 2, 3])
