"""Runs, parts, brackets and lines by themselves."""

import numpy as np
import pytest

from hardlimit import rules, schedules
from hardlimit.theory.bounds import (
    Bracket,
    Comparator,
    Line,
    MarginProblem,
    ModelRun,
    make_comparators,
)

CYCLIC = ModelRun(rules.Perceptron(), order="cyclic")


def test_the_name_of_a_rule_of_ones_own_is_that_of_its_class():
    class Perceptron(rules.Rule):  # bears a name of ours
        def tau(self):
            return 1

    assert ModelRun(rules.Perceptron()).rule_name == "perceptron"
    assert ModelRun(Perceptron()).rule_name == "Perceptron"
    assert not ModelRun(Perceptron()).is_perceptron


@pytest.mark.parametrize(
    ("run", "adds"),
    [
        (ModelRun(rules.Perceptron()), True),
        (ModelRun(rules.MarginPerceptron(2), schedules.Constant(3.0)), True),
        (ModelRun(rules.Perceptron(), schedules.Inverse()), False),
        (ModelRun(rules.Relaxation()), False),
        (ModelRun(rules.Perceptron(), weighted=True), False),
    ],
)
def test_weights_that_are_a_sum_of_rows(run, adds):
    assert run.adds_rows is adds


def test_the_upper_end_is_the_length_over_the_rows_added():
    part = MarginProblem(corrections=4, mistakes=10, length=6.0)
    assert part.upper(CYCLIC) == 1.5
    assert part.upper(ModelRun(rules.Perceptron(), schedules.Constant(2.0))) == 0.75
    # a batch of one correction may add many rows: the mistakes are counted
    assert part.upper(ModelRun(rules.Perceptron(), order="batch", combine="sum")) == 0.6
    assert MarginProblem(corrections=0, length=0.0).upper(CYCLIC) is None
    assert part.upper(ModelRun(rules.Relaxation())) is None


def test_the_bracket_takes_the_better_end_and_names_its_source():
    part = MarginProblem(
        corrections=4, length=6.0, least=0.5, least_of="pocket", proven=(0.75, 2.0)
    )
    gamma = part.gamma(CYCLIC)
    assert (gamma.least, gamma.from_below) == (0.75, "the verdict")
    assert (gamma.most, gamma.from_above) == (1.5, "||w|| / 4")
    assert gamma.separable is True and str(gamma) == "0.75 .. 1.5"


@pytest.mark.parametrize(
    ("bracket", "separable", "text"),
    [
        (Bracket(0.0, 0.0), False, "0: not separable"),
        (Bracket(None, 2.0), None, "0 .. 2"),
        (Bracket(0.5, None), True, "0.5 .. ?"),
    ],
)
def test_what_a_bracket_says(bracket, separable, text):
    assert (bracket.separable, str(bracket)) == (separable, text)


def test_a_smallest_margin_below_zero_says_nothing_of_gamma():
    assert MarginProblem(least=-0.5, least_of="last").gamma(CYCLIC).least is None


def test_comparators_are_of_unit_length_and_zeros_are_none():
    margins = np.array([[2.0, 1.0], [4.0, 1.0]])
    first, second = make_comparators("last", margins, np.array([2.0, 0.0]), np.array([6.0, 0.0]))
    assert second is None
    assert isinstance(first, Comparator)
    assert (first.margins.tolist(), first.absolute, first.least) == ([1.0, 2.0], 3.0, 1.0)
    (bare,) = make_comparators("last", margins[:, :1], np.array([1.0]))
    assert bare is not None and bare.absolute is None


def test_a_line_holds_where_both_numbers_are_known():
    assert Line("n", "f", "of", value=3.0, count=3).holds is True
    assert Line("n", "f", "of", value=3.0, count=4).holds is False
    assert Line("n", "f", "of", value=3.0).holds is Line("n", "f", "of", count=3).holds is None


def test_a_margin_that_is_only_rounding_is_no_lower_bound():
    """A margin of 0 by the rows: the sum of three products may leave 3.8e-17 of it."""
    part = MarginProblem(
        corrections=3, length=2.0, least=3.8e-17, least_of="last", n_columns=2, radius=1.7
    )
    assert part.gamma(CYCLIC).least is None
    more = MarginProblem(
        corrections=3, length=2.0, least=1e-9, least_of="last", n_columns=2, radius=1.7
    )
    assert more.gamma(CYCLIC).least == 1e-9
