"""Rows in other units: what a search sees, and that the way back is the way there."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from hardlimit.certificates import SignedRows
from hardlimit.certificates.exact.reading import read_entries
from hardlimit.certificates.finders.searches import NewsFilter
from hardlimit.certificates.finders.views import View, floor_power_of_two
from hardlimit.certificates.finders.whole_rows import count_binary_places, to_whole_rows

from ...rounding import near

RNG = np.random.default_rng(11)
X = RNG.normal(size=(7, 4)) * 10.0 ** RNG.integers(-3, 4, (7, 1))
X[:, 2] *= 1e6
TARGET = np.where(np.arange(7) % 2, 1.0, -1.0)


def rows_of(X, sparse=False, target=TARGET):
    return SignedRows(read_entries(csr_array(X) if sparse else X), target[: len(X)], None)


def dense(view):
    if isinstance(view.matrix, tuple):
        values, columns, starts = view.matrix
        matrix = np.zeros((view.n_rows, view.n_columns))
        matrix[np.repeat(np.arange(view.n_rows), np.diff(starts)), columns] = values
        return matrix
    return view.matrix


@pytest.mark.parametrize("sparse", [False, True])
def test_unit_rows(sparse):
    view = View(rows_of(X, sparse), unit=True)
    assert np.linalg.norm(dense(view), axis=1) == near(1, 20)
    assert dense(view) * view.row_units[:, None] == near(X * TARGET[:, None], 20)


@pytest.mark.parametrize("sparse", [False, True])
def test_one_unit_for_all_rows_is_a_power_of_two(sparse):
    view = View(rows_of(X, sparse), unit=False)
    assert len(set(view.row_units.tolist())) == 1
    assert np.log2(view.row_units[0]).is_integer()
    assert 1 <= np.abs(dense(view)).max() < 2


def test_even_columns_come_to_about_one():
    view = View(rows_of(X), unit=False, even=True)
    assert (np.frexp(view.column_units)[0] == 0.5).all()  # powers of two
    spread = np.abs(dense(view)).max(0) * view.row_units[0]
    assert ((1 <= spread) & (spread < 2)).all()


@pytest.mark.parametrize(
    "settings", [{"unit": True}, {"unit": False}, {"unit": True, "even": True}]
)
def test_directions_and_multipliers_find_their_way_back(settings):
    """z.w keeps its sign, and a sum that is zero stays zero."""
    rows = rows_of(X)
    view = View(rows, **settings)
    w = RNG.normal(size=4)
    there, back = dense(view) @ w, rows.dot(view.direction(w).w)
    assert (np.sign(there) == np.sign(back)).all()
    p = np.abs(RNG.normal(size=7))
    weighting = view.weighting(p)
    summed = weighting.value @ (X * TARGET[:, None])[weighting.index]
    expected = (p @ dense(view)) * view.column_units
    assert summed / np.linalg.norm(summed) == near(expected / np.linalg.norm(expected), 100)


def test_a_zero_row_is_a_proof_by_itself():
    view = View(rows_of(np.array([[1.0, 2], [0, 0]])), unit=True)
    found = view.zero_row()
    assert (found.index, found.value) == ([1], [1])
    assert View(rows_of(X), unit=True).zero_row() is None


def test_multipliers_too_small_to_tell_are_dropped():
    view = View(rows_of(X), unit=False)
    assert view.weighting(np.array([1.0, 1e-20, 0, 0, 0, 0, 0])).index.tolist() == [0]
    assert view.weighting(np.zeros(7)) is None


def test_powers_of_two():
    assert floor_power_of_two(np.array([1.0, 3.9, 4.0, 0.3, 0.0])).tolist() == [1, 2, 4, 0.25, 1]


def test_binary_places():
    assert count_binary_places(np.array([1.0, 0.5, 0.75, 6.0, -0.125])).tolist() == [0, 1, 2, 0, 3]


def test_rows_as_integers():
    whole = to_whole_rows(rows_of(np.array([[0.5, 3.0], [0.75, -1.0]]), target=np.ones(2)))
    values, columns, starts = whole.csr
    assert (values.tolist(), whole.shifts) == ([2, 3, 3, -1], [2, 0])
    assert columns.tolist() == [0, 1, 0, 1] and starts.tolist() == [0, 2, 4]


@pytest.mark.parametrize("value", [0.1, 2.0**31, 2.0**-41])
def test_rows_too_fine_or_too_large_for_integers(value):
    assert to_whole_rows(rows_of(np.array([[value]]), target=np.ones(1))) is None


def test_a_finding_is_news_when_its_end_is_twice_as_good():
    news = NewsFilter()
    assert news.choose(-1.0, np.inf, done=False) == (False, False)
    assert news.choose(0.1, np.inf, done=False) == (True, False)
    assert news.choose(0.15, np.inf, done=False) == (False, False)
    assert news.choose(0.21, np.inf, done=False) == (True, False)
    assert news.choose(0.21, 1.0, done=False) == (False, True)
    assert news.choose(0.21, 0.9, done=False) == (False, False)
    assert news.choose(0.21, 0.9, done=True) == (False, True), "the last word is always said"
    assert news.choose(0.21, 0.9, done=True) == (False, False), "but once"


def test_a_finding_is_news_when_the_bracket_is_half_as_wide():
    news = NewsFilter()
    assert news.choose(0.8, 1.0, done=False) == (True, True)
    assert news.choose(0.85, 1.0, done=False) == (False, False)
    assert news.choose(0.91, 1.0, done=False) == (True, False)


def test_two_ends_that_each_come_half_of_the_way_are_news():
    """Neither alone halves the bracket, however long the search goes on."""
    news = NewsFilter()
    assert news.choose(0.8, 1.0, done=False) == (True, True)
    assert news.choose(0.89, 0.92, done=False) == (True, True)


def test_news_leave_the_bracket_of_a_search_at_most_twice_as_wide():
    news, said = NewsFilter(), 0
    for k in range(2000):
        lower, upper = 1 - 0.99**k, 1 + 0.99**k
        said += sum(news.choose(lower, upper, done=False))
        if news.lower > 0 and k > 1:
            assert 1 - news.lower / news.upper <= 2 * (1 - lower / upper)
    assert said < 100
