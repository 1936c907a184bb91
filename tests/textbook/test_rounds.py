"""Cycling runs of the textbook: who is watched, and that the period is the true one."""

from fractions import Fraction

import pytest

from hardlimit import rules, schedules, textbook
from hardlimit.textbook.learner import Guard, Learner
from hardlimit.textbook.plan import Presentation
from hardlimit.textbook.rounds import RoundWatch, make_rounds, sums_are_exact

XOR = ([[0, 0], [0, 1], [1, 0], [1, 1]], [-1, 1, 1, -1])


def learner(rule="perceptron", number=textbook.exact, X=XOR[0], **settings):
    return Learner(textbook.examples(X, XOR[1], number=number), rule, **settings)


def test_weights_are_kept_after_epochs_that_are_powers_of_two():
    """States a, b, c, b, c, b ...: kept are a, b (1), c (2); c comes back after epoch 4."""
    rounds = RoundWatch(("a",))
    states = ["b", "c", "b", "c", "b"]
    found = [rounds.look((state,), epoch, 3) for epoch, state in enumerate(states, 1)]
    assert found[:3] == [None, None, None]
    assert found[3] == (2, 6)


def test_an_epoch_without_corrections_is_no_cycle():
    assert RoundWatch((0,)).look((0,), 1, 0) is None


@pytest.mark.parametrize(
    ("made", "plan"),
    [
        (learner(), Presentation(until="margin")),
        (learner(), Presentation(order=[[0, 1]])),
        (learner(guard=Guard(lam=1)), Presentation()),
        (learner(guard=Guard(bound=3)), Presentation()),
        (learner(schedule=schedules.Inverse()), Presentation()),
        (learner(rules.DynamicMargin()), Presentation()),
        (learner(number=float, X=[[0, 0], [0, 0.1], [1, 0], [1, 1]]), Presentation()),
    ],
)
def test_where_nothing_can_come_round_nobody_looks(made, plan):
    assert make_rounds(made, plan) is None


@pytest.mark.parametrize(
    "made",
    [
        learner(),
        learner(number=float),
        learner(schedule=0.5, number=float),
        learner(guard=Guard(margin=1)),
        learner(rules.Relaxation()),
    ],
)
def test_where_it_can_somebody_does(made):
    assert make_rounds(made, Presentation()) is not None


def test_sums_of_floats_are_exact_where_values_and_steps_are_coarse():
    assert sums_are_exact(learner(number=float))
    assert not sums_are_exact(learner(number=float, schedule=0.1))
    assert not sums_are_exact(learner(rules.Relaxation(), number=float))
    assert sums_are_exact(learner(rules.Relaxation()))


@pytest.mark.parametrize("scale", [1, Fraction(1, 3), 7])
def test_the_period_repeats_the_steps(scale):
    """After the run ends as cycling, another period makes the same corrections again."""
    X = [[scale * a, scale * b] for a, b in XOR[0]]
    ex = textbook.examples(X, XOR[1])
    outcome = textbook.run(textbook.incremental(ex)).outcome
    assert outcome.reason == "cycling"
    epochs, corrections = outcome.cycle
    longer = textbook.run(
        textbook.incremental(ex, until=None, max_iter=outcome.epochs + epochs)
    ).steps
    n = len(ex)
    last = longer[-epochs * n :]
    assert sum(s.corrected for s in last) == corrections
    assert last[-1].w_after == longer[-epochs * n - 1].w_after == outcome.w


@pytest.mark.parametrize("order", [None, [[0, 1, 2, 3]] * 9])
def test_separable_examples_are_never_called_cycling(order):
    ex = textbook.examples(XOR[0], [-1, 1, 1, 1])
    outcome = textbook.run(textbook.incremental(ex, order=order)).outcome
    assert (outcome.reason, outcome.cycle) == ("separated", None)
