"""One of each picture, small and fixed, for the checks that hold for all."""

from __future__ import annotations

import functools
import hashlib
from xml.etree import ElementTree

import numpy as np

import hardlimit
from hardlimit import KernelClassifier, LinearClassifier, certify, pictures, rules, textbook
from hardlimit.classifiers.tuning import Trial, Tuning

MODIFIED_OR = [[-1, -1], [1, -1], [-1, 1], [1, 1]], [-1, 1, 1, 1]


def texts_of_two_classes():
    """Labels, scores and answers that overlap; half of the scores are tied."""
    rng = np.random.default_rng(0)
    y = np.where(rng.integers(0, 2, 60) == 1, "spam", "ham")
    scores = np.round(rng.normal(size=60) + (y == "spam"), 1)
    return y, scores, np.where(scores > 0.5, "spam", "ham")


def fitted(X, y, **settings):
    return LinearClassifier(order="cyclic", readout="last", **settings).fit(X, y)


def roc():
    y, scores, _ = texts_of_two_classes()
    return pictures.roc(y, scores, threshold=0.5)


def precision_recall():
    y, scores, _ = texts_of_two_classes()
    return pictures.precision_recall(y, scores, threshold=0.5)


def confusion():
    y, _, answers = texts_of_two_classes()
    return pictures.confusion(y, answers)


def margin_distribution():
    X, y = MODIFIED_OR
    return pictures.margin_distribution(fitted(X, y), X, y)


def steps():
    return pictures.steps(textbook.trace(*MODIFIED_OR))


def weight_vectors():
    return pictures.weight_vectors(textbook.trace(*MODIFIED_OR))


def decision_line():
    X, y = MODIFIED_OR
    return pictures.decision_line(fitted(X, y), X, y)


def criterion_surfaces():
    return pictures.criterion_surfaces(in_two_weights())


def mistakes():
    bound = rules.Geometry(radius=3**0.5, gamma=3**-0.5)
    return pictures.mistakes(fitted(*MODIFIED_OR), bound=bound)


def weights():
    return pictures.weights(textbook.trace(*exercise()))


def learning_curves():
    X, y = exercise()
    held_out = [[1, 2], [2, 1], [3, 2], [-1, 0]], ["w1", "w2", "w1", "w2"]
    clf = LinearClassifier(max_iter=3)
    return pictures.learning_curves(clf, X, y, validation=held_out, epochs=[1, 2, 4])


def decision_regions():
    X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], ["no", "yes", "yes", "no"]
    return pictures.decision_regions(KernelClassifier(kernel="rbf").fit(X, y), X, y, cells=40)


def decision_plane():
    corners = [[a, b, c] for a in (0, 1) for b in (0, 1) for c in (0, 1)]
    return pictures.decision_plane(((1, 1, 1), -1.5), corners, [sum(c) >= 2 for c in corners])


def certificate():
    X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    return pictures.certificate(certify(X, y), X, y)


def cones():
    Z = [[1, 0], [0.5, 1], [0.2, 0.3], [1.5, -0.4]]
    return pictures.cones(hardlimit.cones.of_vectors(Z))


def candidates():
    trials = [
        Trial(0, {}, (0.9, 0.94, 0.92), 300),
        Trial(2, {"words": (1, 1), "chars": None}, (0.9, 0.9, 0.92), 300),
        Trial(1, {"max_iter": 10}, (0.8, 0.9, 0.7), 100),
    ]
    return pictures.candidates(Tuning(tuple(trials), None, 3, "accuracy"))


@functools.cache
def drawn(name):
    """The picture of that name."""
    return globals()[name]()


@functools.cache
def svg(name):
    return drawn(name).svg()


def texts_of(text):
    """All texts of an SVG, without title and description."""
    root = ElementTree.fromstring(text)
    return ["".join(one.itertext()) for one in root.iter() if one.tag.endswith("}text")]


def digest(name):
    return hashlib.sha256(svg(name).encode()).hexdigest()


def many_candidates():
    trials = [
        Trial(k, {"stop_words": "a long name " * 5, "max_iter": k}, (1 - k / 100,) * 2, 900)
        for k in range(60)
    ]
    return pictures.candidates(Tuning(tuple(trials), None, 2, "macro-f1"))


# Beside one of each: what tends to be crowded.
CROWDED = {
    "sixty candidates of long names": many_candidates,
    "steps of 12 corrections": lambda: pictures.steps(textbook.trace(*exercise(), max_iter=3)),
    "steps in one window": lambda: pictures.steps(textbook.trace(*exercise()), panels=False),
    "steps without a line": lambda: pictures.steps(
        textbook.trace([[1, 2]] * 2, [1, -1], max_iter=2)
    ),
    "steps of a batch": lambda: pictures.steps(textbook.trace(*exercise(), order="batch")),
    "a line edge-on": lambda: pictures.decision_line(
        ([1, 2, 3], -1), [[1, 2, 3], [-1, 0, 4], [2, 2, -8]], [1, -1, -1], columns="edge-on"
    ),
    "a line of many columns": lambda: pictures.decision_line(
        ([1, 2, 3, 4], -1),
        [[1, 2, 3, 1], [-1, 0, 4, 2e-7], [2, 2, -8, 0]],
        ["a" * 40, "b", "b"],
        columns=[0, "name of a column " * 5],
        rest="mean",
        names=["x1", "x2", "x3", "name of a column " * 5],
    ),
    "criteria in space": lambda: pictures.criterion_surfaces(in_two_weights(), view="surfaces"),
    "criteria of three weights": lambda: pictures.criterion_surfaces(
        textbook.trace(*exercise()), weights=(1, 2)
    ),
    "many epochs and a far bound": lambda: pictures.mistakes(
        fitted([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0], max_iter=100), bound=1e9
    ),
    "weights without an end": lambda: pictures.weights(
        textbook.trace([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0], max_iter=50)
    ),
    "a band": lambda: pictures.certificate(certify(*exercise()), *exercise()),
    "regions of four classes": lambda: pictures.decision_regions(
        LinearClassifier().fit(*four_classes()), *four_classes(), cells=30
    ),
    "a plane out of sight": lambda: pictures.decision_plane(
        ((1, 1e-6, 1e6), -1e9), [[1, 1e6, 1e-6], [2, 3e6, 5e-6]], ["a", "b"]
    ),
    "a confusion of 12": lambda: pictures.confusion(
        *[[f"a long label {i}" for i in range(12)]] * 2
    ),
    "a confusion of 25": lambda: pictures.confusion(
        *[[f"a long label {i}" for i in range(25)]] * 2
    ),
}


def four_classes():
    X = [[a + p, b + q] for a in (0, 9) for b in (0, 9) for p in (0, 2) for q in (0, 3)]
    return X, [k for k in "abcd" for _ in range(4)]


def diagonal(n):
    labels = [f"a long label {i}" for i in range(n)]
    return pictures.confusion(labels, labels)


def in_two_weights():
    """The story of figure 5.12 of Duda, Hart and Stork with whole numbers."""
    Z = [[-2, -2], [-1, 0], [0, 2]]
    return textbook.trace(Z, [1, 1, 1], bias_feature=None, order=[[1, 2, 0]] * 9)


def exercise():
    """The first two classes of the computer exercises of Duda, Hart and Stork, chapter 5."""
    first = [(0.1, 1.1), (6.8, 7.1), (-3.5, -4.1), (2.0, 2.7), (4.1, 2.8), (3.1, 5.0),
             (-0.8, -1.3), (0.9, 1.2), (5.0, 6.4), (3.9, 4.0)]  # fmt: skip
    second = [(7.1, 4.2), (-1.4, -4.3), (4.5, 0.0), (6.3, 1.6), (4.2, 1.9), (1.4, -3.2),
              (2.4, -4.0), (2.5, -6.1), (8.4, 3.7), (4.1, -2.2)]  # fmt: skip
    return first + second, ["w1"] * 10 + ["w2"] * 10
