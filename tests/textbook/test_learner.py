"""One neuron that is taught: looks, corrections, guards, and what is refused."""

import math
from fractions import Fraction

import pytest

from hardlimit import rules, schedules, textbook
from hardlimit.exceptions import Cell, InputError
from hardlimit.textbook.learner import Guard, Learner, check_signs, initial_weights

from .boards import modified_or, vector


def test_a_look_changes_nothing():
    learner = Learner(modified_or(), "perceptron", w=(1, 1, 1))
    look = learner.look(1)
    assert (look.z, look.margin, look.required, look.violates) == ((1, -1, -1), -1, 0, True)
    assert learner.w == (1, 1, 1) and learner.step == 0


def test_the_scalars_of_a_look():
    learner = Learner(modified_or(), rules.MarginPerceptron(b=2), w=(1, 1, 1))
    scalars = learner.look(0).scalars
    assert {name: scalars[name] for name in ("margin", "sqnorm", "step", "wsq", "required")} == {
        "margin": 3,
        "sqnorm": 3,
        "step": 1,
        "wsq": 3,
        "required": 2,
    }
    assert (scalars["weight"], scalars["y"], scalars["n_i"], scalars["alpha_i"]) == (1, -1, 0, 0)


def test_a_presentation_is_a_line_of_the_table():
    learner = Learner(modified_or(), "perceptron", schedule="1/2")
    step = learner.present(1, 0)
    assert step.corrected and step.delta == step.w_after == vector("1/2 1/2 1/2")
    assert (step.tau, step.eta, learner.counts, learner.alpha[0]) == (
        Fraction(1, 2),
        Fraction(1, 2),
        [1, 0, 0, 0],
        Fraction(1, 2),
    )
    quiet = learner.present(1, 0)
    assert not quiet.corrected and quiet.tau == 0 and quiet.step == 1


def test_a_margin_guard_requires_more_and_the_trick_gives_credit():
    learner = Learner(modified_or(), "perceptron", w=(1, 1, 1), guard=Guard(margin=4, lam=2))
    assert learner.look(0).required == 4
    learner.remember(0, Fraction(3))
    look = learner.look(0)
    assert look.required == 4 - 2 * 3 and not look.violates
    assert look.scalars["margin"] == 3 + 6 and look.scalars["sqnorm"] == 3 + 2


def test_a_bound_ends_what_is_required():
    learner = Learner(modified_or(), "perceptron", guard=Guard(bound=1))
    assert learner.look(0).violates
    learner.present(1, 0)
    learner.weights.w = (0, 0, 0)
    assert learner.look(0).required == -math.inf and not learner.look(0).violates


def test_wrong_and_short_rows():
    learner = Learner(modified_or(), rules.MarginPerceptron(b=2), w=(1, 1, 0))
    assert learner.margins() == [2, 0, 0, 2]
    assert learner.find_wrong() == (1, 2)
    assert learner.find_short(0) == [1, 2] and learner.find_short(2) == []
    assert Learner(modified_or(), rules.MarginPerceptron(b=3), w=(1, 1, 0)).find_short(0) == [
        0,
        1,
        2,
        3,
    ]


@pytest.mark.parametrize(
    ("rule", "schedule", "divides"),
    [
        (rules.Perceptron(), None, False),
        (rules.Relaxation(), None, True),
        (rules.Perceptron(), schedules.Projection(), True),
    ],
)
def test_rules_that_divide_by_a_length(rule, schedule, divides):
    ex = textbook.examples([[0, 0], [1, 1]], [1, 1], bias_feature=None)
    learner = Learner(ex, rule, schedule)
    assert learner.divides is divides
    assert learner.look(0).violates is not divides, "a row of zeros cannot be corrected by them"


def test_a_line_search_needs_the_batch():
    learner = Learner(modified_or(), rules.Relaxation(), schedules.LineSearch())
    assert learner.searching
    with pytest.raises(InputError, match="order='batch'"):
        learner.refuse_search()


def test_rules_that_multiply_start_at_ones_and_refuse_negative_features():
    ex = textbook.examples([[1, 0], [0, 1]], [1, -1])
    assert initial_weights(rules.get("winnow-2"), ex)[:2] == (1, 1)
    assert initial_weights(rules.Perceptron(), ex) is None
    with pytest.raises(InputError) as caught:
        check_signs(rules.get("winnow-2"), modified_or())
    assert isinstance(caught.value.where, Cell)
    assert (caught.value.where.row, caught.value.where.column) == (0, 0)
    check_signs(rules.get("winnow-2"), ex)


def test_the_outcome_gathers_what_was_counted():
    learner = Learner(modified_or(), "perceptron")
    for i in range(3):
        learner.present(1, i)
    outcome = learner.outcome("max_iter", 1)
    assert (outcome.w, outcome.corrections, outcome.counts) == ((1, 1, -1), 3, (1, 1, 1, 0))
    assert outcome.wrong == () and outcome.cycle is None
