"""Classes as they are typed."""

import warnings

import numpy as np
import pytest

from hardlimit import LinearClassifier, TextClassifier
from hardlimit.classifiers.targets.spelled import Spelled
from hardlimit.exceptions import DataWarning, InputError


@pytest.mark.parametrize(
    ("typed", "head", "read"),
    [
        ("ham,1", ["spam"], ["ham", "1"]),
        ("1,2", [1, 1], [1, 2]),
        ("1,2.5", [1], [1, 2.5]),
        ("1,1.0", [1.0], [1.0, 1.0]),
        ("False,True", [True], [False, True]),
    ],
)
def test_they_are_labels_like_the_first(typed, head, read):
    found = Spelled(typed.split(",")).read(head)
    assert found == read
    assert [*map(type, found)] == [*map(type, read)]


@pytest.mark.parametrize(("typed", "like"), [("ham", 1), ("nan", 1.5), ("1", True)])
def test_others_are_refused(typed, like):
    with pytest.raises(InputError, match="as the labels of the first rows are"):
        Spelled([typed]).read([like])


@pytest.mark.parametrize(("n", "said"), [(3, "wanted at least two"), (11_000, "no particular")])
def test_a_stream_of_one_class_is_told_from_a_sorted_one(n, said):
    texts = TextClassifier(hash_bits=8, idf=None, max_iter=1)
    with pytest.raises(InputError, match=said):
        texts.fit_stream([(["a prize"] * n, ["x"] * n)])
    with pytest.raises(InputError, match=said):
        LinearClassifier(max_iter=1).fit_stream([([[1.0, 2.0]] * n, ["x"] * n)])


def test_a_counted_stream_of_one_class_is_no_sorted_one():
    texts = TextClassifier(hash_bits=8, max_iter=1)
    with pytest.raises(InputError, match="wanted at least two"):
        texts.fit_stream(lambda: iter([(["a prize"] * 11_000, ["x"] * 11_000)]))


def test_a_weight_of_a_class_that_never_came_is_told():
    batches = [(["a prize", "lunch"], [1, 2])]
    clf = TextClassifier(hash_bits=8, idf=None, max_iter=1, class_weight={1: 2, "3": 3, "1": 2})
    with pytest.warns(DataWarning, match="no example had the class '3'; there were 1, 2"):
        clf.fit_stream(batches)


@pytest.mark.parametrize("numbers", [False, True])
@pytest.mark.parametrize(("at", "late"), [(10_000, False), (10_001, True)])
def test_the_first_10_000_rows_say_which_classes_there_are(
    numbers: bool, at: int, late: bool
) -> None:
    """The row of this number, counted from 1, is the first of its class."""
    labels = ["ham", "spam"] * 5200
    labels[at - 1] = "new"
    rows = np.ones((len(labels), 1)) if numbers else ["win"] * len(labels)
    made = {"max_iter": 1, "order": "stream"}
    clf = (
        LinearClassifier(**made)
        if numbers
        else TextClassifier(words=(1, 1), chars=None, idf=None, hash_bits=6, **made)
    )
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        clf.fit_stream([(rows, labels)])
    said = [str(one.message) for one in caught]
    assert any("'new' came first after" in one for one in said) == late, said
    assert sorted(clf.classes_) == ["ham", "new", "spam"]
