"""Fields of a proof file: numbers come back, everything else is refused with its name."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardlimit.certificates import proof_fields as fields
from hardlimit.exceptions import InputError, ProofError

FLOATS = st.floats(allow_nan=False, allow_infinity=False)
LABELS = st.booleans() | st.text() | FLOATS | st.integers(-(10**17), 10**17)


@given(FLOATS | st.integers())
def test_numbers_come_back(value):
    again = fields.read_number(fields.write_number(value), "x")
    assert again == value and type(again) is type(value)
    assert math.copysign(1, again) == math.copysign(1, value)


@given(LABELS)
def test_labels_come_back(label):
    plain = json.loads(json.dumps(fields.write_label(label)))
    again = fields.read_label(plain, "label")
    assert again == label and type(again) is type(label)


@given(st.lists(st.fractions() | st.integers(), min_size=1))
def test_ratios_are_written_as_integers(values):
    whole = [fields.read_number(text, "x") for text in fields.write_ratios(values)]
    assert all(isinstance(number, int) for number in whole)
    for value, number in zip(values, whole, strict=True):
        for other, its in zip(values, whole, strict=True):
            assert value * its == other * number


def test_floats_alone_stay_floats():
    assert fields.write_ratios([0.5, 1.0]) == [(0.5).hex(), (1.0).hex()]


@pytest.mark.parametrize("label", [10**18, (1, 2), object()])
def test_labels_that_json_has_not(label):
    with pytest.raises(InputError) as caught:
        fields.write_label(label)
    assert (caught.value.who, caught.value.got) == ("save", label)


@pytest.mark.parametrize(
    "text",
    ["", "1.5", "nan", "inf", "1e3", " 1", "1 ", "+1", "0x", "--1", "0x1.8", "9" * 19, "0x1.8P+0"],
)
def test_numbers_have_one_form(text):
    with pytest.raises(ProofError) as caught:
        fields.read_number(text, "weights")
    assert caught.value.parameter == "weights" and "wanted a number" in str(caught.value)


@pytest.mark.parametrize(
    ("read", "given", "wanted"),
    [
        (fields.read_float, "-30", "a float such as '0x1.8p+0'"),
        (fields.read_list, {}, "a list"),
        (fields.read_string, 7, "a string"),
        (fields.read_count, 0, "a whole number, 1 or more"),
        (fields.read_count, True, "a whole number, 1 or more"),
        (fields.read_count, "3", "a whole number, 1 or more"),
        (fields.read_label, [1], "a label"),
        (fields.read_label, None, "a label"),
    ],
)
def test_what_is_wanted_is_said(read, given, wanted):
    with pytest.raises(ProofError) as caught:
        read(given, "the field")
    assert (caught.value.parameter, caught.value.wanted) == ("the field", wanted)


def test_an_object_has_its_members_and_no_others():
    assert fields.read_object({"a": 1}, "o", {"a"}) == {"a": 1}
    for value, words in (
        ({}, "'a' is missing"),
        ({"a": 1, "b": 2}, "'b' is not one of its members"),
    ):
        with pytest.raises(ProofError, match=f"o: {words}"):
            fields.read_object(value, "o", {"a"})


@pytest.mark.parametrize("rows", [[0, 0], [3], [-1], [True], ["0"]])
def test_suspects_are_distinct_rows(rows):
    assert fields.read_row_numbers([2, 0], 3) == [2, 0]
    with pytest.raises(ProofError) as caught:
        fields.read_row_numbers(rows, 3)
    assert caught.value.parameter == "suspects"


@pytest.mark.parametrize("given", [{}, [], {"3": "1"}, {"01": "1"}, {"1": "0"}, {"1": "-1"}])
def test_multipliers_are_positive_and_of_rows_that_there_are(given):
    assert fields.read_multipliers({"2": "5", "0": "0x1.0p+0"}, 3) == {2: 5, 0: 1.0}
    with pytest.raises(ProofError):
        fields.read_multipliers(given, 3)


def test_a_name_that_stands_twice_is_found_in_linear_time():
    """Counting every name would take minutes on such a file."""
    names = [*(f"n{i}" for i in range(60_000)), "n7"]
    content = "{" + ",".join(f'"{name}":0' for name in names) + "}"
    with pytest.raises(ProofError, match="'n7' occurs twice"):
        fields.parse_json(content.encode())


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"{", "not JSON"),
        (b"\xff", "not UTF-8"),
        (b"[1.5]", "written as strings"),
        (b"[NaN]", "NaN"),
        (b"[1" + b"0" * 30 + b"]", "31 digits"),
    ],
)
def test_json_that_is_refused(content, words):
    with pytest.raises(ProofError, match=words):
        fields.parse_json(content)


def test_long_values_are_cut():
    assert len(fields.abbreviate_json("x" * 500)) == 60
    assert fields.abbreviate_json({"a": [1]}) == '{"a": [1]}'
