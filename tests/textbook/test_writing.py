"""Numbers in cells, in JSON and in CSV."""

from fractions import Fraction

import pytest

from hardlimit.textbook.writing import (
    approximate,
    format_exactly,
    format_number,
    format_short,
    format_shorter,
    to_plain_json,
)

HUGE = Fraction(10**400)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (-0.0, "0"),
        (Fraction(-3), "-3"),
        (Fraction(22, 7), "22/7"),
        (0.1 + 0.2, "0.3"),
        (1e-9, "1e-09"),
        (Fraction(123456789, 1000), "~123457"),
        (HUGE, "~inf"),
        (-HUGE, "~-inf"),
    ],
)
def test_a_number_as_on_the_blackboard(value, text):
    assert format_number(value) == text


def test_cells_are_shorter_and_narrow_cells_shorter_still():
    value = Fraction(16349, 19683)  # eleven characters
    assert format_short(value) == "16349/19683"
    assert format_shorter(value) == "~0.8306"
    assert format_short(2 / 3) == format_shorter(2 / 3) == "0.6667"


@pytest.mark.parametrize("value", [0.1, 1 / 3, 1e300, 5e-324, Fraction(1, 3), 12])
def test_exact_cells_read_back(value):
    text = format_exactly(value)
    assert (float(text) if isinstance(value, float) else Fraction(text)) == value


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (Fraction(4, 2), 2),
        (Fraction(1, 2), "1/2"),
        (0.5, 0.5),
        (float("inf"), None),
        (float("nan"), None),
        ((Fraction(1, 3), [1, (2,)]), ["1/3", [1, [2]]]),
        ("text", "text"),
        (True, True),
    ],
)
def test_json(value, plain):
    assert to_plain_json(value) == plain


def test_fractions_beyond_floats_are_infinite():
    assert (approximate(HUGE), approximate(-HUGE), approximate(Fraction(1, 4))) == (
        float("inf"),
        float("-inf"),
        0.25,
    )
