"""The smallest change, against a general solver and against its own certificate."""

from fractions import Fraction

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from hardlimit._native import Overlay
from hardlimit.live.guards import project

from ..rounding import near

whole = st.integers(-4, 4)


def drawn(n_constraints, n_columns):
    vector = st.lists(whole, min_size=n_columns, max_size=n_columns)
    return st.lists(vector, min_size=1, max_size=n_constraints)


@settings(max_examples=60)
@given(drawn(4, 4), st.data())
def test_a_projection_is_optimal_or_certified_infeasible(rows, data):
    Z = [[Fraction(v) for v in row] for row in rows]
    c = [Fraction(data.draw(st.integers(-3, 5))) for _ in Z]

    def product(i, j):
        return sum((a * b for a, b in zip(Z[i], Z[j], strict=True)), Fraction(0))

    solved = project(product, c)
    u = solved.multipliers
    delta = [sum((u[i] * Z[i][k] for i in u), Fraction(0)) for k in range(4)]
    assert all(one >= 0 for one in u.values())
    reached = [sum((a * b for a, b in zip(z, delta, strict=True)), Fraction(0)) for z in Z]
    if not solved.feasible:
        assert delta == [0] * 4
        assert sum((u[i] * c[i] for i in u), Fraction(0)) > 0
        return
    # The conditions of Karush, Kuhn and Tucker, in fractions: no tolerance.
    assert all(have >= want for have, want in zip(reached, c, strict=True))
    assert all(reached[i] == c[i] for i in u)


def solve_with_scipy(scores, y, margin, q):
    """The smallest (sum of squares) change a of the scores' multipliers, w_k += a_k x."""
    scale = max(1.0, float(np.abs(scores).max()))  # the solver's tolerance is absolute
    rivals = [k for k in range(len(scores)) if k != y]
    constraints = [
        {
            "type": "ineq",
            "fun": lambda a, k=k: a[y] - a[k] + (scores[y] - scores[k] - margin) / scale,
        }
        for k in rivals
    ]
    found = minimize(
        lambda a: a @ a, np.zeros(len(scores)), jac=lambda a: 2 * a,
        constraints=constraints, method="SLSQP", options={"ftol": 1e-14, "maxiter": 300},
    )  # fmt: skip
    return found.x * scale / q


@settings(max_examples=40)
@given(st.integers(3, 7), st.data())
def test_a_correction_of_many_classes_is_that_of_a_general_solver(n_classes, data):
    number = st.floats(-3, 3).map(lambda x: round(x, 3))
    base = data.draw(st.lists(number, min_size=n_classes, max_size=n_classes))
    values = [data.draw(st.floats(0.1, 2.0).map(lambda x: round(x, 3))) for _ in range(3)]
    y = data.draw(st.integers(0, n_classes - 1))
    overlay = Overlay(n_classes, 0.0, 0.1)
    row = overlay.row([0, 5, 9], values, base)
    steps, _ = overlay.correct(row, y, 1.0)
    assert overlay.margin(row, y) >= 1.0
    ours = np.zeros(n_classes)
    for k, step in steps:
        ours[k] = step
    theirs = solve_with_scipy(np.array(base), y, 1.0, row.squared_length)
    length = np.sqrt(ours @ ours)
    # SLSQP ends at ftol = 1e-14 of the squared length; places are known to the root of that.
    assert np.allclose(ours, theirs, atol=1e-6 * (1 + length))
    # All constraints at once, and never longer than the solver's.
    # SLSQP ends at ftol = 1e-14 of the squared length; places are known to the root of that.
    assert length <= np.sqrt(theirs @ theirs) + 1e-6 * (1 + length)


@given(st.floats(-1e6, 1e6), st.floats(1e-3, 1e6), st.floats(1e-6, 1e6), st.sampled_from([0, 1]))
def test_two_classes_reach_the_margin_in_the_arithmetic_that_predicts(score, value, margin, y):
    overlay = Overlay(2, 0.25, 0.1)
    row = overlay.row([3], [value], [score])
    steps, before = overlay.correct(row, y, margin)
    reached = overlay.margin(row, y)
    assert reached >= margin
    if steps:
        ((output, step),) = steps
        exact = abs(margin - (score - 0.25) * (1 if y else -1)) / row.squared_length
        assert output == 1
        assert abs(step) == near(exact, 60, size=abs(score))
        overlay.rewind(row, steps, before)
    assert overlay.scores(row) == [score]
    assert overlay.weights() == []
