"""Classes as they are typed."""

import pytest

from hardlimit.classifiers.fitting.streamed.labels import Spelled
from hardlimit.exceptions import InputError


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
