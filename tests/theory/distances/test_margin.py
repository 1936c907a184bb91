"""The margin of any weights on a set: below 0 if a row is on the wrong side."""

import numpy as np
import pytest
import scipy.sparse as sp

from hardlimit import LinearClassifier, distances, textbook
from hardlimit.exceptions import InputError, KindError

from ...rounding import roundings

OR = ([[-1, -1], [1, -1], [-1, 1], [1, 1]], [-1, 1, 1, 1])


@pytest.mark.parametrize(
    ("w", "expected"),
    [((1, 1, -1), 1), ((2, 2, -2), 2), ((1, 1, 0), 0), ((3, 1, -1), -1), ((-1, -1, 1), -3)],
)
def test_by_hand_and_in_the_textbook(w, expected):
    """(1, 1, 0) has two rows on its plane, and a margin of 0 separates nothing."""
    assert distances.margin(*OR, w, bias_feature=-1) == expected
    assert textbook.margin(textbook.examples(*OR), w) == expected


def test_of_a_classifier_and_of_sparse_rows():
    clf = LinearClassifier(order="cyclic", readout="last").fit(*OR)
    assert distances.margin(*OR, clf) == 1
    assert (
        distances.margin(sp.csr_matrix(OR[0]), ["a", "b", "b", "b"], [1, 1, 1], bias_feature=1) == 1
    )


def test_no_margin_of_length_one_is_above_that_of_the_set():
    rng = np.random.default_rng(0)
    clf = LinearClassifier(order="cyclic", readout="last").fit(*OR)
    most = clf.bounds_.gamma.most
    for _ in range(50):
        w = rng.normal(size=3)
        found = distances.margin(*OR, w / np.linalg.norm(w), bias_feature=1)
        assert found <= most + roundings(100)


@pytest.mark.parametrize(
    ("y", "w", "error", "said"),
    [
        ([1, 1, 1, 1], [1], InputError, r"w: got shape \(1,\), wanted \(2,\)"),
        ([0, 1, 2, 3], [1, 1], InputError, "wanted labels of two classes"),
        ([0, 1], [1, 1], InputError, "got 2 labels, wanted 4, one a row"),
        (OR[1], ["a", "b"], KindError, "a number for each column"),
    ],
)
def test_what_is_refused(y, w, error, said):
    with pytest.raises(error, match=said):
        distances.margin(OR[0], y, w)


def test_many_classes_have_no_one_margin():
    clf = LinearClassifier().fit(np.eye(3), [0, 1, 2])
    with pytest.raises(InputError, match="wanted one of two"):
        distances.margin(np.eye(3), [-1, 1, 1], clf)
