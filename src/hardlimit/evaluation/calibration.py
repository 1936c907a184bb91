"""Probabilities from scores: a slope and nothing else, so that the prediction stays the same.

For two classes and for many, with the score ``f`` of a row::

    p = 1 / (1 + exp(-a f))          p_k = exp(a f_k) / sum_j exp(a f_j)          a > 0

Many classes are normalised by the softmax: their scores compete, and only differences of them mean
anything. An intercept, as Platt's, would move the border between the classes: the most probable
class would not be the predicted one. The slope minimises the log loss of scores that were made out
of sample, by Newton's steps inside a bracket; the loss is convex in ``a``. Targets are Platt's,
drawn away from 0 and 1 by an example each, so that separated scores give a finite slope. The slope
is part of a model file: it is made of sums in the order of the rows and of our own exponentials.

Platt, Advances in Large Margin Classifiers (1999), with the intercept left out; Guo, Pleiss, Sun
and Weinberger, ICML 2017, who call ``1 / a`` the temperature.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from hardlimit.engine import exponentials, ordered_sum
from hardlimit.evaluation.label_folds import deal_label_sets
from hardlimit.foundation.types import Array, SampleWeight

FOLDS = 5
STEPS = 100  # of Newton or bisection; about ten are taken
LEAST, MOST = 1e-6, 1e6  # of a times the root of the mean square of the scores
MOST_ANSWERS = 1 << 22  # of several labels that a slope is fitted to


@dataclass(frozen=True)
class Slope:
    """``p = softmax(a f)``, the two classes' ``f`` being 0 and the score.

    >>> Slope(2.0).probabilities(np.array([0.0, 1.0])).round(3)
    array([[0.5  , 0.5  ],
           [0.119, 0.881]])
    """

    a: float

    def probabilities(self, scores: Array) -> Array:
        """Probabilities (n_rows, n_classes) of scores as ``decision_function`` gives them.

        The largest belongs to the class of the largest score, the first of them at a tie: where
        rounding made equal what was not, the right one is raised by its last bit.
        """
        wide = _widen(scores)
        right = wide.argmax(1)
        p = _softmax(self.a * (wide - wide.max(1, keepdims=True)))
        # Rounding can make probabilities equal where scores are not; the prediction's must win.
        rows = np.flatnonzero(p.argmax(1) != right)
        p[rows, right[rows]] = np.nextafter(p[rows].max(1), 2)
        return p


@dataclass(frozen=True)
class LabelSlope(Slope):
    """``p = 1 / (1 + exp(-a f))`` of each of several labels, one slope for all of them.

    Of a rare label there are too few rows for a slope of its own.

    >>> LabelSlope(2.0).probabilities(np.array([[0.0, 1.0]])).round(3)
    array([[0.5  , 0.881]])
    """

    def probabilities(self, scores: Array) -> Array:
        """Probabilities (n_rows, n_labels), above 0.5 exactly where the score is above 0."""
        # Of -|f|, whose exponential does not overflow.
        small = exponentials(-self.a * np.abs(scores))
        p: Array = np.where(scores > 0, 1.0, small) / (1 + small)
        p[(scores > 0) & (p <= 0.5)] = np.nextafter(0.5, 1)
        return p


def fit_label_slope(scores: Array, truth: Array, weights: SampleWeight = None) -> LabelSlope:
    """Return the slope of least log loss of all labels together, (n_rows, n_labels).

    Of very many answers rows at even distances are looked at.

    >>> scores = np.array([[-2.0, -1.0], [1.0, 2.0], [-1.0, 1.0]])
    >>> fit_label_slope(scores, np.array([[0, 0], [1, 1], [1, 1]])).a.__round__(3)
    0.641
    """
    step = max(1, scores.size // MOST_ANSWERS)
    chosen = slice(None, None, step)
    flat, targets = scores[chosen].ravel(), truth[chosen].ravel().astype(np.int64)
    each = None
    if weights is not None:
        each = np.repeat(np.asarray(weights, np.float64)[chosen], scores.shape[1])
    return LabelSlope(fit_slope(flat, targets, each).a)


def deal_folds(
    labels: Sequence[Hashable], folds: int = FOLDS, keys: Sequence[Hashable] | None = None
) -> Array:
    """Return the fold of each example; -1 for the only one of its class.

    The examples of each class are dealt to the folds in turn, so that nothing is left to chance.
    ``keys``: examples of equal keys, such as equal texts, go to one fold.

    >>> deal_folds(["a", "a", "b", "a"], 2).tolist()
    [0, 1, -1, 0]
    >>> deal_folds(["a", "a", "b", "a"], 2, ["x", "x", "y", "z"]).tolist()
    [0, 0, -1, 1]
    """
    keys = range(len(labels)) if keys is None else keys
    met: dict[Hashable, int] = {}
    fold_of: dict[Hashable, int] = {}
    pairs: set[tuple[Hashable, Hashable]] = set()
    for label, key in zip(labels, keys, strict=True):
        if (label, key) not in pairs:
            pairs.add((label, key))
            met[label] = met.get(label, 0) + 1
        fold_of.setdefault(key, (met[label] - 1) % folds)
    # Were it held out, the model that is asked would not know its class.
    for label, key in pairs:
        if met[label] == 1:
            fold_of[key] = -1
    return np.array([fold_of[key] for key in keys], np.int64)


def deal_label_folds(
    truth: Array, folds: int = FOLDS, keys: Sequence[Hashable] | None = None
) -> Array:
    """Return the fold of each example of several labels, (n, n_labels) of truth.

    Every label has its share of each fold, as nearly as the others allow; see `label_folds`.

    >>> deal_label_folds(np.array([[1, 0], [1, 1], [0, 1], [0, 0]]), 2).tolist()
    [0, 1, 0, 1]
    """
    place_of: dict[Hashable, int] = {}
    # The examples of equal keys are one, with all labels that any of them has.
    places = [place_of.setdefault(key, len(place_of)) for key in keys or range(len(truth))]
    sets: list[set[int]] = [set() for _ in place_of]
    sizes = np.bincount(places, minlength=len(sets)).tolist()
    for place, row in zip(places, truth, strict=True):
        sets[place].update(np.flatnonzero(row).tolist())
    parts = np.array(deal_label_sets(sets, [1 / folds] * folds, sizes), np.int64)
    return parts[places]


def fit_slope(scores: Array, targets: Array, weights: SampleWeight = None) -> Slope:
    """Return the slope of least log loss for scores, class numbers and weights of examples.

    >>> fit_slope(np.array([-2.0, -1.0, 1.0, 2.0, -1.0]), np.array([0, 0, 1, 1, 1])).a.__round__(3)
    0.526
    """
    wide = _widen(scores)
    counts = np.ones(len(wide)) if weights is None else np.asarray(weights, np.float64)
    # In units of the scores, so that one bracket serves weights of any length.
    unit = _spread(wide)
    if not unit > 0:
        return Slope(1.0)  # all scores are equal, and so are all probabilities
    smooth = _smooth_targets(targets, wide.shape[1], counts)
    return Slope(_minimise_loss(wide / unit, smooth, counts) / unit)


def find_slope(scores: Array, targets: Array, weights: SampleWeight = None) -> Slope:
    """Return the slope for class numbers (n_rows,), or for truth values (n_rows, n_labels)."""
    return (fit_slope if targets.ndim == 1 else fit_label_slope)(scores, targets, weights)


def _widen(scores: Array) -> Array:
    """Scores (n_rows, n_classes); of two classes the first has 0."""
    if scores.ndim == 2:
        return scores
    wide = np.zeros((len(scores), 2))
    wide[:, 1] = scores
    return wide


def _spread(wide: Array) -> float:
    """The root of the mean square of the scores, each row's less its mean."""
    apart = wide - ordered_sum(wide, 1)[:, None] / wide.shape[1]
    largest = np.abs(apart).max()
    if not largest > 0:
        return 0.0
    # Divided first: squares of very large scores overflow.
    squares = ordered_sum(np.square(apart / largest).ravel())
    return float(largest * np.sqrt(squares / apart.size))


def _softmax(scores: Array) -> Array:
    """Of scores whose largest in each row is 0."""
    powers = exponentials(scores)
    shares: Array = powers / ordered_sum(powers, 1)[:, None]
    return shares


def _smooth_targets(targets: Array, n_classes: int, weights: Array) -> Array:
    """Targets (n_rows, n_classes): (n + 1) / (n + 2) for the right class of n examples.

    The others share the rest, so that many classes of few examples do not drown the right one.
    """
    counts = np.bincount(targets, weights, n_classes)
    # Platt's targets: with 0 and 1 the slope of separable scores has no largest value.
    rest = 1 / (counts[targets] + 2)
    smooth = np.repeat(rest / max(n_classes - 1, 1), n_classes).reshape(-1, n_classes)
    smooth[np.arange(len(targets)), targets] = rest * (counts[targets] + 1)
    return smooth


def _minimise_loss(f: Array, smooth: Array, weights: Array) -> float:
    """Newton's steps on the log loss; where one leaves the bracket, its middle is taken."""
    low, high, a = LEAST, MOST, 1.0
    for _ in range(STEPS):
        slope, curvature = _derivatives(a, f, smooth, weights)
        # The loss is convex in a, so that its slope tells on which side the minimum lies.
        low, high = (low, a) if slope > 0 else (a, high)
        step = a - slope / curvature if curvature > 0 else 0.0
        # The bracket spans twelve powers of ten: its middle is that of the logarithms.
        new = step if low < step < high else float(np.sqrt(low * high))
        if abs(new - a) <= 1e-12 * a:
            break
        a = new
    return a


def _derivatives(a: float, f: Array, smooth: Array, weights: Array) -> tuple[float, float]:
    """The first and second derivative of the log loss by the slope."""
    p = _softmax(a * (f - f.max(1, keepdims=True)))
    expected = ordered_sum(p * f, 1)
    first = weights * (expected - ordered_sum(smooth * f, 1))
    second = weights * (ordered_sum(p * f * f, 1) - expected * expected)
    return float(ordered_sum(first)), float(ordered_sum(second))


# How good probabilities are.


@dataclass(frozen=True)
class Bin:
    """Rows of about equal probability: how many, their mean probability, the share correct."""

    n: int
    probability: float
    correct: float


@dataclass(frozen=True)
class ProbabilityFigures:
    """How good probabilities are on rows whose class is known.

    log_loss : the mean of ``-log p`` of the true class, 0 is perfect; p is at least 2.2e-16.
    brier : the mean square error of the probabilities (Brier, Monthly Weather Review 78 (1950)): of
        two classes that of the second class, of more the sum over the classes.
    expected_error : expected calibration error, the mean difference of the bins' two shares.
    bins : ten parts of as many rows each, by the probability of the predicted class.
    """

    n: int
    log_loss: float
    brier: float
    expected_error: float
    bins: tuple[Bin, ...]


BINS = 10
_LEAST = float(np.finfo(np.float64).eps)  # of a probability: one row must not cost infinity


def probability_figures(probabilities: Array, targets: Array) -> ProbabilityFigures:
    """Measure probabilities (n_rows, n_classes) against class numbers (n_rows,).

    >>> found = probability_figures(np.array([[0.9, 0.1], [0.2, 0.8]]), np.array([0, 1]))
    >>> round(found.log_loss, 4), round(found.brier, 4), round(found.expected_error, 4)
    (0.1643, 0.025, 0.15)
    """
    return figures_of_errors(find_errors(probabilities, targets))


class CalibrationErrors(NamedTuple):
    """What the figures take of each row, whatever the number of classes; arrays (n_rows,).

    true : the probability of the true class.    squared : the squared error.    top : the largest
    probability.    right : whether the class with it is the true one.
    """

    true: Array
    squared: Array
    top: Array
    right: Array


def find_errors(probabilities: Array, targets: Array) -> CalibrationErrors:
    """Return what the figures take of each row."""
    p = np.asarray(probabilities, np.float64)
    rows = np.arange(len(p))
    error = p.copy()
    error[rows, targets] -= 1
    squared = np.square(error[:, 1]) if p.shape[1] == 2 else np.square(error).sum(1)
    return CalibrationErrors(p[rows, targets], squared, p.max(1), p.argmax(1) == targets)


def figures_of_errors(errors: CalibrationErrors) -> ProbabilityFigures:
    """Return the figures of rows, in their order."""
    n = len(errors.true)
    bins = reliability_bins(errors.top, errors.right)
    gap = sum(one.n * abs(one.probability - one.correct) for one in bins) / n
    loss = float(-np.log(np.maximum(errors.true, _LEAST)).mean())
    return ProbabilityFigures(n, loss, float(errors.squared.mean()), gap, bins)


def reliability_bins(p: Array, correct: Array) -> tuple[Bin, ...]:
    """Return ten equal parts by the probability of the predicted class."""
    # Parts of equal size: probabilities crowd near 1, and bins of equal width stay empty.
    order = np.argsort(p, kind="stable")
    parts = [part for part in np.array_split(order, BINS) if len(part)]
    return tuple(Bin(len(a), float(p[a].mean()), float(correct[a].mean())) for a in parts)
