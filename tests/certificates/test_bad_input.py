from fractions import Fraction

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from hardlimit import certify
from hardlimit.certificates import NotSeparable
from hardlimit.exceptions import InputError, KindError

X = [[0.0, 1.0], [1.0, 0.0], [2.0, 1.0]]
Y = [0, 1, 1]


@pytest.mark.parametrize(
    ("X", "y", "options", "said"),
    [
        ([[0.0, np.nan], [1, 1]], [0, 1], {}, "row 0, column 1: certify: got NaN, wanted"),
        ([[0.0, 1], [np.inf, 1]], [0, 1], {}, "row 1, column 0: certify: got an infinite value"),
        (csr_matrix([[0.0, np.nan], [1, 1]]), [0, 1], {}, "row 0, column 1: certify: got NaN"),
        (X, [0, 0, 0], {}, "got one class, 0, wanted rows of two classes"),
        (np.empty((0, 2)), [], {}, "got no rows"),
        (np.empty((2, 0)), [0, 1], {}, "no columns"),
        (X, [0, 1], {}, "X has 3 rows, y has 2 labels"),
        (
            X,
            [0, 1, 2],
            {},
            "3 classes, wanted two; name the one to test against the rest: positive=2",
        ),
        (X, Y, {"positive": 7}, "positive=7, wanted one of the classes 0, 1"),
        (X, [0, None, 1], {}, "row 1 has no label"),
        (X, [0, float("nan"), 1], {}, "row 1 has no label"),
        (X, np.zeros((3, 2)), {}, "wanted one label a row"),
        (np.zeros((2, 2, 2)), [0, 1], {}, "wanted (n_rows, n_columns)"),
        (X, Y, {"seconds": 0}, "seconds=0, wanted a number above 0"),
        (X, Y, {"seconds": "ten"}, "seconds='ten'"),
        (X, Y, {"gap": -1}, "gap=-1"),
        (X, Y, {"bias_feature": 0}, "bias_feature=0"),
        (X, Y, {"bias_feature": float("inf")}, "bias_feature=inf"),
        (X, Y, {"finders": []}, "wanted one or more"),
        (X, Y, {"finders": ["magic"]}, "finder: got 'magic', wanted one of"),
        ([[Fraction(1, 3)], [1, 2]], [0, 1], {}, "row 1 is not a list of 1 number"),
    ],
)
def test_it_is_refused_with_a_sentence(X, y, options, said):
    with pytest.raises(InputError) as caught:
        certify(X, y, **options)
    assert said in str(caught.value)


def test_labels_that_are_none():
    for y in ("abc", 5, [[1], [2], [3]]):
        with pytest.raises(KindError, match="y: "):
            certify(X, y)


def test_a_zero_row_through_the_origin_is_named():
    verdict = certify([[1.0, 2], [0, 0], [3, 4]], Y, fit_intercept=False)
    assert isinstance(verdict, NotSeparable)
    assert (verdict.multipliers, verdict.conflict, verdict.suspects) == ({1: 1}, [1], [1])
    assert "row 1 is 0 throughout" in str(verdict)
    assert certify([[1.0, 2], [0, 0], [3, 4]], [1, 0, 1]), "with a bias it is a row as any other"


@pytest.mark.parametrize("make", [list, np.array, csr_matrix])
def test_the_same_features_with_both_labels_are_the_conflict(make):
    rows = [[0.5, 1.0], [1.0, -0.0], [2.0, 1.0], [1.0, 0.0], [0.5, 1.0]]
    verdict = certify(make(rows), ["a", "b", "b", "a", "a"])
    assert verdict.multipliers == {1: 1, 3: 1}
    verdict.check(make(rows), ["a", "b", "b", "a", "a"])


def test_fractions_that_share_a_float_do_not_contradict_each_other():
    third = Fraction(1, 3)
    assert certify([[third], [Fraction(float(third))]], [0, 1], seconds=60)


def test_equal_numbers_beyond_the_floats_do():
    verdict = certify([[2**60 + 1], [2**60 + 1]], [0, 1])
    assert verdict.conflict == [0, 1]
    assert certify([[2**60 + 1], [2**60]], [0, 1], seconds=60), "a float does not tell these apart"


def test_arrays_of_a_caller_stay_as_they_are():
    rows = np.array(X)
    rows.flags.writeable = False
    certify(rows, Y)
    sparse = csr_matrix(rows)
    certify(sparse, Y)
    assert (sparse.toarray() == rows).all()
