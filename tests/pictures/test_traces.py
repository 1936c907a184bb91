"""Pictures of a trace: steps, weights, and what they refuse, counted again row by row."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardlimit import certify, pictures, textbook
from hardlimit.exceptions import InputError, KindError

from ..rounding import near, roundings
from .gallery import MODIFIED_OR, exercise

whole = st.integers(-3, 3)
rows = st.lists(st.tuples(whole, whole, st.sampled_from([-1, 1])), min_size=2, max_size=6).filter(
    lambda found: {t for *_, t in found} == {-1, 1}
)
XOR = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]


def perceptron(X, y, epochs):
    """Rosenblatt's rule by hand, bias feature -1: the row and the weights of each correction."""
    w, made = np.zeros(3), []
    for _ in range(epochs):
        wrong = 0
        for k, (row, target) in enumerate(zip(X, y, strict=True)):
            x = np.array([*row, -1.0])
            if target * (w @ x) <= 0:
                w, wrong = w + target * x, wrong + 1
                made.append((k, w.copy()))
        if not wrong:
            break
    return made


@settings(max_examples=30, deadline=None)
@given(rows)
def test_each_step_is_the_rule_done_by_hand(found):
    X, y = [[a, b] for a, b, _ in found], [t for *_, t in found]
    data = pictures.steps(textbook.trace(X, y, max_iter=4), panels=False).data
    wanted = perceptron(X, y, 4)
    if data["stop_reason"] == "separated":
        assert len(data["corrections"]) == len(wanted)
    # a run that comes back to weights that it had ends there, so it may be the shorter one
    for step, (k, w) in zip(data["corrections"], wanted, strict=False):
        assert step["rows"] == [k] and step["weights"] == w.tolist()
        a, b, c = step["coefficients"]
        assert np.cross([a, b, c], [w[0], w[1], -w[2]]) == near([0, 0, 0], 60, size=10)


@settings(max_examples=30, deadline=None)
@given(rows)
def test_the_tinted_side_is_where_the_weights_are_positive(found):
    X, y = [[a, b] for a, b, _ in found], [t for *_, t in found]
    trace = textbook.trace(X, y, max_iter=2)
    for step in pictures.steps(trace, panels=False).data["corrections"]:
        w = step["weights"]
        for x1, x2 in step["side"]:
            assert w[0] * x1 + w[1] * x2 - w[2] >= -10 * roundings(100)
        if step["normal"]:
            (x0, y0), (x1, y1) = step["normal"]
            assert w[0] * (x1 - x0) + w[1] * (y1 - y0) > 0


@settings(max_examples=30, deadline=None)
@given(rows)
def test_length_and_angle_of_the_weights_are_those_of_the_steps(found):
    X, y = [[a, b] for a, b, _ in found], [t for *_, t in found]
    best = np.array([2.0, -1.0, 0.5])
    data = pictures.weights(textbook.trace(X, y, max_iter=3), best=best.tolist()).data
    wanted = [w for _, w in perceptron(X, y, 3)][: len(data["length"])]
    assert data["length"] == near([np.linalg.norm(w) for w in wanted], 60)
    for cosine, w in zip(data["cosine"], wanted, strict=True):
        if w.any():
            there = w @ best / np.linalg.norm(w) / np.linalg.norm(best)
            assert cosine == near(there, 60, size=1)
        else:
            assert cosine is None


def test_weights_that_come_back_to_zero_have_no_direction():
    trace = textbook.trace([[0.0, 0.0], [0.0, 0.0]], [-1, 1], max_iter=1)
    picture = pictures.weights(trace, best=[2.0, -1.0, 0.5])
    assert picture.data["cosine"][-1] is None and "cosine" not in picture.description


@settings(max_examples=30, deadline=None)
@given(rows)
def test_novikoffs_lines_hold_the_length_between_them(found):
    X, y = [[a, b] for a, b, _ in found], [t for *_, t in found]
    data = pictures.weights(textbook.trace(X, y, max_iter=6)).data
    longest = max(math.hypot(a, b, 1) for a, b in X)
    assert data["radius"] == near(longest, 20)
    for k, (length, most) in enumerate(zip(data["length"], data["at_most"], strict=True), 1):
        assert length <= most + 10 * roundings(100) and most == near(longest * math.sqrt(k), 60)
    for k, least in enumerate(data["at_least"] or [], 1):
        assert least <= data["length"][k - 1] + 10 * roundings(100)


def test_a_proof_gives_the_direction_and_its_margin():
    X, y = exercise()
    trace, verdict = textbook.trace(X, y), certify(X, y)
    data = pictures.weights(trace, best=verdict).data
    w = np.array([*map(float, verdict.w), -float(verdict.intercept)])  # the feature is -1
    assert data["best"] == near((w / np.linalg.norm(w)).tolist(), 100)
    signed = np.array([[float(v) for v in z] for z in trace.examples.signed])
    assert data["gamma"] == near((signed @ w).min() / np.linalg.norm(w), 100)
    assert data["best_is"] == "the best known separator" and data["gamma"] > 0


def test_without_a_separator_there_is_no_angle():
    data = pictures.weights(textbook.trace(*XOR, max_iter=5)).data
    assert data["cosine"] is data["best"] is data["at_least"] is None
    assert data["at_most"] is not None
    assert len(pictures.weights(textbook.trace(*XOR, max_iter=5)).figure().axes) == 1


@pytest.mark.parametrize(
    ("rule", "order"), [("passive-aggressive", "cyclic"), ("perceptron", "batch")]
)
def test_other_rules_and_batches_have_no_lines_of_the_proof(rule, order):
    data = pictures.weights(textbook.trace(*exercise(), rule, order=order, max_iter=5)).data
    assert data["at_most"] is None and data["at_least"] is None
    assert len(data["length"]) == len(data["corrections"])


def test_the_lines_that_are_drawn_are_the_numbers():
    picture = pictures.weights(textbook.trace(*MODIFIED_OR), best=(1, 1, -1))
    length, angle = picture.figure().axes
    drawn = [line.get_ydata().tolist() for line in length.lines]
    assert drawn == [picture.data[name] for name in ("length", "at_most", "at_least")]
    assert angle.lines[0].get_ydata().tolist() == picture.data["cosine"]
    assert angle.get_ylim()[1] > 1 and length.get_ylim()[0] == 0


@pytest.mark.parametrize("best", [(1, 1), (1, 1, 1, 1), (0, 0, 0)])
def test_a_separator_of_another_shape_is_refused(best):
    with pytest.raises(InputError) as caught:
        pictures.weights(textbook.trace(*MODIFIED_OR), best=best)
    assert caught.value.parameter == "best" and "weights" in caught.value.wanted


def test_a_trace_without_corrections_has_nothing_to_show():
    right = textbook.trace([[1], [-1]], [1, -1], w=[1, 0])
    with pytest.raises(InputError, match="no correction"):
        pictures.weights(right)


def test_a_trace_without_corrections_still_has_its_points():
    right = textbook.trace([[1, 0], [-1, 0]], [1, -1], w=[1, 0, 0])
    picture = pictures.steps(right)
    assert picture.data["corrections"] == [] and picture.data["start"]["weights"] == [1, 0, 0]
    (axes,) = picture.figure().axes
    assert axes.get_title() == "start"
    assert "0 corrections" in picture.description


def test_every_correction_has_its_window():
    trace = textbook.trace(*exercise(), max_iter=3)
    picture = pictures.steps(trace, panels=True)
    figure = picture.figure()
    assert len(figure.axes) == len(picture.data["corrections"])
    for axes, step in zip(figure.axes, picture.data["corrections"], strict=True):
        drawn = [one.get_offsets().tolist() for one in axes.collections]
        assert [picture.data["points"][k] for k in step["rows"]] in drawn
        lines = [np.array(line.get_data()).T.tolist() for line in axes.lines]
        assert (step["ends"] in lines) == (step["ends"] is not None)


def test_in_one_window_rings_grow_with_the_corrections_of_a_row():
    trace = textbook.trace(*exercise())
    picture = pictures.steps(trace, panels=False)
    counts = {}
    for step in picture.data["corrections"]:
        for k in step["rows"]:
            counts[k] = counts.get(k, 0) + 1
    rings = picture.figure().axes[0].collections[-1]
    assert rings.get_offsets().tolist() == [picture.data["points"][k] for k in counts]
    sizes = dict(zip(counts.values(), rings.get_sizes().tolist(), strict=True))
    ordered = [sizes[n] for n in sorted(sizes)]
    assert ordered == sorted(ordered) and max(ordered) == near(300, 20)


def test_the_last_line_is_always_drawn():
    trace = textbook.trace(*XOR, order="shuffled", max_iter=80)
    picture = pictures.steps(trace)
    seen = [step for step in picture.data["corrections"] if step["ends"]]
    axes = picture.figure().axes[0]
    assert len(seen) > 80 >= len(axes.lines)
    lines = [np.array(line.get_data()).T.tolist() for line in axes.lines]
    assert seen[-1]["ends"] in lines
    assert "of them drawn" in axes.get_title()
    legend = [text.get_text() for text in picture.figure().legends[0].get_texts()]
    assert f"line after correction {seen[-1]['number']:,}, the last" in legend


def test_no_older_line_stands_for_a_last_one_that_is_out_of_sight():
    X, y = [[0, 0], [1, 1], [0, 1], [1, 0]], [0, 1, 0, 1]
    for epochs in range(4, 40):
        trace = textbook.trace(X, [0, 0, 1, 1], max_iter=epochs, until=None)
        data = pictures.steps(trace, panels=False).data["corrections"]
        if data and not data[-1]["ends"] and any(step["ends"] for step in data):
            break
    else:
        raise AssertionError("every last line is in sight")
    del X, y
    figure = pictures.steps(trace, panels=False).figure()
    legend = [text.get_text() for text in figure.legends[0].get_texts()]
    assert not any("line after" in text for text in legend)
    assert "; after the last: " in figure.axes[0].get_title()
    assert max(line.get_linewidth() for line in figure.axes[0].lines) < 2


@pytest.mark.parametrize(
    ("settings", "said"),
    [({"max_iter": 1}, "the run did not finish"), ({}, "after the last no row is wrong")],
)
def test_the_description_says_how_the_run_ended(settings, said):
    assert said in pictures.steps(textbook.trace(*MODIFIED_OR, **settings)).description


@pytest.mark.parametrize("draw", [pictures.steps, pictures.weights, pictures.criterion_surfaces])
@pytest.mark.parametrize("trace", [None, 3, "trace", {"steps": []}, [[1, 2]]])
def test_what_is_no_trace_is_refused_by_its_kind(draw, trace):
    with pytest.raises(KindError) as caught:
        draw(trace)
    assert caught.value.got == type(trace).__name__


def texts_of(figure):
    figure.draw_without_rendering()
    return [[text.get_text().strip() for text in axes.texts] for axes in figure.axes]


def test_vectors_and_lines_have_the_numbers_of_their_corrections():
    trace = textbook.trace(*MODIFIED_OR)
    figure = pictures.weight_vectors(trace).figure()
    *titles, space, plane = texts_of(figure)
    assert titles[0] == ["feature space: the weights as vectors"] and len(titles) == 2
    assert space == ["1", "2", "3"] and [one for one in plane if one] == ["1", "2", "3"]


def test_without_a_bias_both_panels_are_equally_high_and_a_number_stands_once():
    trace = textbook.trace(*MODIFIED_OR, bias_feature=None, max_iter=3)
    figure = pictures.weight_vectors(trace).figure()
    *_, space, plane = texts_of(figure)
    for texts in (space, plane):
        assert [one for one in texts if one] == ["1, 3, 5", "2, 4"]
    left, right = (axes.get_position() for axes in figure.axes[2:])
    # Of the layout, which is made of whole pixels: half a hundredth of the height.
    assert abs(left.height - right.height) < 0.005 and abs(left.y1 - right.y1) < 0.005
