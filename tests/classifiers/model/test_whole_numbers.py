"""Arrays of whole numbers are read as their lists would be."""

import numpy as np
import pytest

from hardlimit import LinearClassifier
from hardlimit.classifiers.model.whole_numbers import WholeNumbers
from hardlimit.exceptions import InputError

EXTREMES = np.array([-(2**63), 2**63 - 1, -(2**63)])


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int64", "uint32", "bool", ">i4"])
def test_an_array_of_whole_numbers_is_read_as_its_list(dtype):
    low = 0 if dtype.startswith("u") else -120
    y = (np.random.default_rng(0).integers(0, 7, 300) * 40 + low).astype(dtype)
    found = WholeNumbers.read(y, len(y))
    assert found.classes == sorted(set(y.tolist()))
    assert list(map(type, found.classes)) == [type(y.tolist()[0])] * len(found.classes)
    assert found.codes.dtype == np.int32
    assert found.to_list() == y.tolist()


OTHERS = [
    [1, 2],
    np.array([1.0, 2.0]),
    np.array(["a", "b"]),
    np.array([[1], [2]]),
    np.array([3]),
    np.array([0, 1000]),
    np.array([1, 2], np.uint64),
    np.ma.array([1, 2], mask=[0, 1]),
    EXTREMES,
]


@pytest.mark.parametrize("labels", OTHERS)
def test_other_labels_are_read_one_by_one(labels):
    assert WholeNumbers.read(labels, len(labels)) is None


@pytest.mark.parametrize("weights", [None, [1, 2, 1, 0, 1, 0, 1]])
def test_an_array_of_labels_gives_the_fit_of_its_list(weights):
    X, y = np.random.default_rng(1).standard_normal((7, 3)), np.array([5, 3, 5, 9, 3, 9, 5])
    fits = [
        LinearClassifier("passive-aggressive", until=None, max_iter=3).fit(X, one, weights)
        for one in (y, y.tolist())
    ]
    assert [clf.classes_.tolist() for clf in fits] == [[3, 5, 9] if weights is None else [3, 5]] * 2
    assert fits[0].coef_.tolist() == fits[1].coef_.tolist()


def test_one_class_and_a_wrong_length_are_refused_as_ever():
    with pytest.raises(InputError, match="1 class"):
        LinearClassifier().fit([[1.0], [2.0]], np.array([4, 4]))
    with pytest.raises(InputError, match="wanted 2"):
        LinearClassifier().fit([[1.0], [2.0]], np.array([4, 5, 4]))
