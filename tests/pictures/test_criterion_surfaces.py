"""The criteria over two weights: values on the grid, the path, the solution region, in space."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardlimit import pictures, textbook
from hardlimit.exceptions import InputError, Setting

from ..rounding import near, roundings
from .gallery import exercise, in_two_weights

whole = st.integers(-4, 4)
signed = st.lists(st.tuples(whole, whole).filter(any), min_size=1, max_size=5)


def criteria_of(Z, w, b):
    """The four criteria of Duda, Hart and Stork at one pair of weights, written out."""
    margins = Z @ np.asarray(w)
    wrong, near = margins <= 0, margins <= b
    return {
        "misclassified": wrong.sum(),
        "perceptron-criterion": -margins[wrong].sum(),
        "squared-criterion": (margins[wrong] ** 2).sum(),
        "relaxation-criterion": ((b - margins[near]) ** 2 / (Z[near] ** 2).sum(axis=1)).sum() / 2,
    }


@settings(max_examples=15)
@given(signed, st.sampled_from([0.5, 1.0, 3.0]))
def test_every_point_of_the_grid_has_the_value_of_the_formula(Z, b):
    trace = textbook.trace(Z, [1] * len(Z), bias_feature=None, max_iter=5)
    data = pictures.criterion_surfaces(trace, b=b).data
    rows = np.array(Z, float)
    for i, j in ((0, 0), (80, 80), (3, 77), (40, 41)):
        wanted = criteria_of(rows, [data["x"][j], data["y"][i]], b)
        for name, value in wanted.items():
            assert data["surfaces"][name][i][j] == near(value, 200), name
    for k, w in enumerate(data["trajectory"]):
        for name, value in criteria_of(rows, w, b).items():
            assert data["values"][name][k] == near(value, 200), name


@settings(max_examples=25)
@given(signed)
def test_the_solution_region_is_where_every_row_is_right(Z):
    trace = textbook.trace(Z, [1] * len(Z), bias_feature=None, max_iter=5)
    data = pictures.criterion_surfaces(trace).data
    corners = np.array(data["solution"]).reshape(-1, 2)
    rows = np.array(Z, float)
    assert (rows @ corners.T >= -10 * roundings(100)).all()
    right = np.array(data["surfaces"]["misclassified"]) == 0
    if not len(corners):
        assert not right.any()
        return
    x, y = np.meshgrid(data["x"], data["y"])
    inside = np.column_stack([x[right], y[right]])
    low, high = corners.min(axis=0) - 1e-9, corners.max(axis=0) + 1e-9
    assert ((inside >= low) & (inside <= high)).all()


def test_the_lines_are_those_on_which_a_row_has_the_product_0():
    data = pictures.criterion_surfaces(in_two_weights()).data
    for z, ends in zip([[-2, -2], [-1, 0], [0, 2]], data["lines"], strict=True):
        for end in ends:
            assert np.dot(z, end) == near(0, 100, size=10)


def test_the_window_holds_the_path_and_the_origin():
    trace = textbook.trace(*exercise(), max_iter=3)
    data = pictures.criterion_surfaces(trace, weights=(0, 1)).data
    window = data["window"]
    for x, y in [*data["trajectory"], [0.0, 0.0]]:
        assert window["x0"] < x < window["x1"] and window["y0"] < y < window["y1"]
    assert (data["x"][0], data["x"][-1]) == (window["x0"], window["x1"])
    assert (data["y"][0], data["y"][-1]) == (window["y0"], window["y1"])


def test_weights_that_are_not_shown_stay_where_the_trace_ended():
    X, y = exercise()
    trace = textbook.trace(X, y, max_iter=3)
    data = pictures.criterion_surfaces(trace, weights=(2, 0)).data
    last = [float(v) for v in trace.outcome.w]
    assert data["held"] == {"weight of x2": last[1]}
    assert data["trajectory"][-1] == [last[2], last[0]]
    rows = np.array([[float(v) for v in z] for z in trace.examples.signed])
    at = [data["y"][60], last[1], data["x"][20]]  # the second weight of the two is the first's
    for name, value in criteria_of(rows, at, 1.0).items():
        assert data["surfaces"][name][60][20] == near(value, 200), name


@pytest.mark.parametrize("view", ["maps", "surfaces"])
def test_each_criterion_has_a_panel_of_its_own(view):
    picture = pictures.criterion_surfaces(in_two_weights(), b=2, view=view)
    panels = [axes for axes in picture.figure().axes if axes.get_title()]
    assert [axes.get_title() for axes in panels] == [
        "J: misclassified rows",
        "J_p: perceptron",
        "J_q: squared",
        "J_r: relaxation, b = 2",
    ]
    assert {axes.name for axes in panels} == {"3d" if view == "surfaces" else "rectilinear"}


def test_maps_show_the_count_in_cells_and_the_others_in_bands():
    picture = pictures.criterion_surfaces(in_two_weights())
    panels = [axes for axes in picture.figure().axes if axes.get_title()]
    (image,) = panels[0].images
    assert image.get_array().tolist() == picture.data["surfaces"]["misclassified"]
    window = picture.data["window"]
    assert image.get_extent() == [window[name] for name in ("x0", "x1", "y0", "y1")]
    assert all(not axes.images and axes.collections for axes in panels[1:])


def test_the_path_is_drawn_over_every_map():
    picture = pictures.criterion_surfaces(in_two_weights())
    wanted = np.array(picture.data["trajectory"]).T.tolist()
    for axes in picture.figure().axes:
        if axes.get_title():
            drawn = [np.array(line.get_data()).tolist() for line in axes.lines]
            assert drawn.count(wanted) == 2  # a white rim and the path itself
            start, end = [[v[0]] for v in wanted], [[v[-1]] for v in wanted]
            assert start in drawn and end in drawn


def test_in_space_the_path_runs_above_the_surface():
    picture = pictures.criterion_surfaces(in_two_weights(), view="surfaces")
    for axes, (name, surface) in zip(
        picture.figure().axes, picture.data["surfaces"].items(), strict=True
    ):
        (path,) = axes.lines
        x, y, height = path.get_data_3d()
        assert np.column_stack([x, y]).tolist() == picture.data["trajectory"]
        lift = np.array(height) - np.array(picture.data["values"][name])
        assert (lift > 0).all() and lift.max() <= 0.011 * max(np.max(surface), 1)
        assert axes.elev == 32 and axes.get_xlabel() == "weight of x1"


def test_in_space_the_surface_is_an_image_and_the_words_are_text():
    svg = pictures.criterion_surfaces(in_two_weights(), view="surfaces").svg()
    assert svg.count("<image") >= 4 and "J_q: squared" in svg
    assert len(svg) < 1_500_000


def test_both_views_have_the_same_numbers():
    trace = in_two_weights()
    maps, space = (pictures.criterion_surfaces(trace, view=v) for v in ("maps", "surfaces"))
    assert maps.data == space.data and maps.description == space.description


def test_the_description_says_whether_any_weights_solve_it():
    assert "solution region is shaded" in pictures.criterion_surfaces(in_two_weights()).description
    opposite = textbook.trace([[1], [1]], [1, -1], max_iter=2)
    assert "no weights solve it" in pictures.criterion_surfaces(opposite).description


def test_refusals_offer_what_can_be_said():
    trace = textbook.trace(*exercise(), max_iter=2)
    with pytest.raises(InputError, match="view") as caught:
        pictures.criterion_surfaces(in_two_weights(), view="globe")
    assert caught.value.wanted == "'maps' or 'surfaces'" and caught.value.got == "globe"
    with pytest.raises(InputError) as caught:
        pictures.criterion_surfaces(trace)
    assert any(isinstance(x, Setting) and x.name == "weights" for x in caught.value.wanted)
    with pytest.raises(InputError, match="two different ones"):
        pictures.criterion_surfaces(trace, weights=(1, 1))
    with pytest.raises(InputError, match="3 weights"):
        pictures.criterion_surfaces(trace, weights=(0, 3))
