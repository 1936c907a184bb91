"""Margins, lengths and least margins against sums written out in Python."""

import math

import numpy as np
import pytest

from hardlimit.theory import margins

from ..rounding import near

RNG = np.random.default_rng(7)
SCORES = RNG.normal(size=(9, 3))
CLASSES = RNG.integers(0, 3, 9)
WEIGHTS = RNG.normal(size=(5, 3))


def test_two_classes():
    found = margins.functional_margins(SCORES[:, :1], np.array([0, 1] * 4 + [1]), "single")
    signs = [-1, 1] * 4 + [1]
    assert found.ravel().tolist() == [t * s for t, s in zip(signs, SCORES[:, 0], strict=True)]


def test_coupled_classes_are_compared_with_the_best_rival():
    found = margins.functional_margins(SCORES, CLASSES, "coupled")
    for row, y, margin in zip(SCORES.tolist(), CLASSES.tolist(), found.ravel(), strict=True):
        assert margin == row[y] - max(s for c, s in enumerate(row) if c != y)


def test_neurons_of_their_own():
    found = margins.functional_margins(SCORES, CLASSES, "independent")
    for row, y, line in zip(SCORES.tolist(), CLASSES.tolist(), found.tolist(), strict=True):
        assert line == [s if c == y else -s for c, s in enumerate(row)]


def test_several_labels_a_row():
    targets = np.array([[1, 0, 1]] * 9)
    found = margins.functional_margins(SCORES, targets, "independent")
    assert (found == SCORES * [1, -1, 1]).all()


@pytest.mark.parametrize("scheme", ["single", "coupled", "independent"])
def test_lengths_and_absolute_sums(scheme):
    columns = WEIGHTS.T.tolist()
    squares = [math.fsum(v * v for v in column) for column in columns]
    sums = [math.fsum(map(abs, column)) for column in columns]
    if scheme == "coupled":
        squares, sums = [math.fsum(squares)], [math.fsum(sums)]
    assert margins.weight_lengths(WEIGHTS, scheme) == near(np.sqrt(squares), 60)
    assert margins.absolute_sums(WEIGHTS, scheme) == near(sums, 60)


def test_least_margins_skip_absent_rows_and_zero_weights():
    functional = np.array([[1.0, 8.0], [-9.0, 2.0], [4.0, 6.0]])
    assert margins.least_margins(functional, [3.0, 2.0]) == (-3.0, 1.0)
    present = np.array([True, False, True])
    assert margins.least_margins(functional, [2.0, 2.0], present) == (0.5, 3.0)
    assert margins.least_margins(functional, [0.0, 2.0]) == (None, 1.0)


def test_lengths_in_a_kernels_space_are_those_of_the_weights():
    """With the linear kernel w = sum beta_i x_i, so that both ways must agree."""
    X, beta = RNG.normal(size=(6, 4)), RNG.normal(size=(6, 3))
    w = X.T @ beta
    scores = X @ w
    assert margins.kernel_products(beta, scores) == near(w.T @ w, 60)
    assert margins.kernel_squares(beta, scores) == near(np.diag(w.T @ w), 60)
    for scheme in ("independent", "coupled"):
        assert margins.kernel_lengths(beta, scores, scheme) == near(
            margins.weight_lengths(w, scheme), 60
        )


def test_rounding_below_zero_has_length_zero():
    assert margins.kernel_squares(np.array([[1.0]]), np.array([[-1e-18]])).tolist() == [0.0]
