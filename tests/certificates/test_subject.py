"""What a proof speaks of: other rows, labels or shapes are other data, and it says in what."""

import re

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from hardlimit.certificates.subject import Subject, read_rows
from hardlimit.certificates.targets import read_sides
from hardlimit.exceptions import InputError, ProofError

X = np.array([[1.0, 2.0], [0.0, 3.0], [4.0, 0.5]])
Y = ["ham", "spam", "ham"]


def subject_of(X, y, bias=1.0, positive=None):
    sides = read_sides(y, positive)
    return Subject.of(read_rows(X, sides, bias), sides)


def test_the_shape_is_that_of_the_rows_without_the_bias():
    subject = subject_of(X, Y)
    assert (subject.n_rows, subject.n_features, subject.bias) == (3, 2, 1.0)
    assert (subject.positive, subject.negative) == ("spam", "ham")
    assert subject_of(X, Y, bias=None).n_features == 2


@pytest.mark.parametrize("make", [np.array, csr_matrix, lambda X: X.tolist()])
def test_one_digest_however_the_rows_are_given(make):
    assert subject_of(make(X), Y).digest == subject_of(X, Y).digest


def test_the_rows_are_given_back_signed():
    rows = subject_of(X, Y).rows_of(X, Y)
    assert rows.dot(np.array([1.0, 1.0, 1.0])).tolist() == [-4.0, 4.0, -5.5]


@pytest.mark.parametrize(
    ("X", "y"),
    [
        (X + 1e-16, Y),
        (X + np.array([[0, 0], [2.0**-40, 0], [0, 0]]), Y),
        (X[::-1], Y),
        (X, ["spam", "ham", "spam"]),
    ],
)
def test_numbers_or_labels_of_the_same_shape_are_told_by_the_digest(X, y):
    subject = subject_of([[1.0, 2.0], [0.0, 3.0], [4.0, 0.5]], Y)
    with pytest.raises(ProofError) as caught:
        subject.rows_of(X, y)
    message = str(caught.value)
    assert "the shape is the same, the numbers or labels are not" in message
    theirs, ours = re.findall(r"sha256:[0-9a-f]{12}", message)
    assert theirs != ours == subject.digest[:19]


@pytest.mark.parametrize("bias", [None, 1.0])
def test_another_shape_is_said_in_rows_and_columns(bias):
    subject = subject_of(X, Y, bias)
    with pytest.raises(ProofError, match="3 rows of 2 columns, these are 2 rows of 2"):
        subject.rows_of(X[:2], Y[:2])
    with pytest.raises(ProofError, match="3 rows of 2 columns, these are 3 rows of 1"):
        subject.rows_of(X[:, :1], Y)


def test_data_that_cannot_be_read_are_no_data_of_the_proof():
    subject = subject_of(X, Y)
    with pytest.raises(ProofError) as caught:
        subject.rows_of([[np.nan, 0.0], [0.0, 0.0], [0.0, 1.0]], Y)
    assert str(caught.value).startswith("proof: not of these data: ")
    with pytest.raises(ProofError, match="not of these data.*spam"):
        subject.rows_of(X, ["ham", "eggs", "ham"])


def test_the_bias_belongs_to_the_data():
    with_bias, other = subject_of(X, Y), subject_of(X, Y, bias=2.0)
    assert len({with_bias.digest, other.digest, subject_of(X, Y, bias=None).digest}) == 3


def test_one_class_against_the_rest_reads():
    assert str(subject_of(X, Y)) == "spam against ham"
    assert str(subject_of(X, ["a", "b", "c"], positive="c")) == "c against the rest"


def test_rows_and_labels_must_be_as_many_and_have_a_column():
    with pytest.raises(InputError, match="X has 3 rows, y has 2 labels"):
        read_rows(X, read_sides(["ham", "spam"]), 1.0)
    with pytest.raises(InputError) as caught:
        read_rows(np.empty((2, 0)), read_sides(["ham", "spam"]), 1.0, "check")
    assert (caught.value.who, caught.value.wanted) == ("check", "one or more")
