"""Freund and Schapire's two forms: by hand, by brute force over gamma, and when they apply."""

import math

import numpy as np
import pytest

from hardlimit import rules
from hardlimit.theory.bounds import Comparator, MarginProblem, ModelRun, evaluate
from hardlimit.theory.bounds.inseparable import (
    find_least,
    hinge_form,
    reason_inapplicable,
    square_form,
)

from ...rounding import near

DRAWN = [np.random.default_rng(seed).normal(0.4, 1, 30) for seed in range(6)]


@pytest.mark.parametrize("passes", [1, 3])
@pytest.mark.parametrize("gamma", [0.25, 1.0, 2.0])
def test_the_forms_row_by_row(gamma, passes):
    margins, radius = np.array([0.5, -1.0, 3.0]), 2.0
    D2 = passes * sum(max(0.0, gamma - m) ** 2 for m in margins.tolist())
    L = passes * sum(max(0.0, 1 - m / gamma) for m in margins.tolist())
    square = ((radius + math.sqrt(D2)) / gamma) ** 2
    hinge = L + (radius / gamma) ** 2 + radius / gamma * math.sqrt(L)
    assert square_form(radius, margins, passes, gamma) == near(square, 40)
    assert hinge_form(radius, margins, passes, gamma) == near(hinge, 40)


def test_with_every_margin_at_gamma_they_are_novikoffs():
    margins = np.array([0.5, 0.7])
    assert square_form(2.0, margins, 5, 0.5) == hinge_form(2.0, margins, 5, 0.5) == 16


@pytest.mark.parametrize("form", [square_form, hinge_form])
@pytest.mark.parametrize("margins", DRAWN)
def test_the_search_is_as_good_as_a_grid(form, margins):
    def bound(gamma):
        return form(3.0, margins, 2, gamma)

    value, gamma = find_least(bound, margins, 3.0)
    assert value == bound(gamma) and gamma > 0
    grid = min(bound(g) for g in np.geomspace(1e-3, 30, 400))
    # The grid's minimum is above the true one, and the search ends within a thousandth of that.
    assert value <= grid * (1 + 1e-3)


@pytest.mark.parametrize("form", [square_form, hinge_form])
def test_the_search_ends_at_the_minimum_itself(form):
    """Between two samples of the search; a grid a hundred times as fine agrees to eight digits."""
    margins = np.append(np.linspace(0.5, 2.0, 60), -0.2)

    def bound(gamma):
        return form(2.0, margins, 1, gamma)

    value, gamma = find_least(bound, margins, 2.0)
    fine = min(bound(g) for g in np.linspace(0.8 * gamma, 1.2 * gamma, 20_001))
    # Golden sections tell places to the root of a rounding, values to 1e-8 with room.
    assert value <= fine * (1 + 1e-8)


def test_margins_that_are_all_negative_still_have_a_bound():
    margins = np.full(4, -1.0)
    value, gamma = find_least(lambda g: hinge_form(1.0, margins, 1, g), margins, 1.0)
    assert math.isfinite(value) and value >= 4 and gamma > 0  # each row adds at least 1 to L


def lines_of(run, part):
    found = evaluate(run, [part]).lines[0]
    return [line for line in found if line.name.startswith("Freund")]


def test_one_epoch_has_one_pass_and_more_have_two():
    margins = np.array([1.0, 1.0])
    part = MarginProblem(
        corrections=3, mistakes=3, radius=1.0, comparators=(Comparator("last", margins),)
    )
    once = lines_of(ModelRun(rules.Perceptron(), order="cyclic", n_rows=2, epochs=1, first=3), part)
    assert [line.of for line in once] == ["mistakes in the first pass"] * 2
    assert [line.count for line in once] == [3, 3]  # one epoch: all mistakes are its own
    twice = lines_of(
        ModelRun(rules.Perceptron(), order="cyclic", n_rows=2, epochs=4, first=2), part
    )
    assert [line.of for line in twice[2:]] == ["mistakes in all 4 passes"] * 2
    assert [line.count for line in twice] == [2, 2, 3, 3]


def test_the_best_comparator_is_named():
    poor, good = Comparator("last", np.array([-1.0, 0.1])), Comparator("averaged", np.ones(2))
    part = MarginProblem(corrections=1, mistakes=1, radius=1.0, comparators=(poor, good))
    run = ModelRun(rules.Perceptron(), order="shuffled", n_rows=1000, epochs=1, first=1)
    for line in lines_of(run, part):
        assert line.comparator.startswith("against the averaged weights, gamma = ")
        assert line.value == near(1, 20)


def test_a_bound_beyond_the_rows_is_called_trivial():
    part = MarginProblem(radius=9.0, comparators=(Comparator("last", np.array([0.1, -3.0])),))
    run = ModelRun(rules.Perceptron(), order="cyclic", n_rows=2, epochs=1, first=2)
    assert all("trivial" in line.comparator for line in lines_of(run, part))


@pytest.mark.parametrize(
    ("run", "words"),
    [
        (ModelRun(rules.Perceptron(), order="random"), "the order is random"),
        (ModelRun(rules.Perceptron(), order="worst"), "the order is worst"),
        (ModelRun(rules.Relaxation(), order="cyclic"), "the rule is relaxation"),
        (ModelRun(rules.Perceptron(), order="cyclic"), ""),
    ],
)
def test_where_they_apply(run, words):
    assert words in reason_inapplicable(run) and bool(words) == bool(reason_inapplicable(run))


def test_neurons_have_no_first_pass_of_their_own():
    run = ModelRun(rules.Perceptron(), order="cyclic", scheme="independent", epochs=2, first=7)
    part = MarginProblem(mistakes=3, radius=1.0, comparators=(Comparator("last", np.ones(1)),))
    assert [line.count for line in lines_of(run, part)] == [None, None, 3, 3]
