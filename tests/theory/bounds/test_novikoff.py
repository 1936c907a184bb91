"""Novikoff's line, by hand: which runs it applies to, what it promises, what it says instead."""

import math

import pytest

from hardlimit import guards, rules, schedules
from hardlimit.theory.bounds import Comparator, MarginProblem, ModelRun, evaluate
from hardlimit.theory.bounds.novikoff import explain_missing_margin, reason_inapplicable

from ...rounding import near

PERCEPTRON = ModelRun(rules.Perceptron(), order="cyclic", n_rows=4, epochs=2)
# radius 2, margin 1/2 reached by the last weights, ||w|| / k = 6 / 4 from above
PART = MarginProblem(corrections=4, mistakes=4, radius=2.0, length=6.0, least=0.5, least_of="last")


def line_of(run, part, name="Novikoff"):
    return evaluate(run, [part])[name]


def test_the_square_of_radius_over_margin():
    line = line_of(PERCEPTRON, PART)
    assert line.value == near((2 / 0.5) ** 2, 20)
    assert line.at_best == near((2 / 1.5) ** 2, 20)
    assert (line.count, line.of, line.holds) == (4, "corrections", True)


def test_batches_multiply_by_the_rows_and_count_rows():
    run = ModelRun(rules.Perceptron(), order="batch", combine="sum", n_rows=5)
    line = line_of(
        run, MarginProblem(corrections=3, mistakes=9, radius=2.0, least=1.0), "Novikoff, in batches"
    )
    assert line.value == near(5 * 4, 20)
    assert (line.count, line.of) == (9, "rows added")


def test_a_verdict_with_a_better_margin_lowers_the_bound():
    part = MarginProblem(corrections=4, radius=2.0, least=0.5, least_of="last", proven=(1.0, 1.25))
    line = line_of(PERCEPTRON, part)
    assert line.value == near(4, 20)
    assert line.at_best == near((2 / 1.25) ** 2, 20)


@pytest.mark.parametrize(
    ("run", "reason"),
    [
        (ModelRun(rules.Relaxation()), "the rule is relaxation"),
        (ModelRun(rules.Perceptron(), schedule=schedules.Inverse()), "steps differ in length"),
        (ModelRun(rules.Perceptron(), guards=(guards.AlphaBound(3),)), "guards decide"),
        (ModelRun(rules.Perceptron(), order="batch", combine="average"), "averaged"),
        (ModelRun(rules.Perceptron(), streamed=True), "a stream"),
        (ModelRun(rules.Perceptron(), weighted=True), "weigh other than 1"),
        (ModelRun(rules.Perceptron(), budget=object()), "a budget takes corrections back"),
    ],
)
def test_where_it_does_not_apply(run, reason):
    assert reason in reason_inapplicable(run)
    line = line_of(run, PART, "Novikoff, in batches" if run.order == "batch" else "Novikoff")
    assert line.value is None and reason in line.reason and line.holds is None


@pytest.mark.parametrize("schedule", [None, schedules.Constant(0.25)])
def test_equal_steps_are_the_perceptrons(schedule):
    assert reason_inapplicable(ModelRun(rules.Perceptron(), schedule=schedule)) == ""


def test_without_rows_it_says_how_to_get_them():
    line = line_of(PERCEPTRON, MarginProblem(corrections=3))
    assert line.value is None and "bounds.of(clf, X, y)" in line.reason and line.count == 3


@pytest.mark.parametrize(
    ("part", "words"),
    [
        (MarginProblem(separable=False), "not separable"),
        (
            MarginProblem(
                comparators=(Comparator("last", pytest.importorskip("numpy").ones(2) * -1),)
            ),
            "certify",
        ),
        (MarginProblem(separable=True), "by how much was not measured"),
        (MarginProblem(), "gamma may be 0"),
    ],
)
def test_a_margin_that_is_not_known_is_explained(part, words):
    assert words in explain_missing_margin(part, PERCEPTRON)


def test_a_promise_that_is_infinite_for_no_margin_is_none():
    line = line_of(
        PERCEPTRON, MarginProblem(corrections=9, radius=1.0, length=3.0, separable=False)
    )
    assert line.value is None and line.at_best is None
    assert not math.isnan(line.count)
