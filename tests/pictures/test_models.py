"""Pictures of models: regions, curves of learning, mistakes, margins, cones and certificates."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardlimit import (
    KernelClassifier,
    LinearClassifier,
    bounds,
    certify,
    cones,
    pictures,
    rules,
)
from hardlimit.exceptions import ColumnError, InputError, KindError

from ..rounding import near, roundings
from .gallery import MODIFIED_OR, exercise, four_classes

XOR = [[0, 0], [0, 1], [1, 0], [1, 1]], ["no", "yes", "yes", "no"]


class Quadrants:
    """A stranger's model: which quarter of the plane a row lies in."""

    classes_ = np.array(["ne", "nw", "se", "sw"])

    def predict(self, X):
        return [("n" if y > 0 else "s") + ("e" if x > 0 else "w") for x, y, *_ in np.asarray(X)]


# Regions
@pytest.mark.parametrize("cells", [2, 3, 17])
def test_regions_ask_the_model_once_for_each_point(cells):
    X = [[-1, -1], [1, -1], [-1, 1], [1, 1]]
    picture = pictures.decision_regions(Quadrants(), X, ["sw", "se", "nw", "ne"], cells=cells)
    data = picture.data
    assert np.shape(data["answers"]) == (cells, cells) and data["wrong"] == 0
    for y, answers in zip(data["y"], data["answers"], strict=True):
        for x, answer in zip(data["x"], answers, strict=True):
            assert data["classes"][answer] == Quadrants().predict([[x, y]])[0]


def test_the_image_has_the_answers_and_lies_around_the_points():
    X = [[-1, -1], [1, -1], [-1, 1], [1, 1]]
    picture = pictures.decision_regions(Quadrants(), X, ["sw", "se", "nw", "ne"], cells=11)
    (image,) = picture.figure().axes[0].images
    assert image.get_array().tolist() == picture.data["answers"]
    left, right, *_ = image.get_extent()
    x = picture.data["x"]
    assert left == near(x[0] - (x[1] - x[0]) / 2, 10)
    assert right == near(x[-1] + (x[1] - x[0]) / 2, 10)


def test_columns_out_of_sight_are_held_for_the_predictions():
    class Third:
        classes_ = [0, 1]

        def predict(self, X):
            return [int(row[2] > 5) for row in np.asarray(X)]

    X, y = [[0, 0, 9], [1, 1, 9]], [1, 1]
    for rest, answer in ((9, 1), (1, 0), ("mean", 1), ({2: 5.5}, 1)):
        data = pictures.decision_regions(Third(), X, y, columns=[0, 1], rest=rest, cells=3).data
        assert data["answers"] == [[answer] * 3] * 3
        assert data["wrong"] == 0  # rows are predicted where they are


def test_labels_that_the_model_does_not_know_are_drawn_too():
    X = [[-1, -1], [1, -1], [2, 2]]
    data = pictures.decision_regions(Quadrants(), X, ["sw", "se", "up"], cells=3).data
    assert data["classes"] == ["ne", "nw", "se", "sw", "up"] and data["wrong"] == 1


def test_the_boundary_of_a_kernel_is_drawn_where_scores_meet():
    X, y = XOR
    clf = KernelClassifier(kernel="rbf").fit(X, y)
    data = pictures.decision_regions(clf, X, y, cells=25).data
    (leads,) = data["leads"]
    for lead, answer in zip(np.ravel(leads), np.ravel(data["answers"]), strict=True):
        assert (lead > 0) == (answer == 1)


@pytest.mark.parametrize("cells", [-1, 0, 1, 1001])
def test_too_few_or_too_many_cells_are_refused(cells):
    with pytest.raises(InputError) as caught:
        pictures.decision_regions(Quadrants(), [[0, 0]], ["ne"], cells=cells)
    assert caught.value.parameter == "cells" and caught.value.got == cells


@pytest.mark.parametrize("model", [object(), "model", ((1, 1), 0), None])
def test_what_cannot_predict_has_no_regions(model):
    with pytest.raises(KindError, match="a fitted classifier"):
        pictures.decision_regions(model, [[0, 0]], ["a"])


@pytest.mark.parametrize(
    ("columns", "rest", "error"),
    [
        (["x1", "x9"], "mean", ColumnError),
        ([0, 3], "mean", ColumnError),
        ([0, -1], "mean", ColumnError),
        ([1, 1], "mean", ColumnError),
        ([0], "mean", InputError),
        ("edge-on", None, InputError),
        ([0, 1], None, InputError),
        ([0, 1], "median", InputError),
        ([0, 1], [1.0, 2.0], InputError),
        ([0, 1], {"x1": 3}, InputError),
    ],
)
def test_columns_are_checked_before_the_model_is_asked(columns, rest, error):
    class Never:
        classes_ = [0]

        def predict(self, X):
            raise AssertionError("asked")

    with pytest.raises(error) as caught:
        pictures.decision_regions(Never(), [[1, 2, 3]], [0], columns=columns, rest=rest)
    assert caught.value.who == "pictures.decision_regions"


# Curves of learning
def test_curves_of_learning_are_fits_of_so_many_epochs():
    X, y = exercise()
    held_out = X[::3], y[::3]
    clf = LinearClassifier(order="shuffled", random_state=4)
    picture = pictures.learning_curves(clf, X, y, validation=held_out, epochs=[1, 4, 9])
    for k, epochs in enumerate([1, 4, 9]):
        fitted = LinearClassifier(
            order="shuffled", random_state=4, keep="all", max_iter=epochs, until=None
        ).fit(X, y)
        for name, errors in picture.data["errors"].items():
            if name != "random":
                score = fitted.with_readout(name).score(*held_out)
                assert errors[k] == near(1 - score, 10), name
    assert not hasattr(clf, "coef_") and picture.data["rows"] == len(held_out[1])


def test_curves_are_drawn_at_their_epochs():
    X, y = exercise()
    picture = pictures.learning_curves(LinearClassifier(), X, y, validation=(X, y), epochs=[1, 3])
    axes = picture.figure().axes[0]
    drawn = [line.get_ydata().tolist() for line in axes.lines]
    assert drawn == list(picture.data["errors"].values())
    assert all(line.get_xdata().tolist() == [1, 3] for line in axes.lines)
    assert axes.get_xscale() == "log"


@pytest.mark.parametrize("epochs", [[], [0, 1], [2, 1], [1, 1], [-3]])
def test_epochs_must_rise_from_one(epochs):
    X, y = MODIFIED_OR
    with pytest.raises(InputError) as caught:
        pictures.learning_curves(LinearClassifier(), X, y, validation=(X, y), epochs=epochs)
    assert caught.value.parameter == "epochs" and caught.value.wanted == "rising numbers from 1"


def test_models_without_readouts_have_no_curves():
    X, y = MODIFIED_OR
    for model in (object(), Quadrants(), 3):
        with pytest.raises(KindError, match="read-outs to keep"):
            pictures.learning_curves(model, X, y, validation=(X, y))


# Mistakes
@pytest.mark.parametrize("bound", [3, 7.5, 1e9])
def test_a_bound_is_drawn_at_its_height(bound):
    X, y = exercise()
    clf = LinearClassifier(order="cyclic", max_iter=10, until=None).fit(X, y)
    picture = pictures.mistakes(clf, bound=bound)
    above, below = picture.figure().axes
    assert below.lines[-1].get_ydata() == [bound, bound]
    sums = [line.get_ydata().tolist() if hasattr(line.get_ydata(), "tolist") else line.get_ydata()
            for line in below.lines[:2]]  # fmt: skip
    assert sums[0] == [0, *picture.data["corrections_so_far"]]
    assert sums[1] == [0, *picture.data["mistakes_so_far"]]
    assert below.get_yscale() == ("symlog" if bound == 1e9 else "linear")
    bars = [patch.get_height() for patch in above.patches]
    assert bars == picture.data["corrections"] + picture.data["mistakes"]


def test_long_runs_are_drawn_in_steps():
    clf = LinearClassifier(order="cyclic", max_iter=70, until=None).fit(*XOR)
    above, _ = pictures.mistakes(clf).figure().axes
    assert not above.patches and len(above.lines) == 2
    assert len(above.lines[0].get_xdata()) == 70


def test_the_bound_of_a_result_and_of_a_geometry():
    X, y = MODIFIED_OR
    clf = LinearClassifier(order="cyclic", readout="last").fit(X, y)
    found = bounds.of(clf, X, y)
    own = pictures.mistakes(clf, bound=found).data
    geometry = rules.Geometry(radius=found.radius, gamma=3**-0.5)
    assert own["bound"] == near(9, 60) and own["bound_of"] == "corrections"
    assert pictures.mistakes(clf, bound=geometry).data["bound"] == near(9, 60)
    assert own["corrections_so_far"][-1] <= own["bound"]


def test_a_stream_has_no_epochs():
    clf = LinearClassifier().partial_fit(*MODIFIED_OR)
    with pytest.raises(InputError, match="no epoch") as caught:
        pictures.mistakes(clf)
    assert "fit" in str(caught.value.fix)


# Cones
@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.integers(1, 9), st.integers(-9, 9)), min_size=1, max_size=7))
def test_the_cones_are_dual_to_each_other(Z):
    data = pictures.cones(cones.of_vectors([list(z) for z in Z])).data
    for ray in data["solution"]:
        assert min(np.dot(ray, z) for z in Z) >= -10 * roundings(100)
        upright = [abs(np.dot(ray, other)) for other in data["covering"]]
        assert min(upright) == near(0, 100, size=10) and max(upright) > 0
    for name in ("solution", "covering"):
        (a, b), (c, d) = data[name]
        cosine = (a * c + b * d) / math.hypot(a, b) / math.hypot(c, d)
        assert math.cos(data["widths"][name]) == near(cosine, 200, size=1)
    assert data["reach"] == near(1.15 * max(math.hypot(*z) for z in Z), 20)


def test_sectors_of_cones_reach_beyond_the_window():
    picture = pictures.cones(cones.of_vectors([[2, 1], [1, 3]]))
    axes = picture.figure().axes[0]
    reach = picture.data["reach"]
    assert axes.get_xlim() == (-reach, reach)
    for patch in axes.patches:
        corners = patch.get_xy()
        assert np.linalg.norm(corners, axis=1).max() >= reach * 2**0.5
    rows = axes.collections[-1].get_offsets().tolist()
    assert rows == picture.data["vectors"]


@pytest.mark.parametrize("cone", [None, "cone", [[1, 0]], 3])
def test_what_is_no_cone_is_refused(cone):
    with pytest.raises(KindError, match=r"cones\.cone"):
        pictures.cones(cone)


# Certificates
@pytest.mark.parametrize("seed", range(6))
def test_a_conflict_holds_a_common_point(seed):
    draw = np.random.RandomState(seed)
    X, y = draw.randint(-4, 5, (14, 2)).tolist(), (draw.rand(14) < 0.5).astype(int).tolist()
    verdict = certify(X, y)
    data = pictures.certificate(verdict, X, y).data
    assert data["verdict"] == "not separable" and data["line"] is None
    assert data["conflict"] and data["meeting"]
    for label in (0, 1):
        own = np.array([X[k] for k in data["conflict"] if y[k] == label], float)
        low, high = own.min(axis=0) - 1e-9, own.max(axis=0) + 1e-9
        assert (low <= data["meeting"]).all() and (data["meeting"] <= high).all()


def test_the_edges_of_the_band_touch_the_nearest_rows():
    X, y = exercise()
    data = pictures.certificate(certify(X, y), X, y).data
    assert len(data["edges"]) == 2 and data["nearest"] and not data["conflict"]
    for k in data["nearest"]:
        p = np.array(data["points"][k])
        gaps = []
        for a, b in np.array(data["edges"]):
            along = (b - a) / np.linalg.norm(b - a)
            gaps.append(abs(along[0] * (p - a)[1] - along[1] * (p - a)[0]))
        assert min(gaps) < 10 * roundings(100)


@pytest.mark.parametrize(
    ("X", "y", "error", "said"),
    [
        ([[0, 0], [1, 1]], [0], InputError, "2 rows and 1 label"),
        ([[0, 0, 0], [1, 1, 1]], [0, 1], InputError, "rows of 3 columns"),
        ([[0, 0], [1, 1]], [0, 1], InputError, "names row"),
    ],
)
def test_a_verdict_of_other_rows_is_refused(X, y, error, said):
    verdict = certify(*XOR)
    with pytest.raises(error, match=said):
        pictures.certificate(verdict, X, y)


# Margins
@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(-5, 5), min_size=1, max_size=30))
def test_the_curve_is_the_share_of_rows_up_to_each_margin(scores):
    class Scored:
        classes_ = [0, 1]

        def decision_function(self, X):
            return np.array(scores, float)

    picture = pictures.margin_distribution(Scored(), [[0]] * len(scores), [1] * len(scores))
    assert picture.data["margins"] == sorted(map(float, scores))
    assert picture.data["wrong"] == sum(s <= 0 for s in scores)
    x, share = picture.figure().axes[0].lines[0].get_data()
    for at, height in zip(x[1:], share[1:], strict=True):
        below = sum(s < at for s in scores) / len(scores)
        upto = sum(s <= at for s in scores) / len(scores)
        assert below - 10 * roundings(100) <= height <= upto + 10 * roundings(100)
    assert share[-1] == 1


def test_each_class_has_a_curve_of_its_own():
    X, y = four_classes()
    clf = LinearClassifier(max_iter=30).fit(X, y)
    picture = pictures.margin_distribution(clf, X, y)
    legend = [text.get_text() for text in picture.figure().legends[0].get_texts()]
    assert legend == ["all rows", *sorted(set(y))]
