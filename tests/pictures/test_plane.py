"""Lines, half-planes and windows, against brute force and with numbers that hurt."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardlimit.exceptions import InputError
from hardlimit.pictures import _plane, _scatter

UNIT = _plane.Box(0, 1, 0, 1)
numbers = st.floats(-1e6, 1e6).map(lambda v: round(v, 3))


@given(numbers, numbers, numbers)
def test_the_ends_lie_on_the_line_and_on_the_edge(a, b, c):
    ends = _plane.across(UNIT, a, b, c)
    corners = [a * x + b * y + c for x in (0, 1) for y in (0, 1)]
    if ends is None:
        assert (a == b == 0) or not min(corners) < 0 < max(corners)
        return
    for x, y in ends:
        assert -1e-9 <= x <= 1 + 1e-9 and -1e-9 <= y <= 1 + 1e-9
        assert min(abs(x), abs(x - 1), abs(y), abs(y - 1)) < 1e-9
        assert abs(a * x + b * y + c) <= 1e-9 * (abs(a) + abs(b) + abs(c))


@given(numbers, numbers, numbers)
def test_a_half_plane_has_the_corners_that_are_above(a, b, c):
    found = _plane.half_plane(UNIT, a, b, c)
    above = [[x, y] for x in (0, 1) for y in (0, 1) if a * x + b * y + c > 0]
    assert [corner for corner in above if corner not in found] == []
    if (a, b, c) != (0, 0, 0):
        other = _plane.half_plane(UNIT, -a, -b, -c)
        assert math.isclose(area(found) + area(other), 1, abs_tol=1e-6)


def area(corners):
    """Gauss's shoelace."""
    pairs = zip(corners, corners[1:] + corners[:1], strict=True)
    return abs(sum(p[0] * q[1] - q[0] * p[1] for p, q in pairs)) / 2


@pytest.mark.parametrize(
    "points",
    [
        [(0.0, 0.0)],
        [(5.0, 5.0)] * 3,
        [(1e-300, 0.0), (2e-300, 1e-300)],
        [(1e140, -1e140), (0.0, 0.0)],
        [(1e15, 1.0), (1e15 + 1, 2.0)],
        [(0.0, 7.0), (1e9, 7.0)],
        [(-1e-12, 1e12)],
    ],
)
def test_a_window_always_has_room(points):
    box = _plane.box_of("here", [p[0] for p in points], [p[1] for p in points])
    assert box.width > 0 and box.height > 0
    for x, y in points:
        assert box.x0 < x < box.x1 and box.y0 < y < box.y1
    assert box.width > abs(box.x0) * 1e-10 and box.height > abs(box.y0) * 1e-10


@pytest.mark.parametrize("value", [math.inf, math.nan, 1e200])
def test_what_has_no_place_is_refused(value):
    with pytest.raises(InputError, match="has no place"):
        _plane.box_of("here", [0.0, value], [0.0, 1.0])
    with pytest.raises(InputError, match="no rows"):
        _plane.box_of("here", [], [])


def test_outliers_stay_when_points_are_thinned():
    x = [0.5 + i * 1e-6 for i in range(5000)] + [0.0, 1.0]
    kept = _scatter.thinned(UNIT, x, x, most=100)
    assert {5000, 5001} <= set(kept) and len(kept) <= 100
    assert kept == _scatter.thinned(UNIT, x, x, most=100)


def test_the_normal_stands_upright_where_angles_are_true():
    box = _plane.box_of("here", [0.0, 4.0], [0.0, 3.0])
    line = _plane.across(box, 3, -1, -2)
    (x0, y0), (x1, y1) = _plane.arrow(box, line, 3, -1)
    (p0, q0), (p1, q1) = line
    assert box.is_even and math.isclose(
        (x1 - x0) * (p1 - p0) + (y1 - y0) * (q1 - q0), 0, abs_tol=1e-9
    )
    assert 3 * x1 - y1 - 2 > 0  # towards the positive side
