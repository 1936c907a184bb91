"""The plane in space: its corners, its normal and what is drawn, against brute force."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardlimit import LinearClassifier, pictures
from hardlimit.exceptions import InputError, KindError

from ..rounding import near, roundings

CUBE = [[a, b, c] for a in (0, 1) for b in (0, 1) for c in (0, 1)]
whole = st.integers(-5, 5)


def plane_of(w, c, points=CUBE):
    return pictures.decision_plane((w, c), points, [0, 1] * (len(points) // 2)).data


def edges_of(window):
    """The twelve edges of a window, as pairs of corners."""
    low, high = window
    corners = list(itertools.product(*zip(low, high, strict=True)))
    pairs = itertools.combinations(corners, 2)
    return [(p, q) for p, q in pairs if sum(a != b for a, b in zip(p, q, strict=True)) == 1]


def crossings(window, w, c):
    """Where the plane meets the edges of the window, found edge by edge."""
    places = []
    for p, q in edges_of(window):
        at, to = (sum(a * b for a, b in zip(w, x, strict=True)) + c for x in (p, q))
        if at * to < 0:
            share = at / (at - to)
            places.append([a + share * (b - a) for a, b in zip(p, q, strict=True)])
    return places


@given(whole, whole, whole, st.sampled_from([-3.5, -1.25, -0.5, 0.25, 1.5, 2.75]))
def test_the_corners_are_where_the_plane_meets_the_edges(a, b, c, d):
    data = plane_of((a, b, c), d)
    wanted = crossings(data["window"], (a, b, c), d)
    if len(data["plane"]) != len(wanted):  # through a corner of the window
        low, high = data["window"]
        heights = [a * x + b * y + c * z + d for x, y, z in itertools.product(*zip(low, high))]  # noqa: B905
        assert min(map(abs, heights)) < 10_000 * roundings(100)
        return
    for place in wanted:
        assert min(math.dist(place, corner) for corner in data["plane"]) < 10_000 * roundings(100)


@given(whole, whole, whole)
def test_the_corners_go_round_once(a, b, c):
    """Each corner turns the same way: the outline of a plane never crosses itself."""
    corners = np.array(plane_of((a, b, c), -0.3)["plane"])
    if len(corners) < 3:
        return
    normal = np.array([a, b, c], float)
    turns = []
    for k in range(len(corners)):
        before, here, after = (corners[(k + step) % len(corners)] for step in (-1, 0, 1))
        turns.append(np.cross(here - before, after - here) @ normal)
    assert min(turns) > -10_000 * roundings(100) or max(turns) < 10_000 * roundings(100)


def test_columns_of_unlike_units_keep_the_outline_whole():
    points = [[0, 0, 0], [1, 1000, 1e-3], [0.5, 200, 5e-4], [0.2, 900, 1e-4]]
    data = plane_of((1, 1e-3, 1e3), -1.5, points)
    corners = np.array(data["plane"]) / np.array([1, 1e3, 1e-3])
    assert len(corners) >= 3
    middle = corners.mean(axis=0)
    around = [np.cross(p - middle, q - middle).sum() for p, q in itertools.pairwise(corners)]
    assert all(turn > 0 for turn in around) or all(turn < 0 for turn in around)


def test_the_arrow_stands_on_the_plane_and_points_to_the_second_class():
    data = plane_of((1, -2, 0.5), 0.25)
    foot, head = (np.array(end) for end in data["normal"])
    w = np.array([1, -2, 0.5])
    assert foot @ w + 0.25 == near(0, 60, size=10)
    assert head @ w + 0.25 > 0
    assert np.cross(head - foot, w) == near([0, 0, 0], 60, size=10)
    low, high = (np.array(end) for end in data["window"])
    assert max(abs(head - foot) / (high - low)) == near(0.25, 60)


def test_a_plane_beside_the_rows_is_not_drawn():
    picture = pictures.decision_plane(((0, 0, 1), -9), CUBE, [0, 1] * 4)
    assert picture.data["plane"] == [] and picture.data["normal"] is None
    assert "the plane is out of sight" in picture.figure().axes[0].get_title()
    flat = pictures.decision_plane(((0, 0, 0), 1), CUBE, [0, 1] * 4)
    assert "there is no plane" in flat.figure().axes[0].get_title()


def test_rows_on_the_wrong_side_are_counted():
    draw = np.random.RandomState(0)
    X = draw.randn(50, 3)
    y = ["yes" if draw.rand() < 0.5 else "no" for _ in X]
    w, c = draw.randn(3), 0.2
    data = pictures.decision_plane((w, c), X, y).data
    wrong = sum((row @ w + c > 0) != (label == "yes") for row, label in zip(X, y, strict=True))
    assert data["wrong"] == wrong and 0 < wrong < 50
    assert data["points"] == X.tolist() and data["classes"] == ["no", "yes"]


def test_a_fitted_model_gives_its_own_weights():
    y = [sum(corner) >= 2 for corner in CUBE]
    clf = LinearClassifier(order="cyclic", readout="last").fit(CUBE, y)
    data = pictures.decision_plane(clf, CUBE, y).data
    assert data["w"] == clf.coef_[0].tolist() and data["intercept"] == clf.intercept_[0]
    assert data["wrong"] == 0


def test_other_columns_are_held_and_named():
    X = np.column_stack([np.array(CUBE), np.arange(8.0)])
    settings = {"columns": [0, 1, 2], "names": ["p", "q", "r", "s"]}
    picture = pictures.decision_plane(((1, 1, 1, 2), -1.5), X, [0, 1] * 4, rest=0.25, **settings)
    direct = plane_of((1, 1, 1), -1)
    assert picture.data["plane"] == direct["plane"]
    assert picture.data["held"] == ["s = 0.25"] and picture.data["names"] == ["p", "q", "r"]
    assert "s = 0.25" in picture.figure().axes[0].get_title()


def test_what_is_drawn_in_space_is_the_data():
    y = ["low", "low", "low", "high"] * 2
    picture = pictures.decision_plane(((1, 1, 1), -1.5), CUBE, y)
    axes = picture.figure().axes[0]
    assert axes.name == "3d"
    (first, second, sheet, *_) = axes.collections
    assert len(first.get_offsets()) + len(second.get_offsets()) == 8
    assert [len(first.get_offsets()), len(second.get_offsets())] == [y.count("high"), 6]
    assert sheet.get_alpha() == 0.3
    low, high = picture.data["window"]
    assert axes.get_xlim() == near((low[0], high[0]), 10)
    assert axes.get_zlim() == near((low[2], high[2]), 10)
    assert [axes.get_xlabel(), axes.get_ylabel(), axes.get_zlabel()] == ["x1", "x2", "x3"]


def test_many_rows_are_thinned_and_the_legend_says_so():
    draw = np.random.RandomState(1)
    X, y = draw.randn(2000, 3), ["a"] * 1900 + ["b"] * 100
    figure = pictures.decision_plane(((1, 0, 0), 0), X, y).figure()
    legend = [text.get_text() for text in figure.legends[0].get_texts()]
    assert legend[0] == "a (475 of 1,900)" and legend[1] == "b"
    assert len(figure.axes[0].collections[0].get_offsets()) == 475


def test_equal_rows_still_have_a_window():
    low, high = plane_of((1, 1, 1), -9, [[3.0, 3, 3]] * 2)["window"]
    assert all(a < 3 < b for a, b in zip(low, high, strict=True))


@pytest.mark.parametrize(
    ("model", "X", "y", "error", "said"),
    [
        (((1, 1), 0), [[1, 2], [3, 4]], [0, 1], InputError, "got 2 columns, wanted at least 3"),
        (((1, 1), 0), CUBE, [0, 1] * 4, InputError, "got 2 weights"),
        (((1, 1, 1), 0), CUBE, [0, 1], InputError, "8 rows and 2 labels"),
        (((1, 1, math.inf), 0), CUBE, [0, 1] * 4, InputError, "not finite"),
        ("a model", CUBE, [0, 1] * 4, KindError, "a linear classifier"),
        (((1, 1, 1), 0), [[0, 0, 1e200]] * 2, [0, 1], InputError, "numbers that have no place"),
    ],
)
def test_what_has_no_plane_is_refused(model, X, y, error, said):
    with pytest.raises(error, match=said):
        pictures.decision_plane(model, X, y)
