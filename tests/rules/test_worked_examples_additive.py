"""The examples that the docstrings work by hand: every w, exactly, and by the compiled loop.

All are the modified OR with the threshold feature -1 where nothing else is said.
"""

from fractions import Fraction

import numpy as np
import pytest
from twin import Twin

from hardlimit import LinearClassifier, rules

from ..rounding import near

OR = [[-1, -1], [1, -1], [-1, 1], [1, 1]]
OR_TARGETS = [0, 1, 1, 1]
HALF = Fraction(1, 2)


def vectors(text):
    """`1 1 1, 2 0 0` -> the vectors, as fractions."""
    return [[Fraction(number) for number in one.split()] for one in text.split(",")]


# rule: w after each presentation, round after round; the last round changes nothing.
ON_OR = {
    rules.Perceptron(): "1 1 1, 2 0 0, 1 1 -1, 1 1 -1,  1 1 -1, 1 1 -1, 1 1 -1, 1 1 -1",
    rules.MarginPerceptron(b=1): (
        "1 1 1, 2 0 0, 1 1 -1, 1 1 -1,  2 2 0, 3 1 -1, 2 2 -2, 2 2 -2,"
        "2 2 -2, 2 2 -2, 2 2 -2, 2 2 -2"
    ),
    rules.Relaxation(eta=Fraction(3, 2), b=Fraction(1)): (
        "1/2 1/2 1/2, 5/4 -1/4 -1/4, 1/8 7/8 -11/8, 1/8 7/8 -11/8,"
        "13/16 25/16 -11/16, 43/32 33/32 -39/32, 83/64 69/64 -81/64, 83/64 69/64 -81/64,"
        "83/64 69/64 -81/64, 83/64 69/64 -81/64, 83/64 69/64 -81/64, 83/64 69/64 -81/64"
    ),
    rules.ROMMA(): (
        "1/3 1/3 1/3, 1 0 0, 1 1 -1, 1 1 -1,  1 1 -1, 1 1 -1, 1 1 -1, 1 1 -1"
    ),
    rules.DynamicMargin(epsilon=HALF): (
        "1 1 1, 2 0 0, 1 1 -1, 1 1 -1,  1 1 -1, 1 1 -1, 1 1 -1, 1 1 -1"
    ),
    rules.PAUM(tau_plus=1, tau_minus=0): (
        "1 1 1, 2 0 0, 1 1 -1, 1 1 -1,  1 1 -1, 2 0 -2, 1 1 -3, 1 1 -3,"
        "2 2 -2, 2 2 -2, 2 2 -2, 2 2 -2,  2 2 -2, 2 2 -2, 2 2 -2, 2 2 -2"
    ),
    rules.ShiftingPerceptron(lam=Fraction(1)): (
        "1 1 1, 3/2 -1/2 -1/2, 0 2/3 -4/3, 0 2/3 -4/3,"
        "1 3/2 0, 9/5 1/5 -1, 1/2 7/6 -11/6, 1/2 7/6 -11/6,"
        "10/7 2 -4/7, 9/4 3/4 -3/2, 1 5/3 -7/3, 1 5/3 -7/3"
    ),
}  # fmt: skip


def as_fractions(rows):
    return [[Fraction(value) for value in row] for row in rows]


@pytest.mark.parametrize("rule", ON_OR, ids=lambda rule: type(rule).__name__)
def test_every_vector_exactly(rule):
    expected = vectors(ON_OR[rule])
    twin = Twin(rule, "single", 2, 1, Fraction(-1))
    found = []
    for place in range(len(expected)):
        twin.present(as_fractions(OR)[place % 4], OR_TARGETS[place % 4])
        found.append(list(twin.w[0]))
    assert found == expected
    assert all(isinstance(value, int | Fraction) for w in found for value in w)


@pytest.mark.parametrize("rule", ON_OR, ids=lambda rule: type(rule).__name__)
def test_every_vector_of_the_compiled_loop(rule):
    # In its third round the shifting perceptron meets margins of exactly 0, which rounding moves.
    expected = vectors(ON_OR[rule])[: 8 if type(rule) is rules.ShiftingPerceptron else None]
    clf = LinearClassifier(rule, bias_feature=-1.0, readout="last")
    for place, w in enumerate(expected):
        clf.partial_fit([OR[place % 4]], [OR_TARGETS[place % 4]], classes=[0, 1])
        found = [*clf.coef_[0], clf.intercept_[0] / -1]
        assert found == near([float(value) for value in w], 40)


def test_the_margins_of_relaxation_between_the_rounds():
    z = np.array([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [1, 1, -1]])
    sequence = vectors(ON_OR[rules.Relaxation(eta=Fraction(3, 2), b=Fraction(1))])
    first, last = np.array(sequence[3]), np.array(sequence[7])
    eighths, parts = [Fraction(n, 8) for n in (-3, 5, 17, 19)], (71, 95, 67, 233)
    assert [(row * first).sum() for row in z] == eighths
    assert [(row * last).sum() for row in z] == [Fraction(n, 64) for n in parts]


def test_aggressive_romma_begins_anew_where_the_row_alone_is_shorter():
    rows = [[Fraction(2), Fraction(0)], [Fraction(1), HALF]]
    twin = Twin(rules.AggressiveROMMA(), "single", 2, 1, 0)
    expected = [vectors("1/2 0 0")[0], vectors("4/5 2/5 0")[0], vectors("4/5 2/5 0")[0]]
    for row, w in zip([*rows, rows[0]], expected, strict=True):
        assert twin.learn([row], [1]).w[0] == w
    clf = LinearClassifier("aggressive-romma", fit_intercept=False, readout="last")
    clf.partial_fit([[2, 0], [1, 0.5], [2, 0]], [1, 1, 1], classes=[0, 1])
    assert clf.coef_[0] == near([0.8, 0.4], 10)
    assert clf.n_corrections_ == 2


def test_alma_on_two_rows():
    """(1, 0), then (2, 1) / sqrt(5)."""
    clf = LinearClassifier(rules.ALMA(alpha=0.5), fit_intercept=False, readout="last")
    clf.partial_fit([[1, 0]], [1], classes=[0, 1])
    assert clf.coef_[0] == near([1, 0], 10)
    clf.partial_fit([[3, 4]], [1])
    assert clf.coef_[0] == near(np.array([2, 1]) / np.sqrt(5), 10)


def test_balanced_winnow_multiplies_both_vectors():
    """w+ and w- after each mistake, and y times the score before it."""
    clf = LinearClassifier(rules.BalancedWinnow(alpha=2), bias_feature=-1.0, readout="last")
    plus = vectors("2 2 2, 4 1 1, 2 2 1/2")
    scores = [0, -1.5, -3.75]
    for x, target, p, score in zip(OR, OR_TARGETS, plus, scores, strict=False):
        if target == 1:
            assert clf.decision_function([x])[0] == near(score, 40)
        clf.partial_fit([x], [target], classes=[0, 1])
        found = [*clf.coef_[0], -clf.intercept_[0]]
        assert found == near([float(v - 1 / v) for v in p], 40)
    clf.partial_fit(OR[3:] + OR, OR_TARGETS[3:] + OR_TARGETS)
    assert clf.n_corrections_ == clf.n_mistakes_ == 3
    assert clf.coef_[0] == near([1.5, 1.5], 10)


FIRST = [
    (0.1, 1.1), (6.8, 7.1), (-3.5, -4.1), (2.0, 2.7), (4.1, 2.8),
    (3.1, 5.0), (-0.8, -1.3), (0.9, 1.2), (5.0, 6.4), (3.9, 4.0),
]  # fmt: skip
SECOND = [
    (7.1, 4.2), (-1.4, -4.3), (4.5, 0.0), (6.3, 1.6), (4.2, 1.9),
    (1.4, -3.2), (2.4, -4.0), (2.5, -6.1), (8.4, 3.7), (4.1, -2.2),
]  # fmt: skip


@pytest.mark.parametrize(
    ("eta", "corrections", "epochs"), [(0.5, 110, 12), (1, 127, 21), (1.5, 73, 12), (1.9, 54, 14)]
)
def test_relaxation_on_duda_hart_and_storks_classes_1_and_2(eta, corrections, epochs):
    """Until an epoch ends with all margins above 0. Ten times b: ten times w, the same counts."""
    X, y, found = np.array(FIRST + SECOND), [1] * 10 + [0] * 10, []
    for b in (0.1, 1.0):
        clf = LinearClassifier(rules.Relaxation(eta, b), readout="last")
        for _ in range(epochs):
            if clf.__sklearn_is_fitted__():
                assert (clf.predict(X) != y).any()
            clf.partial_fit(X, y, classes=[0, 1])
        assert (clf.decision_function(X) * (2 * np.array(y) - 1) > 0).all()
        assert clf.n_corrections_ == corrections
        found.append(clf.coef_[0])
    assert found[0] * 10 == near(found[1], 5000)
