"""One of each picture, small and fixed, for the checks that hold for all."""

from __future__ import annotations

import functools

import numpy as np

from hardlimit import LinearClassifier, pictures

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


@functools.cache
def drawn(name):
    """The picture of that name."""
    return globals()[name]()
