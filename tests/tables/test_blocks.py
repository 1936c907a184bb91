"""The rows of numbers and of categories, against twins in numpy, bit for bit."""

import numpy as np
import pytest

from hardlimit import _native
from hardlimit.tables.categories import CategoryBlock
from hardlimit.tables.numbers import NumberBlock


def cells(rows):
    """Return the (column, bits) of each row."""
    indptr, indices, data = rows.take()
    pairs = list(zip(indices.tolist(), data.view(np.uint32).tolist(), strict=True))
    return [pairs[a:b] for a, b in zip(indptr[:-1], indptr[1:], strict=True)]


def bits(number):
    return int(np.float64(number).astype(np.float32).view(np.uint32))


@pytest.mark.parametrize("gone", [False, True])
@pytest.mark.parametrize("n", [1, 200])
def test_numbers_are_standardised_in_double_and_rounded_once(n, gone):
    draw = np.random.default_rng(n)
    numbers = draw.normal(3, 1e3, n) * 10.0 ** draw.integers(-9, 9, n)
    block = NumberBlock("age", frozenset(), "mean")
    block.learn(np.append(numbers, np.nan) if gone else numbers)
    numbers[::3] = np.nan
    scaled = (numbers - block.mean) / block.deviation
    missing = [(1, bits(1))] if gone else []
    expected = [missing if value != value else [(0, bits(value))] for value in scaled]
    found = block.compiled_rows(block.read(numbers.tolist(), str))
    assert found.n_columns == block.n_columns_ == 1 + gone
    assert cells(found) == expected


def test_a_category_is_1_in_its_column_and_what_is_not_known_is_counted():
    block = CategoryBlock("city", frozenset(), "mean")
    block.fit_compiled_rows(block.read(["Ghent", None, "Bruges"], str))
    asked = ["Bruges", "Ostend", None, "Ghent", "Ostend"]
    found = block.compiled_rows(block.read(asked, str))
    one = bits(1)
    assert cells(found) == [[(2, one)], [], [(1, one)], [(0, one)], []]
    assert found.n_columns == 3 and block.unknown == {"Ostend": 2}
    block.compiled_rows(["Ghent"])
    assert not block.unknown
    assert block.names([1, 2]) == ["city missing", "city = Bruges"]
    block.learn_compiled_rows(["Ostend"])
    assert block.names([3]) == ["city = Ostend"]


def test_numbers_beyond_are_found_nan_and_infinity_among_them():
    numbers = np.array([1, -1e150, np.nan, np.inf, 9.99e149, -np.inf])
    assert _native.find_beyond(numbers, 1e150) == [1, 2, 3, 5]
    with pytest.raises(IndexError, match="a column that there is not"):
        _native.indicate([0, 2], 2)
