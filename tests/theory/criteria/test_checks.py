"""What criteria refuse before they compute: through the criteria, with every form of rows."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from hardlimit import criteria
from hardlimit.exceptions import InputError, KindError

ALL = [criteria.get(name) for name in criteria.names()]
ARRAYS = pytest.mark.parametrize("make", [list, np.array, lambda Z: csr_matrix(np.array(Z, float))])


@pytest.mark.parametrize("criterion", ALL, ids=lambda c: type(c).__name__)
@ARRAYS
def test_weights_of_another_length_are_refused(criterion, make):
    with pytest.raises(InputError) as caught:
        criterion.value(make([[1, 2], [3, 4]]), [1, 2, 3])
    assert str(caught.value).startswith("criteria: ") and "3" in str(caught.value)


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("criterion", ALL, ids=lambda c: type(c).__name__)
def test_a_margin_that_is_no_number_is_never_a_right_row(criterion, bad):
    with pytest.raises(InputError, match="finite rows and weights"):
        criterion.value([[1.0, 0.0], [bad, 1.0]], [1.0, 1.0])


@pytest.mark.parametrize("bad", ["1", None, 1j, [1]])
def test_what_is_no_real_number_is_refused_by_its_kind(bad):
    with pytest.raises(KindError, match="real numbers"):
        criteria.PerceptronCriterion().value([[1, bad]], [1, 1])


def test_an_int_that_no_float_holds_may_not_stand_beside_floats():
    huge = 10**400
    with pytest.raises(InputError, match="beside floats"):
        criteria.PerceptronCriterion().value([[huge, 0.5]], [1, 1])
    exact = criteria.PerceptronCriterion().value([[-huge, Fraction(1, 2)]], [1, 1])
    assert exact == huge - Fraction(1, 2)


@pytest.mark.parametrize("zero", [[0, 0], [0.0, -0.0]])
def test_relaxation_has_no_distance_from_a_row_of_zeros(zero):
    relaxation = criteria.RelaxationCriterion(1)
    with pytest.raises(InputError, match="give the rows a bias feature"):
        relaxation.value([[1, 1], zero], [1, 1])
    assert criteria.SquaredCriterion().value([[1, 1], zero], [1, 1]) == 0
