"""Labels as sides: which class is +1, what is refused, and the fields of the errors."""

import numpy as np
import pytest

from hardlimit.certificates.targets import read_sides
from hardlimit.exceptions import InputError, KindError, Setting


@pytest.mark.parametrize(
    ("y", "positive", "negative", "target"),
    [
        (["a", "b", "a"], "b", "a", [-1, 1, -1]),
        ([1, -1], 1, -1, [1, -1]),
        ([True, False], True, False, [1, -1]),
        (np.array(["x", "y"]), "y", "x", [-1, 1]),
        (np.array([0.5, 2.5]), 2.5, 0.5, [-1, 1]),
        ([("a", 1), ("b", 2)], ("b", 2), ("a", 1), [-1, 1]),
    ],
)
def test_the_second_class_in_sorted_order_is_positive(y, positive, negative, target):
    sides = read_sides(y)
    assert (sides.positive, sides.negative) == (positive, negative)
    assert sides.target.tolist() == target
    assert str(sides) == f"{positive} against {negative}"


def test_one_of_many_against_the_rest():
    sides = read_sides(["a", "b", "c", "b"], positive="b")
    assert sides.negative is None and sides.target.tolist() == [-1, 1, -1, 1]
    assert str(sides) == "b against the rest"


def test_of_two_classes_the_first_may_be_positive():
    sides = read_sides(["a", "b"], positive="a")
    assert (sides.negative, sides.target.tolist()) == ("b", [1, -1])


def test_labels_of_numpy_become_pythons():
    sides = read_sides(np.array([3, 4], np.int32))
    assert type(sides.positive) is int


def test_mixed_kinds_are_ordered_by_kind():
    sides = read_sides(["b", 2])  # "int" stands before "str"
    assert (sides.negative, sides.positive) == (2, "b")


@pytest.mark.parametrize(
    ("y", "positive", "fields"),
    [
        (["a"], None, {"wanted": "rows of two classes"}),
        ([], None, {"wanted": "rows of two classes"}),
        (["a", "b"], "c", {"parameter": "positive", "got": "c"}),
        (np.zeros((2, 2)), None, {"wanted": "one label a row"}),
        ([1, None], None, {"fix": "drop such rows first"}),
        ([1, float("nan")], None, {"fix": "drop such rows first"}),
    ],
)
def test_what_is_refused_names_its_fields(y, positive, fields):
    with pytest.raises(InputError) as caught:
        read_sides(y, positive, "check")
    assert caught.value.who.startswith("check")
    assert {name: caught.value.fields[name] for name in fields} == fields


def test_many_classes_without_a_choice_suggest_one():
    with pytest.raises(InputError) as caught:
        read_sides(["a", "b", "c"])
    _, setting = caught.value.fix
    assert isinstance(setting, Setting) and (setting.name, setting.value) == ("positive", "c")


@pytest.mark.parametrize("y", ["ab", b"ab", 7, [[1], [2]], [{}, {}]])
def test_what_are_no_labels_is_of_the_wrong_kind(y):
    with pytest.raises(KindError):
        read_sides(y)
