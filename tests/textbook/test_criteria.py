"""Criterion functions, their descent, and the exact line search."""

from __future__ import annotations

from fractions import Fraction

import pytest

from hardlimit import criteria, rules, textbook
from hardlimit.exceptions import InputError

from .boards import OR, W1, W3, exercise, modified_or, vector

# w: J, J_p, J_q, J_r(b=1), J_r(b=1/2)
VALUES = {
    "0 0 0": "4 0 0 2/3 1/6",
    "1 1 1": "2 2 2 4/3 3/4",
    "2 0 0": "1 2 4 3/2 25/24",
    "1 1 -1": "0 0 0 0 0",
}
FIVE = [("J", 0), ("J_p", 0), ("J_q", 0), ("J_r", 1), ("J_r", Fraction(1, 2))]


@pytest.mark.parametrize("w", VALUES)
def test_values(w):
    found = [textbook.criterion(n, b).value(vector(w), modified_or().signed) for n, b in FIVE]
    assert tuple(found) == vector(VALUES[w])


@pytest.mark.parametrize(
    ("name", "b", "gradient", "rho", "w"),
    [
        ("J_q", 0, "0 0 4", "1/4", "1 1 0"),
        ("J_r", 1, "0 0 4/3", "1", "1 1 -1/3"),
        ("J_r", "1/2", "0 0 1", "3/2", "1 1 -1/2"),
    ],
)
def test_line_search(name, b, gradient, rho, w):
    run = textbook.descend(modified_or(), name, b=b, rate="line-search", w=(1, 1, 1))
    step = next(run)
    assert (step.gradient, step.rho) == (vector(gradient), Fraction(rho))
    assert step.w_after == vector(w)


def test_the_descent_of_j_q_ends_on_the_boundary():
    """J_q = 0, and two examples are still wrong: it is said so."""
    run = textbook.descend(modified_or(), "J_q", rate="line-search", w=(1, 1, 1))
    outcome = textbook.run(run).outcome
    assert (outcome.reason, outcome.wrong) == ("stalled", (1, 2))
    assert textbook.criterion("J_q").value(outcome.w, modified_or().signed) == 0


@pytest.mark.parametrize(("name", "word"), [("J_p", "Hessian is zero"), ("J", "constant")])
def test_where_there_is_no_line_search(name, word):
    with pytest.raises(InputError, match=word):
        next(textbook.descend(modified_or(), name, rate="line-search"))


def test_the_count_has_no_way_down():
    with pytest.raises(InputError, match="J_p, J_q or J_r"):
        next(textbook.descend(modified_or(), "J"))


@pytest.mark.parametrize("name", ["J_q", "J_r"])
def test_the_line_search_never_lets_the_criterion_rise(name):
    run = textbook.descend(
        exercise(W1, W3, number=float), name, b=1 if name == "J_r" else 0, rate="line-search",
        w=(1, -2, 3), max_iter=30,
    )  # fmt: skip
    values = [step.value for step in run]
    assert len(values) > 3
    assert all(b <= a for a, b in zip(values, values[1:], strict=False))


@pytest.mark.parametrize("name", ["J_p", "J_q", "J_r"])
def test_gradient_and_curvature_are_those_of_the_value(name):
    """Exactly: along a line on which no example enters or leaves, J is a parabola."""
    Z, h = modified_or().signed, Fraction(1, 1000)
    J = textbook.criterion(name, 1 if name == "J_r" else 0)
    w, g = vector("-1 -2 3/2"), vector("1 2/3 -1/2")

    def at(t):
        return J.value(tuple(a + t * b for a, b in zip(w, g, strict=True)), Z)

    slope = (at(h) - at(-h)) / (2 * h)
    assert slope == sum(a * b for a, b in zip(J.gradient(w, Z), g, strict=True))
    if J.quadratic:
        assert (at(h) - 2 * at(0) + at(-h)) / (h * h) == J.curvature(g, w, Z)


def test_descents_are_the_batch_algorithms():
    """J_p with rate 1 is the batch perceptron, J_r with rate eta the sum of relaxations."""
    ex = modified_or()
    descent = textbook.run(textbook.descend(ex, "J_p")).steps
    batch = textbook.run(textbook.batch(ex)).steps
    assert [s.w_after for s in descent] == [s.w_after for s in batch[::4]][:-1]
    descent = textbook.descend(ex, "J_r", b=1, rate="1/2", until=None, max_iter=3)
    batch = textbook.batch(ex, rules.Relaxation(0.5, 1), combine="sum", until=None, max_iter=3)
    assert [s.w_after for s in descent] == [s.w_after for s in batch][::4]


def test_a_line_search_starts_on_fractions_that_stay_exact():
    X, y = OR
    ex = textbook.examples([[Fraction(a, 3), Fraction(b, 7)] for a, b in X], y)
    steps, _ = textbook.run(textbook.descend(ex, "J_r", b=1, rate="line-search", max_iter=5))
    assert all(isinstance(v, Fraction) for s in steps for v in (*s.w_after, s.rho))


@pytest.mark.parametrize(
    ("name", "ours"),
    [
        ("J", criteria.get("misclassified")),
        ("J_p", criteria.get("perceptron-criterion")),
        ("J_q", criteria.get("squared-criterion")),
        ("J_r", criteria.get("relaxation-criterion", b=Fraction(1, 2))),
    ],
)
def test_the_criteria_of_the_package_are_the_same_numbers(name, ours):
    """Exactly, with examples on the boundary, where membership has equality."""
    J = textbook.criterion(name, Fraction(1, 2) if name == "J_r" else 0)
    g = vector("1 -1/3 2")
    for Z in (modified_or().signed, exercise(W1, W3).signed):
        for w in map(vector, ("0 0 0", "1 1 1", "2 0 0", "1/2 0 0", "-3 7/5 2")):
            assert J.value(w, Z) == ours.value(Z, w)
            if name != "J":
                assert list(J.gradient(w, Z)) == list(ours.gradient(Z, w))
            if J.quadratic:
                H = ours.hessian(Z, w, g)
                assert J.curvature(g, w, Z) == sum(a * b for a, b in zip(g, H, strict=True))
