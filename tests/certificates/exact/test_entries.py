"""Entries: dense, sparse and exact numbers are the same rows, signed and widened alike."""

from fractions import Fraction

import numpy as np
import pytest

from hardlimit.certificates.exact.entries import Entries, fill_dense

DENSE = np.array([[1.5, 0.0, -2.0], [0.0, 0.0, 0.0], [0.0, 3.0, 0.25]])
CSR = (np.array([1.5, -2.0, 3.0, 0.25]), np.array([0, 2, 1, 2]), np.array([0, 2, 2, 4]))
EXACT = [Fraction(3, 2), -2, 3, Fraction(1, 4)]
TARGET = np.array([1.0, -1.0, -1.0])


def entries(kind):
    return {
        "dense": Entries((3, 3), dense=DENSE),
        "csr": Entries((3, 3), csr=CSR),
        "exact": Entries((3, 3), fill_dense((3, 3), CSR), CSR, EXACT),
    }[kind]


KINDS = pytest.mark.parametrize("kind", ["dense", "csr", "exact"])


def full(made):
    return fill_dense(made.shape, (made.values, made.indices, made.indptr))


def test_dense_values_are_listed_row_by_row_without_zeros():
    made = entries("dense")
    for found, wanted in zip((made.values, made.indices, made.indptr), CSR, strict=True):
        assert found.tolist() == wanted.tolist()


def test_an_empty_row_at_either_end_has_its_place():
    made = Entries((3, 2), dense=np.array([[0.0, 0.0], [0.0, 7.0], [0.0, 0.0]]))
    assert made.indptr.tolist() == [0, 0, 1, 1]


@KINDS
def test_filling_is_the_way_back(kind):
    assert full(entries(kind)).tolist() == DENSE.tolist()


@KINDS
def test_signs_and_the_bias(kind):
    signed = entries(kind).signed(TARGET, 2.0)
    wanted = np.hstack([DENSE, np.full((3, 1), 2.0)]) * TARGET[:, None]
    assert signed.shape == (3, 4)
    assert full(signed).tolist() == wanted.tolist()
    assert (signed.dense is None) == (kind == "csr")
    if signed.dense is not None:
        assert signed.dense.tolist() == wanted.tolist()


@KINDS
def test_without_a_bias_no_column_comes(kind):
    signed = entries(kind).signed(TARGET, None)
    assert signed.shape == (3, 3)
    assert full(signed).tolist() == (DENSE * TARGET[:, None]).tolist()


def test_exact_values_keep_their_place_beside_the_floats():
    signed = entries("exact").signed(TARGET, 0.1)
    bias = Fraction(0.1)  # the float that it is, not one tenth
    assert signed.exact == [Fraction(3, 2), -2, bias, -bias, -3, Fraction(-1, 4), -bias]
    assert [float(v) for v in signed.exact] == signed.values.tolist()


def test_what_was_given_is_not_changed():
    made, before = entries("exact"), list(EXACT)
    made.signed(-TARGET, 1.0)
    assert made.exact == before and made.values.tolist() == CSR[0].tolist()
