"""Bounds of what floats lose: tests compare by these, and none of them was found by trying.

A float operation is off by at most UNIT of its result. Results of n roundings in a row are off by
at most ``roundings(n) = n u / (1 - n u)`` of the sum of the sizes of their terms, in whatever order
a processor adds them: N. J. Higham, Accuracy and Stability of Numerical Algorithms (2002), lemma
3.1 and section 4.2. Count the roundings generously: a bound that is ten times too wide still finds
every mistake that is not itself a rounding.
"""

import math

import numpy as np
import pytest
from scipy import stats

UNIT = 2.0**-53  # half the distance of 1 from the next float64
SINGLE = 2.0**-24  # the same of float32


def roundings(count, unit=UNIT):
    """The relative error of so many roundings in a row: gamma_n of the book.

    >>> roundings(1) == UNIT / (1 - UNIT), roundings(10) > 10 * UNIT
    (True, True)
    """
    return count * unit / (1 - count * unit)


def dot_bound(a, b, before=0, unit=UNIT):
    """How far a float product of vectors or matrices is from the true one.

    ``before`` counts the roundings that the factors have behind them.

    >>> float(dot_bound([3.0, 4.0], [1.0, -1.0])) == roundings(2) * 7
    True
    """
    a, b = np.abs(np.asarray(a, float)), np.abs(np.asarray(b, float))
    return roundings(a.shape[-1] + before, unit) * (a @ b)


def near(expected, count, size=None, unit=UNIT):
    """What equals ``expected`` but for ``count`` roundings in a row, of both sides together.

    ``size`` is the largest sum of the sizes of the terms of an entry. Without it that is the
    largest entry: right for products, quotients, roots and sums that do not cancel.

    >>> 0.1 + 0.2 == near(0.3, 2), 0.1 + 0.2 == near(0.3, 0)
    (True, False)
    """
    if isinstance(expected, list):  # of lists, too
        expected = np.asarray(expected, float)
    if size is None:
        size = _largest(expected)
    error = roundings(count, unit)
    return pytest.approx(expected, rel=error, abs=error * float(np.max(np.abs(size))))


def printed(expected, digits):
    """What was printed of ``expected`` with so many digits after the point.

    >>> 0.67 == printed(2 / 3, 2), 0.66 == printed(2 / 3, 2)
    (True, False)
    """
    half = 0.5 * 10.0**-digits
    return pytest.approx(expected, rel=roundings(4), abs=half + roundings(4))


def within(expected, distance):
    """What a search found of ``expected`` that ends within such a distance: the search's promise.

    >>> 1.001 == within(1.0, 0.01)
    True
    """
    return pytest.approx(expected, rel=0, abs=distance)


def normal_spread(deviation, chance=1e-9):
    """How far a normal value of such a deviation may be from its mean, but with such a chance.

    >>> round(normal_spread(1.0), 2)
    6.11
    """
    return deviation * float(stats.norm.isf(chance / 2))


def slope_spread(scores, slope, chance=1e-9):
    """How far a fitted slope may be from the true one, but with such a chance.

    Scores f have the class 1 with probability 1 / (1 + exp(-slope f)). The variance of the slope of
    largest likelihood is the inverse of Fisher's information, the sum of f^2 p (1 - p).

    >>> round(slope_spread(np.linspace(-3, 3, 1000), 1.0), 2)
    0.37
    """
    p = 1 / (1 + np.exp(-slope * np.asarray(scores)))
    return normal_spread(1 / math.sqrt(float((np.square(scores) * p * (1 - p)).sum())), chance)


def _largest(expected):
    values = expected.values() if isinstance(expected, dict) else expected
    sizes = np.abs(np.asarray(list(values) if isinstance(expected, dict) else values, float))
    sizes = sizes[np.isfinite(sizes)]
    return float(sizes.max()) if sizes.size else 0.0
