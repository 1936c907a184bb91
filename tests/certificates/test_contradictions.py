"""Contradictions that need no search: zero rows, and rows that cancel each other exactly."""

from fractions import Fraction

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from hardlimit import certify
from hardlimit.certificates import SignedRows
from hardlimit.certificates.checking import check_zero_sum
from hardlimit.certificates.exact.reading import read_entries
from hardlimit.certificates.signed_rows import find_contradiction


def rows_of(X, target, bias=1.0):
    return SignedRows(read_entries(X), np.array(target), bias)


def test_the_same_row_with_both_labels():
    rows = rows_of([[1.0, 2], [3, 4], [1, 2]], [1, -1, -1])
    found = find_contradiction(rows)
    assert found == {0: 1, 2: 1}
    check_zero_sum(rows, found)


def test_a_row_and_its_negative_through_the_origin():
    X = [[1.0, -2], [-1, 2]]
    assert find_contradiction(rows_of(X, [1, 1], None)) == {0: 1, 1: 1}
    assert find_contradiction(rows_of(X, [1, 1], 1.0)) == {}  # the bias tells them apart


def test_a_zero_row_through_the_origin():
    assert find_contradiction(rows_of([[1.0], [0.0]], [1, 1], None)) == {1: 1}
    assert find_contradiction(rows_of([[1.0], [0.0]], [1, 1], 1.0)) == {}


def test_the_same_label_twice_is_none():
    assert find_contradiction(rows_of([[1.0], [1.0]], [1, 1])) == {}


@pytest.mark.parametrize("make", [np.array, csr_matrix])
def test_dense_and_sparse_alike(make):
    X = make([[0.0, 5], [2, 0], [0, 5]])
    assert find_contradiction(rows_of(X, [1, 1, -1])) == {0: 1, 2: 1}


def test_fractions_that_share_their_nearest_float_are_no_contradiction():
    third, near = Fraction(1, 3), Fraction(1 / 3)
    assert third != near and float(third) == float(near)
    assert find_contradiction(rows_of([[third], [near]], [1, -1])) == {}
    assert find_contradiction(rows_of([[third], [third]], [1, -1])) == {0: 1, 1: 1}


def test_certify_says_who_found_it():
    verdict = certify([[1.0], [1.0], [2.0]], [0, 1, 1])
    assert verdict.found_by == "looking for contradictions"
    assert verdict.conflict == [0, 1] and verdict.by == "zero sum"
