"""Lines, half-planes and windows of a picture, against brute force and with numbers that hurt."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardlimit import pictures
from hardlimit.exceptions import InputError

from ..rounding import near, roundings

SQUARE = [[0, 0], [0, 1], [1, 0], [1, 1]]
numbers = st.floats(-1e6, 1e6).map(lambda v: round(v, 3))


def line_of(a, b, c, points=SQUARE):
    """The line a x + b y + c = 0 over points, and the window that it is drawn in."""
    data = pictures.decision_line(((a, b), c), points, [0, 1] * (len(points) // 2)).data
    return data["line"], data["window"]


def corners_of(window):
    xs, ys = (window["x0"], window["x1"]), (window["y0"], window["y1"])
    return [[x, y] for x in xs for y in ys]


def area(corners):
    """Gauss's shoelace."""
    pairs = zip(corners, corners[1:] + corners[:1], strict=True)
    return abs(sum(p[0] * q[1] - q[0] * p[1] for p, q in pairs)) / 2


@given(numbers, numbers, numbers)
def test_the_ends_lie_on_the_line_and_on_the_edge(a, b, c):
    line, window = line_of(a, b, c)
    heights = [a * x + b * y + c for x, y in corners_of(window)]
    if line["ends"] is None:
        assert (a == b == 0) or not min(heights) < 0 < max(heights)
        assert line["why"] and line["normal"] is None
        return
    x0, x1, y0, y1 = (window[name] for name in ("x0", "x1", "y0", "y1"))
    for x, y in line["ends"]:
        lost = 10_000 * roundings(100)  # places are up to 10,000 away from 0
        assert x0 - lost <= x <= x1 + lost and y0 - lost <= y <= y1 + lost
        assert min(abs(x - x0), abs(x - x1), abs(y - y0), abs(y - y1)) < lost
        assert abs(a * x + b * y + c) <= lost * (abs(a) + abs(b) + abs(c))


@given(numbers, numbers, numbers)
def test_the_tinted_side_has_the_corners_that_are_above(a, b, c):
    line, window = line_of(a, b, c)
    corners = corners_of(window)
    above = [[x, y] for x, y in corners if a * x + b * y + c > 0]
    assert [corner for corner in above if corner not in line["side"]] == []
    if (a, b, c) != (0, 0, 0):
        other, _ = line_of(-a, -b, -c)
        whole = (window["x1"] - window["x0"]) * (window["y1"] - window["y0"])
        both = sum(area(side) for side in (line["side"], other["side"]) if side)
        # Areas of figures that are hundreds wide, each corner a quotient.
        assert math.isclose(both, whole, abs_tol=1e-6)


@pytest.mark.parametrize(
    "points",
    [
        [(0.0, 0.0)] * 2,
        [(5.0, 5.0)] * 4,
        [(1e-300, 0.0), (2e-300, 1e-300)],
        [(1e140, -1e140), (0.0, 0.0)],
        [(1e15, 1.0), (1e15 + 1, 2.0)],
        [(0.0, 7.0), (1e9, 7.0)],
        [(-1e-12, 1e12)] * 2,
    ],
)
def test_a_window_always_has_room(points):
    _, window = line_of(1, 1, 0, points)
    x0, x1, y0, y1 = (window[name] for name in ("x0", "x1", "y0", "y1"))
    assert x0 < x1 and y0 < y1
    for x, y in points:
        assert x0 < x < x1 and y0 < y < y1
    # No tolerance: the frame must be wider than what rounding leaves of it.
    assert x1 - x0 > abs(x0) * 1e-10 and y1 - y0 > abs(y0) * 1e-10


def test_what_has_no_place_is_refused():
    with pytest.raises(InputError, match="numbers that have no place"):
        line_of(1, 1, 0, [[0.0, 0.0], [1e200, 1.0]])
    for value in (math.inf, math.nan):
        with pytest.raises(InputError, match="not finite"):
            line_of(1, 1, 0, [[0.0, 0.0], [value, 1.0]])


def test_outliers_stay_when_points_are_thinned():
    points = [[0.5 + i * 1e-6, 0.5 + i * 1e-6] for i in range(5000)] + [[0.0, 0.0], [1.0, 1.0]]
    picture = pictures.decision_line(((1, 1), -9), points, [0] * len(points))
    (drawn,) = picture.figure().axes[0].collections
    places = drawn.get_offsets().tolist()
    assert len(places) <= 1500 and [0.0, 0.0] in places and [1.0, 1.0] in places
    assert f"({len(places):,} of {len(points):,})" in picture.svg()


def test_the_normal_stands_upright_where_angles_are_true():
    line, window = line_of(3, -1, -2, [[0.0, 0.0], [4.0, 3.0]])
    (x0, y0), (x1, y1) = line["normal"]
    (p0, q0), (p1, q1) = line["ends"]
    assert window["is_even"]
    assert (x1 - x0) * (p1 - p0) + (y1 - y0) * (q1 - q0) == near(0, 60, size=100)
    assert 3 * x1 - y1 - 2 > 0  # towards the positive side
