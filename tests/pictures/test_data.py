"""What pictures say, worked by hand."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from hardlimit import (
    KernelClassifier,
    LinearClassifier,
    bounds,
    certify,
    criteria,
    pictures,
    rules,
    textbook,
)
from hardlimit.exceptions import ColumnError, InputError, KindError

from ..rounding import near, roundings
from .gallery import MODIFIED_OR, exercise, fitted, in_two_weights


# Steps: the table of the modified OR.
def test_the_steps_are_those_of_the_blackboard():
    data = pictures.steps(textbook.trace(*MODIFIED_OR)).data
    assert data["points"] == MODIFIED_OR[0] and data["labels"] == MODIFIED_OR[1]
    assert data["start"]["ends"] is None
    # x1 + x2 = 1, x1 = 0, x1 + x2 = -1; the threshold's feature is -1.
    lines = [step["coefficients"] for step in data["corrections"]]
    assert lines == [[1, 1, -1], [1, 0, 0], [1, 1, 1]]
    for step in data["corrections"]:
        a, b, c = step["coefficients"]
        for x, y in step["ends"]:
            assert a * x + b * y + c == near(0, 20, size=abs(a * x) + abs(b * y) + abs(c))
    upright = data["corrections"][1]["ends"]
    assert [x for x, _ in upright] == [0, 0] and upright[0][1] < -1 < 1 < upright[1][1]


def test_a_batch_has_all_its_violators():
    data = pictures.steps(textbook.trace(*exercise(), order="batch")).data
    assert len(data["corrections"]) == 23  # as the book's exercise is answered
    trace = textbook.trace(*exercise(), order="batch")
    for step, first in zip(data["corrections"], range(1, 24), strict=True):
        own = [s.example for s in trace.steps if s.corrected and s.epoch == first]
        assert step["rows"] == own and step["number"] == first
    # The second class is +1 here, and the threshold has the feature -1.
    assert data["corrections"][-1]["weights"] == [30.4, -34.1, 34.0]


def test_the_number_of_windows_follows_the_corrections():
    few, many = textbook.trace(*MODIFIED_OR), textbook.trace(*exercise())
    assert pictures.steps(few).data["panels"] and not pictures.steps(many).data["panels"]
    assert pictures.steps(many, panels=True).size[1] > 20
    xor = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    long = textbook.trace(*xor, order="shuffled", max_iter=50)
    with pytest.raises(InputError, match="wanted at most 60 for a panel each; say panels=False"):
        pictures.steps(long, panels=True)


def test_fractions_of_any_length_have_lines():
    trace = textbook.trace([[10**9, 1], [-(10**8), 3]], [-1, 1], w=[10**400, 1, 0], max_iter=2)
    assert trace.outcome.corrections
    for step in pictures.steps(trace).data["corrections"]:
        assert all(math.isfinite(v) for v in [*step["coefficients"], *step["weights"]])
    huge = textbook.trace([[10**400, 1], [2, 3]], [1, -1], max_iter=2)
    for draw in (pictures.steps, pictures.weights, pictures.criterion_surfaces):
        with pytest.raises(InputError):
            draw(huge)


@pytest.mark.parametrize("order", ["cyclic", "shuffled", "random", "worst", "batch"])
def test_steps_of_every_order(order):
    trace = textbook.trace(*exercise(), order=order, max_iter=200)
    data = pictures.steps(trace).data
    assert len(data["corrections"]) == trace.outcome.corrections
    after = data["corrections"][-1]["weights"]
    assert after == near([float(v) for v in trace.outcome.w], 200)


def test_steps_of_balanced_winnow():
    trace = textbook.trace(*MODIFIED_OR, "balanced-winnow")
    data = pictures.steps(trace).data
    assert [s["rows"] for s in data["corrections"]] == [[0], [1], [2]]
    assert data["corrections"][-1]["weights"] == [1.5, 1.5, -1.5]


def test_steps_refuse_what_has_no_line():
    X, y = [[1, 2, 3], [4, 5, 6]], [0, 1]
    with pytest.raises(InputError, match="got rows of 3 columns, wanted 2"):
        pictures.steps(textbook.trace(X, y))
    ex = textbook.examples(*MODIFIED_OR)
    dual = textbook.collect(textbook.dual(ex), ex, textbook.About("dual"))
    with pytest.raises(KindError, match="got steps of DualStep"):
        pictures.steps(dual)
    with pytest.raises(InputError, match="left out; trace without keep"):
        pictures.steps(textbook.trace(*MODIFIED_OR, keep=(2, 1)))
    with pytest.raises(KindError, match=r"got list, wanted what textbook\.trace"):
        pictures.steps([])


# The line.
def test_the_line_of_every_kind_of_separator():
    X, y = MODIFIED_OR
    clf = fitted(X, y)
    expected = pictures.decision_line(((1, 1), 1), X, y).data
    for model in (clf, ((1.0, 1.0), 1.0)):
        data = pictures.decision_line(model, X, y).data
        assert data["line"] == expected["line"] and data["wrong"] == 0
    verdict = certify(X, y)
    assert pictures.decision_line(verdict, X, y).data["wrong"] == 0
    clf.threshold_ = 1.5
    assert pictures.decision_line(clf, X, y).data["intercept"] == -0.5
    assert pictures.decision_line(clf, X, y).data["wrong"] == 2


def test_edge_on_every_row_has_its_distance():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 5))
    w, c = np.array([1.0, -2, 0, 3, 0.5]), 0.7
    data = pictures.decision_line((w, c), X, X @ w > 0, columns="edge-on").data
    expected = (X @ w + c) / np.linalg.norm(w)
    assert [p[0] for p in data["points"]] == near(expected.tolist(), 100)
    assert data["line"]["coefficients"] == [1, 0, 0]


def test_columns_that_are_not_shown_are_held():
    X, y = [[1, 2, 3], [4, 5, 7]], [0, 1]
    line = ((1, 2, 3), -1)
    data = pictures.decision_line(line, X, y, columns=["b", 0], rest={"c": 2}, names="abc").data
    assert data["line"]["coefficients"] == [2, 1, 5] and data["held"] == ["c = 2"]
    assert data["points"] == [[2, 1], [5, 4]] and data["names"] == ["b", "a"]
    data = pictures.decision_line(line, X, y, columns=[0, 1], rest="mean").data
    assert data["line"]["coefficients"] == [1, 2, 14]
    data = pictures.decision_line(line, X, y, columns=[0, 1], rest=1).data
    assert data["line"]["coefficients"] == [1, 2, 2]


@pytest.mark.parametrize(
    ("settings", "kind", "said"),
    [
        ({}, InputError, "2 of 3 columns can be shown; name them"),
        (
            {"columns": [0, 1]},
            InputError,
            "1 column without a value is not shown; say rest=",
        ),
        ({"columns": [0, "z"], "rest": 0}, ColumnError, "no column 'z'; there are x1, x2, x3"),
        ({"columns": [0, 9], "rest": 0}, ColumnError, "no column 9"),
        ({"columns": [0, 0], "rest": 0}, ColumnError, "wanted different columns"),
        ({"columns": [0, 1], "rest": [1, 2]}, InputError, "wanted 'mean', a number, or 3"),
        ({"columns": [0, 1], "rest": "middle"}, InputError, "wanted 'mean'"),
        ({"columns": [0, 1], "rest": {0: 1}}, InputError, "rest: there is no value for x3"),
    ],
)
def test_columns_are_refused_clearly(settings, kind, said):
    with pytest.raises(kind, match=said):
        pictures.decision_line(((1, 2, 3), 0), [[1, 2, 3], [4, 5, 6]], [0, 1], **settings)


def test_models_that_have_no_line():
    X, y = [[0, 0], [0, 1], [1, 0]], ["a", "b", "c"]
    with pytest.raises(InputError, match="3 classes, wanted two; see their regions"):
        pictures.decision_line(LinearClassifier().fit(X, y), X, y)
    kernel = KernelClassifier().fit(X, ["a", "b", "b"])
    with pytest.raises(KindError, match="regions of kernels"):
        pictures.decision_line(kernel, X, ["a", "b", "b"])
    with pytest.raises(InputError, match="weights are 0"):
        pictures.decision_line(([0, 0], 1), X, [0, 1, 1], columns="edge-on")


@pytest.mark.parametrize("w", [(0, 0), (1, 0), (0, -1), (1e-300, 1e-300), (1e150, 1)])
@pytest.mark.parametrize("c", [0, -0.5, 1e9])
def test_any_line_can_be_drawn(w, c):
    picture = pictures.decision_line((w, c), [[0, 0], [1, 1]], [0, 1])
    line = picture.data["line"]
    assert (line["ends"] is None) == bool(line["why"])


# The plane.
def test_the_plane_is_cut_at_the_window():
    data = pictures.decision_plane(((1, 1, 1), -1.5), [[0, 0, 0], [1, 1, 1]], [0, 1]).data
    assert len(data["plane"]) == 6
    for corner in data["plane"]:
        assert sum(corner) == near(1.5, 20)
    assert (
        pictures.decision_plane(((0, 0, 0), 1), [[0, 0, 0], [1, 1, 1]], [0, 1]).data["plane"] == []
    )


# Regions.
def test_regions_are_what_the_model_answers():
    X, y = exercise()
    clf = LinearClassifier().fit(X, y)
    data = pictures.decision_regions(clf, X, y, cells=7).data
    for j, b in enumerate(data["y"]):
        for i, a in enumerate(data["x"]):
            assert data["classes"][data["answers"][j][i]] == clf.predict([[a, b]])[0]
    foreign = LogisticRegression().fit(X, y)
    assert pictures.decision_regions(foreign, X, y, cells=3).data["wrong"] >= 0


# Criteria: the story of figure 5.12 in whole numbers.
def test_the_way_and_the_values_of_the_criteria():
    trace = in_two_weights()
    data = pictures.criterion_surfaces(trace, b=2).data
    assert data["trajectory"] == [[0, 0], [-1, 0], [-1, 2], [-3, 0], [-3, 2]]
    assert data["rows"] == [[1], [2], [0], [2]]
    Z = [[-2, -2], [-1, 0], [0, 2]]
    for name, values in data["values"].items():
        kind = criteria.get(name, b=2) if name == "relaxation-criterion" else criteria.get(name)
        expected = [float(kind.value(Z, [int(v) for v in w])) for w in data["trajectory"]]
        assert values == near(expected, 200)
        surface = data["surfaces"][name]
        for i, j in ((0, 0), (40, 13), (80, 80), (7, 66)):
            w = [data["x"][j], data["y"][i]]
            assert surface[i][j] == near(float(kind.value(Z, w)), 200)
    # Inside the solution region every row is right: a1 < 0 < a2 < -a1.
    assert data["solution"]
    for a1, a2 in data["solution"]:
        assert (
            a1 <= 10 * roundings(100)
            and a2 >= -10 * roundings(100)
            and a1 + a2 <= 10 * roundings(100)
        )


def test_three_weights_are_shown_two_at_a_time():
    trace = textbook.trace(*MODIFIED_OR)
    with pytest.raises(InputError, match="got a trace of 3 weights, wanted 2, or weights"):
        pictures.criterion_surfaces(trace)
    data = pictures.criterion_surfaces(trace, weights=(0, 2)).data
    assert data["weights"] == ["weight of x1", "threshold w0"]
    assert data["held"] == {"weight of x2": 1.0}
    assert data["values"]["misclassified"][-1] == 0
    for bad in ((0, 0), (0, 3), (0,)):
        with pytest.raises(InputError, match="weights"):
            pictures.criterion_surfaces(trace, weights=bad)


def test_no_weights_solve_what_is_not_separable():
    trace = textbook.trace([[1], [1]], [1, -1], max_iter=3)
    assert pictures.criterion_surfaces(trace).data["solution"] == []
    zero = textbook.trace([[1, 0], [0, 0]], [1, -1], bias_feature=None, max_iter=3)
    with pytest.raises(InputError, match="row 1 is zero"):
        pictures.criterion_surfaces(zero)


# Mistakes and bounds.
def test_mistakes_stay_under_the_bound():
    X, y = exercise()
    clf = fitted(X, y)
    data = pictures.mistakes(clf, bound=rules.Geometry(radius=10.0, gamma=0.5)).data
    assert data["bound"] == 400 and data["corrections_so_far"][-1] == clf.n_corrections_
    assert data["mistakes"] == [record.mistakes for record in clf.history_]
    assert pictures.mistakes(clf.history_, bound=7).data["bound"] == 7
    assert pictures.mistakes(clf.history_).data["bound"] is None
    scw = LinearClassifier("scw1", max_iter=2).fit(X, y)
    data = pictures.mistakes(scw, bound=rules.Geometry(radius=10.0, gamma=0.5)).data
    assert data["bound"] is None and "prove none" in data["no_bound"]
    with pytest.raises(InputError, match="a geometry needs the model"):
        pictures.mistakes(clf.history_, bound=rules.Geometry(radius=1.0, gamma=1.0))
    with pytest.raises(InputError, match="has no epoch.*use fit"):
        pictures.mistakes([])


def test_the_bound_is_that_of_bounds():
    X, y = exercise()
    clf = fitted(X, y)
    assert pictures.mistakes(clf).data["bound"] == clf.bounds_["Novikoff"].value
    found = bounds.of(clf, X, y, certify(X, y))
    assert pictures.mistakes(clf, bound=found).data["bound"] == found["Novikoff"].value
    romma = fitted(X, y, rule="romma")
    found = bounds.of(romma, X, y)
    data = pictures.mistakes(romma, bound=found).data
    assert data["bound_of"] == "mistakes" and data["bound"] == found["romma's own"].value
    batch = LinearClassifier(order="batch").fit(X, y)
    data = pictures.mistakes(batch, bound=bounds.of(batch, X, y)).data
    assert data["mistakes_so_far"][-1] <= data["bound"]
    ovr = LinearClassifier(multiclass="ovr", max_iter=3).fit(X, ["a", "b", "c", "d"] * 5)
    assert "a bound each" in pictures.mistakes(ovr).data["no_bound"]
    xor = LinearClassifier(order="cyclic", max_iter=3).fit([[0], [0]], [0, 1])
    assert pictures.mistakes(xor).data["no_bound"]


# Weights: Novikoff's two lines.
def test_the_weights_stay_between_the_lines():
    trace = textbook.trace(*exercise())
    data = pictures.weights(trace).data
    assert len(data["length"]) == trace.outcome.corrections
    for least, length, most in zip(data["at_least"], data["length"], data["at_most"], strict=True):
        assert least <= length * (1 + roundings(100)) and length <= most * (1 + roundings(100))
    assert data["cosine"][-1] == near(1, 100)
    w = [Fraction(v) for v in trace.outcome.w]
    assert data["length"][-1] == near(math.sqrt(sum(v * v for v in w)), 60)


def test_the_lines_are_drawn_only_where_the_proof_holds():
    X, y = MODIFIED_OR
    for settings in (
        {"rule": "margin-perceptron"},
        {"order": "batch"},
        {"w": [1, 0, 0]},
        {"schedule": "1/step"},
    ):
        assert pictures.weights(textbook.trace(X, y, **settings)).data["at_most"] is None
    stuck = pictures.weights(textbook.trace(X, [-1, 1, 1, -1], max_iter=3)).data
    assert stuck["cosine"] is None and stuck["at_most"] and stuck["at_least"] is None
    assert 0.0 in stuck["length"]


def test_a_proof_is_the_best_known_separator():
    X, y = exercise()
    data = pictures.weights(textbook.trace(X, y), best=certify(X, y)).data
    lo, hi = certify(X, y).margin
    assert lo * (1 - roundings(1000)) <= data["gamma"] <= hi * (1 + roundings(1000))
    for bad in ((1, 2), (0, 0, 0)):
        with pytest.raises(InputError, match="got best="):
            pictures.weights(textbook.trace(X, y), best=bad)


# Margins.
def test_margins_are_distances():
    X, y = exercise()
    clf = fitted(X, y)
    data = pictures.margin_distribution(clf, X, y).data
    w, c = clf.coef_[0], clf.intercept_[0]
    sign = np.where(np.array(y) == "w2", 1, -1)
    expected = np.sort(sign * (np.array(X) @ w + c) / np.linalg.norm(w))
    assert data["margins"] == near(expected.tolist(), 60) and data["kind"] == "geometric"
    assert [y[i] for i in data["rows"]] == data["labels"]


def test_margins_of_votes_and_strangers_are_scores():
    X, y = exercise()
    voted = LinearClassifier(order="cyclic", readout="voted", keep="all").fit(X, y)
    assert pictures.margin_distribution(voted, X, y).data["kind"] == "functional"
    foreign = LogisticRegression().fit(X, y)
    data = pictures.margin_distribution(foreign, X, y).data
    assert data["kind"] == "functional" and data["wrong"] == sum(foreign.predict(X) != y)
    kernel = KernelClassifier(kernel="rbf").fit(X, y)
    assert pictures.margin_distribution(kernel, X, y).data["kind"] == "geometric"


def test_margins_of_many_classes_count_the_mistakes():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 3)), np.array(list("abc") * 20)
    clf = LinearClassifier(max_iter=3).fit(X, y)
    data = pictures.margin_distribution(clf, X, y).data
    assert data["wrong"] == sum(clf.predict(X) != y)


# Learning curves.
def test_learning_curves_are_the_errors_of_such_fits():
    X, y = exercise()
    clf = LinearClassifier(random_state=3)
    data = pictures.learning_curves(
        clf, X[:14], y[:14], validation=(X[6:], y[6:]), epochs=[1, 4]
    ).data
    for k, epochs in enumerate(data["epochs"]):
        again = LinearClassifier(random_state=3, keep="all", max_iter=epochs, until=None)
        again.fit(X[:14], y[:14])
        for name, errors in data["errors"].items():
            wrong = again.with_readout(name).predict(X[6:]) != np.array(y[6:])
            assert errors[k] == near(wrong.mean(), 4)
    assert not clf.__sklearn_is_fitted__()  # not fitted by it


@pytest.mark.parametrize("epochs", [[], [0, 1], [2, 1], [1, 1]])
def test_epochs_rise(epochs):
    X, y = MODIFIED_OR
    with pytest.raises(InputError, match="rising numbers"):
        pictures.learning_curves(LinearClassifier(), X, y, validation=(X, y), epochs=epochs)


# Verdicts.
def test_a_conflict_meets_in_one_point():
    X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    data = pictures.certificate(certify(X, y), X, y).data
    assert data["conflict"] == [0, 1, 2, 3] and data["meeting"] == [0.5, 0.5]
    triangle, inside = [[0, 0], [4, 0], [0, 4]], ["b", "b", "b", "a"]
    data = pictures.certificate(certify([*triangle, [1, 1]], inside), [*triangle, [1, 1]], inside)
    assert data.data["conflict"] == [0, 1, 2, 3] and data.data["meeting"] == near([1, 1], 100)
    pair = [[1, 2], [1, 2], [5, 5]]
    data = pictures.certificate(certify(pair, [0, 1, 1]), pair, [0, 1, 1]).data
    assert data["conflict"] == [0, 1] and data["meeting"] == [1, 2]


def test_no_row_enters_the_band():
    X, y = exercise()
    data = pictures.certificate(certify(X, y), X, y).data
    a, b, c = data["line"]["coefficients"]
    distances = [abs(a * p + b * q + c) / math.hypot(a, b) for p, q in X]
    assert data["margin"] == near(min(distances), 60) and data["margin"] > 0
    assert min(distances) == near(distances[data["nearest"][0]], 60)


def test_a_class_against_the_rest_and_an_undecided_verdict():
    X, y = [[0, 0], [0, 1], [1, 0], [5, 5]], ["a", "b", "b", "c"]
    data = pictures.certificate(certify(X, y, positive="c"), X, y).data
    assert data["classes"] == ["a", "b", "c"] and data["verdict"] == "separable"
    with pytest.raises(InputError, match="wanted 2, which make a plane"):
        pictures.certificate(
            certify([[1, 2, 3], [4, 5, 6]], [0, 1]), [[1, 2, 3], [4, 5, 6]], [0, 1]
        )
    with pytest.raises(KindError, match="wanted what certify"):
        pictures.certificate("separable", X, y)


# The cones are dual.
def test_the_rays_stand_upright_on_each_other():
    from hardlimit import cones

    data = pictures.cones(cones.of_vectors([[1, 0], [1, 2], [2, -1]])).data
    (w1, w2), (g1, g2) = data["solution"], data["covering"]
    assert w1[0] * g2[0] + w1[1] * g2[1] == near(0, 60, size=10)
    assert w2[0] * g1[0] + w2[1] * g1[1] == near(0, 60, size=10)
    assert sum(data["widths"].values()) == near(math.pi, 100)
    with pytest.raises(KindError, match="got str"):
        pictures.cones("cone")
    with pytest.raises(InputError, match="wanted 2"):
        pictures.cones(cones.of_vectors([[1, 0, 0], [0, 1, 0]]))
