"""Examples: targets, signed rows, numbers, starting weights."""

from fractions import Fraction

import numpy as np
import pytest
from scipy.sparse import coo_matrix

from hardlimit import textbook
from hardlimit.exceptions import InputError
from hardlimit.foundation.exact_numbers import sign as sign_of
from hardlimit.textbook import exact

X = [[1, 2], [3, 4]]


def test_the_bias_feature_stands_last_and_targets_sign_rows():
    ex = textbook.examples(X, [-1, 1], bias_feature=7)
    assert ex.rows == ((1, 2, 7), (3, 4, 7)) and ex.signed == ((-1, -2, -7), (3, 4, 7))
    assert (ex.columns, len(ex), ex.classes) == (3, 2, (-1, 1))
    assert ex.row([5, 6]) == (5, 6, 7)


def test_through_the_origin():
    ex = textbook.examples(X, [-1, 1], bias_feature=None)
    assert ex.columns == 2 and ex.row([5, 6]) == (5, 6)


@pytest.mark.parametrize(
    ("y", "classes", "targets"),
    [
        (["no", "yes"], ("no", "yes"), (-1, 1)),
        (["yes", "no"], ("no", "yes"), (1, -1)),
        ([1, 0], (0, 1), (1, -1)),
        ([1, 1], (-1, 1), (1, 1)),  # one class alone, already as targets
        (np.array([2.5, 1.5]), (1.5, 2.5), (1, -1)),
    ],
)
def test_the_second_class_in_sorted_order_is_positive(y, classes, targets):
    ex = textbook.examples(X, y)
    assert (ex.classes, ex.targets) == (classes, targets)


@pytest.mark.parametrize("form", [list, np.array, coo_matrix])
def test_lists_arrays_and_sparse_matrices(form):
    assert textbook.examples(form(X), [1, -1]).rows == ((1, 2, -1), (3, 4, -1))


@pytest.mark.parametrize(
    ("value", "fraction"),
    [
        (0.1, Fraction(1, 10)),
        ("1/3", Fraction(1, 3)),
        (np.float64(0.25), Fraction(1, 4)),
        (np.int64(7), Fraction(7)),
        (1e-3, Fraction(1, 1000)),
    ],
)
def test_decimals_are_as_they_are_written(value, fraction):
    assert exact(value) == fraction
    assert textbook.examples([[value]], [1]).rows[0][0] == fraction


@pytest.mark.parametrize("value", ["x", float("nan"), "1/0", None, float("inf")])
def test_what_is_no_finite_number(value):
    with pytest.raises(InputError) as caught:
        exact(value)
    assert caught.value.wanted == "a finite number" and caught.value.has_got


def test_whole_numbers_are_not_cut():
    assert textbook.examples([[2.0]], [1], number=int).rows == ((2, -1),)
    with pytest.raises(InputError) as caught:
        textbook.examples([[0.7]], [1], number=int)
    assert caught.value.got == 0.7 and "whole numbers" in caught.value.wanted


def test_a_bias_of_zero_could_never_move():
    with pytest.raises(InputError) as caught:
        textbook.examples(X, [1, -1], bias_feature=0)
    assert (caught.value.parameter, caught.value.got) == ("bias_feature", 0)


def test_starting_weights():
    ex = textbook.examples(X, [1, -1])
    assert ex.start(None) == (0, 0, 0) and ex.start(None, classes=2) == (0,) * 6
    assert ex.start([0.5, 1, 2]) == (Fraction(1, 2), 1, 2)
    with pytest.raises(InputError) as caught:
        ex.start([1])
    assert (caught.value.parameter, str(caught.value.got)) == ("w", "1 starting weights")


def test_weights_of_examples_are_in_the_same_numbers():
    ex = textbook.examples(X, [1, -1], sample_weight=[0.1, 2])
    assert ex.weights == (Fraction(1, 10), 2)
    assert textbook.examples(X, [1, -1]).weights == (1, 1)


@pytest.mark.parametrize(("x", "sign"), [(-0.5, -1), (0, 0), (Fraction(1, 9), 1)])
def test_the_sign_of_zero_is_neither_class(x, sign):
    assert sign_of(x) == sign
