"""The pictures of a report, read back: every line, dot and bar stands for its number."""

from __future__ import annotations

import itertools
import re

import numpy as np
import pytest

from hardlimit import LinearClassifier, PerceptronClassifier, reports
from hardlimit.reports._charts import SHARE, Axis, ChartLine, render_chart

from .conftest import points, text_model
from .drawings import drawings_of

WIDTH, HEIGHT = 360, 230
NEAR = 0.004  # a tenth of a unit of some three hundred, and half of one where points are thinned


@pytest.fixture(scope="module")
def two():
    """A model of texts of two classes with its pictures."""
    model, X, y = text_model()
    return model, X, y, drawings_of(reports.report(model, X, y))


@pytest.fixture(scope="module")
def many():
    """A model of numbers, judged by so many rows that lines are thinned."""
    X, y = points(5, 4000)
    model = LinearClassifier(max_iter=5).fit(*points(1))
    return model, X, y, drawings_of(reports.report(model, X, y))


def rates(scores, truth):
    """All points of the ROC curve, threshold by threshold."""
    found = [(0.0, 0.0)]
    for threshold in sorted(set(scores), reverse=True):
        above = scores >= threshold
        found.append((float(above[~truth].mean()), float(above[truth].mean())))
    return found


def distance_to_steps(point, corners):
    """How far a point lies from a line through these corners."""
    p, best = np.array(point), np.inf
    for a, b in itertools.pairwise(np.array(corners)):
        along = b - a
        share = np.clip((p - a) @ along / max(along @ along, 1e-30), 0, 1)
        best = min(best, float(np.linalg.norm(a + share * along - p)))
    return best


def scores_and_truth(model, X, y):
    return np.asarray(model.decision_function(X)), np.array([one == max(y) for one in y])


def test_the_roc_curve_is_that_of_every_threshold(two):
    model, X, y, drawn = two
    chance, line = drawn["ROC curve"].lines()
    wanted = rates(*scores_and_truth(model, X, y))
    # Places in drawings are printed with the digits that NEAR leaves.
    assert np.allclose(chance, [(0, 0), (1, 1)], atol=NEAR)
    # Places in drawings are printed with the digits that NEAR leaves.
    assert np.allclose([line[0], line[-1]], [(0, 0), (1, 1)], atol=NEAR)
    assert all(distance_to_steps(point, wanted) < NEAR for point in line)
    assert all(distance_to_steps(point, line) < NEAR for point in wanted)


def test_a_thinned_curve_keeps_its_corners(many):
    model, X, y, drawn = many
    _, line = drawn["ROC curve"].lines()
    wanted = rates(*scores_and_truth(model, X, y))
    assert len(line) <= 1200 < len(wanted)
    assert all(distance_to_steps(point, line) < NEAR for point in wanted[::111])
    assert all(a <= c and b <= d for (a, b), (c, d) in itertools.pairwise(line))


def test_precision_is_drawn_against_recall(two):
    model, X, y, drawn = two
    scores, truth = scores_and_truth(model, X, y)
    wanted = []
    for threshold in sorted(set(scores), reverse=True):
        above = scores >= threshold
        if above[truth].any():
            wanted.append((above[truth].mean(), truth[above].mean()))
    (line,) = drawn["Precision against recall"].lines()
    assert all(distance_to_steps(point, wanted) < NEAR for point in line)
    assert abs(line[-1][1] - truth.mean()) < NEAR and abs(line[-1][0] - 1) < NEAR


def test_bars_of_the_lengths_are_a_histogram(two):
    _, X, _, drawn = two
    picture = drawn["Length of the rows"]
    lengths = np.array([len(text) for text in X])
    top = np.sort(lengths)[95 * (len(X) - 1) // 100]
    kept = lengths[lengths <= max(top, lengths.min() + 1)]
    bars, end = picture.bars(), picture.x_ticks[-1][0]
    edges = np.linspace(0, end, 31)
    heights, _ = np.histogram(kept, edges)
    wanted = [(a, h) for a, h in zip(edges, heights, strict=False) if h]
    assert len(bars) == len(wanted)
    for (left, right, height), (edge, count) in zip(bars, wanted, strict=True):
        assert abs(left - edge) < 0.004 * end and abs(right - left - end / 30) < 0.004 * end
        assert abs(height - count) < 0.01 * max(heights)


def test_bars_of_the_leads_count_the_rows_and_the_errors(two):
    model, X, y, drawn = two
    picture = drawn["Lead of the predictions"]
    wrong = sum(a != b for a, b in zip(model.predict(X).tolist(), y, strict=True))
    for kind, total in (("one", len(y)), ("two", wrong)):
        heights = [height for _, _, height in picture.bars(kind)]
        assert all(abs(height - round(height)) < 0.2 for height in heights)
        assert sum(round(height) for height in heights) == total
    assert picture.legend() == ["all predictions", "wrong predictions"]
    assert f"{len(y) - wrong} correct and {wrong} wrong" in picture.label


@pytest.mark.parametrize("epochs", [2, 5, 13, 60])
def test_mistakes_of_few_epochs_are_bars(epochs):
    X, y = points(3)
    model = LinearClassifier(max_iter=epochs, until=None).fit(X, y)
    picture = drawings_of(reports.report(model, X, y))["Mistakes in each epoch"]
    mistakes = [record.mistakes for record in model.history_]
    bars = picture.bars()
    assert len(bars) == sum(n > 0 for n in mistakes) and not picture.lines()
    wanted = [(k, n) for k, n in enumerate(mistakes, 1) if n]
    for (left, right, height), (epoch, count) in zip(bars, wanted, strict=True):
        assert abs((left + right) / 2 - epoch) < 0.01 * epochs
        assert abs(height - count) < 0.01 * max(mistakes)
    ticks = [value for value, _ in picture.x_ticks]
    assert ticks[0] == 1 and len(ticks) <= 12 and all(tick == int(tick) for tick in ticks)


def test_mistakes_of_many_epochs_are_a_line():
    X, y = points(3)
    model = LinearClassifier(max_iter=90, until=None).fit(X, y)
    picture = drawings_of(reports.report(model, X, y))["Mistakes in each epoch"]
    mistakes = [record.mistakes for record in model.history_]
    (line,) = picture.lines()
    assert not picture.bars()
    wanted = [(float(k), float(n)) for k, n in enumerate(mistakes, 1)]
    scale = np.array([picture.x_ticks[-1][0], picture.y_ticks[-1][0]])
    for point in wanted:
        assert distance_to_steps(point / scale, line / scale) < 2 * NEAR
    assert f"{mistakes[0]} in the first epoch, {mistakes[-1]} in the last of 90" in picture.label


def test_a_single_epoch_has_no_picture():
    X, y = points(3)
    model = LinearClassifier(max_iter=1).fit(X, y)
    assert "Mistakes in each epoch" not in drawings_of(reports.report(model, X, y))


def test_reliability_has_ten_dots_and_the_diagonal():
    draw = np.random.RandomState(0)
    X = draw.randn(300, 3)
    y = (X[:, 0] + 0.5 * draw.randn(300) > 0).astype(int)
    model = PerceptronClassifier(probability=True, max_iter=20).fit(X, y)
    picture = drawings_of(reports.report(model, X, y))["Reliability"]
    p = model.predict_proba(X).max(axis=1)
    correct = model.predict(X) == y
    order = np.argsort(p, kind="stable")
    wanted = [(p[part].mean(), correct[part].mean()) for part in np.array_split(order, 10)]
    assert len(picture.dots()) == 10
    for dot, point in zip(picture.dots(), wanted, strict=True):
        # Places in drawings are printed with the digits that NEAR leaves.
        assert np.allclose(dot, point, atol=NEAR)
    assert picture.legend() == ["perfectly calibrated", "observed"]
    # Places in drawings are printed with the digits that NEAR leaves.
    assert np.allclose(picture.lines()[0], [(0, 0), (1, 1)], atol=NEAR)


def test_few_positives_have_no_curve_but_a_table():
    X, y = points(2, 60)
    rare = [int(k < 4) for k in range(60)]
    model = LinearClassifier(max_iter=5).fit(X, y)
    page = reports.report(model, X, rare)
    assert "ROC curve" not in drawings_of(page) and "at other thresholds" in page


def test_ticks_are_round_and_hold_the_data(page):
    for picture in drawings_of(page).values():
        for ticks in (picture.x_ticks, picture.y_ticks):
            values = [value for value, _ in ticks]
            steps = {round(b - a, 9) for a, b in itertools.pairwise(values)}
            assert len(steps) == 1 and len(values) <= 13
            (step,) = steps
            size = 10 ** np.floor(np.log10(step) + 1e-9)
            assert round(step / size, 6) in (1, 2, 2.5, 3, 4, 5, 7, 8), step
        for _, right, height in picture.bars() + picture.bars("two"):
            assert height <= picture.y_ticks[-1][0] * 1.01
            assert right <= picture.x_ticks[-1][0] + picture.x_ticks[-1][0] * 0.2


def test_everything_lies_inside_the_picture(page):
    for picture in drawings_of(page).values():
        assert picture.svg.get("viewBox") == f"0 0 {WIDTH} {HEIGHT}"
        for one in picture.svg.iter():
            for name in ("x", "x1", "x2", "cx"):
                assert 0 <= float(one.get(name, 1)) <= WIDTH, one.attrib
            for name in ("y", "y1", "y2", "cy"):
                assert 0 <= float(one.get(name, 1)) <= HEIGHT, one.attrib
            places = re.findall(r"[ML]([-\d.]+) ([-\d.]+)", one.get("d", ""))
            assert all(0 <= float(a) <= WIDTH and 0 <= float(b) <= HEIGHT for a, b in places)


def test_each_picture_says_what_it_shows(page):
    for title, picture in drawings_of(page).items():
        assert picture.label.startswith(f"{title}. ") and len(picture.label) > len(title) + 10
        assert picture.svg.find("title").text == title
        assert len(picture.names) >= 2  # of the two axes


def test_kinds_differ_without_colour(two):
    """What is drawn in two colours differs in dashes, shape or size as well."""
    *_, drawn = two
    assert all(one.legend() == [] or len(one.legend()) == 2 for one in drawn.values())
    style = re.search(r"<style>(.*?)</style>", reports.report(*two[:3]), re.S)[1]
    for kind in ("two", "chance"):
        assert re.search(rf"\.line\.{kind}{{[^}}]*stroke-dasharray", style)
    assert "stroke-dasharray" not in re.search(r"\.line\.one{[^}]*}", style)[0]


def test_the_name_of_a_threshold_stands_where_no_curve_passes():
    low, high = [(x / 50, 0.97 - 0.5 * x / 50) for x in range(51)], [(0.0, 0.9), (1.0, 1.0)]
    lines = [ChartLine(low, "one", "recall"), ChartLine(high, "two", "precision")]
    axes = Axis.over("threshold", 0, 1), Axis("share", 0.0, 1.0, SHARE)
    for used in (0.02, 0.3, 0.5, 0.9):
        for among in ([], lines):
            drawn = str(render_chart("t", "s", *axes, among, at=(used, "in use")))
            x, y, anchor = re.search(
                r'<text x="([\d.]+)" y="([\d.]+)" text-anchor="(\w+)">in', drawn
            ).groups()
            left = float(x) - (36 if anchor == "end" else 0)
            assert among or float(y) == 19  # at the top, where there is room
            for a, b in itertools.chain(*(line.points for line in among)):
                place = 50 + 300 * a, 192 - 182 * b
                assert not (left <= place[0] <= left + 36 and float(y) - 9 <= place[1] <= float(y))
