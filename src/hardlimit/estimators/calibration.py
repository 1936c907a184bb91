"""Probabilities from scores: a slope and nothing else, so that the prediction stays the same.

For two classes and for many, with the score ``f`` of a row::

    p = 1 / (1 + exp(-a f))          p_k = exp(a f_k) / sum_j exp(a f_j)          a > 0

An intercept, as Platt's, would move the border between the classes: the most probable class would
not be the predicted one. The slope minimises the log loss of scores that were made out of sample,
by Newton's steps inside a bracket; the loss is convex in ``a``. Targets are Platt's, drawn towards
each other by one example a class, so that separated scores give a finite slope.

Platt, Advances in Large Margin Classifiers (1999), with the intercept left out; Guo, Pleiss, Sun
and Weinberger, ICML 2017, who call ``1 / a`` the temperature.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass

import numpy as np

from hardlimit.classifiers.kernel import KernelClassifier
from hardlimit.classifiers.linear import LinearClassifier
from hardlimit.classifiers.model.labels import as_list
from hardlimit.exceptions import Given, InputError, Setting
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.types import Array, ArrayLike, Labels, SampleWeight

Classifier = LinearClassifier | KernelClassifier

FOLDS = 5
STEPS = 100  # of Newton or bisection; about ten are taken
LEAST, MOST = 1e-6, 1e6  # of a times the root of the mean square of the scores


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


def centred_scores(model: Classifier, X: ArrayLike) -> Array:
    """Return the scores of a classifier, with the border between two classes at 0."""
    scores: Array = model.decision_function(X)
    return scores - model.threshold_ if scores.ndim == 1 else scores


def calibrate(
    model: Classifier, X: ArrayLike, y: Labels, sample_weight: SampleWeight = None
) -> Slope:
    """Return the slope for a validation set, which the model must not have learnt from."""
    codes = model.fitted.classes.codes(as_list(y))
    return fit_slope(centred_scores(model, X), codes, sample_weight)


def cross_calibrate(
    make: Callable[[], Classifier],
    X: Array,
    y: Array,
    sample_weight: SampleWeight = None,
    *,
    folds: int = FOLDS,
    pairwise: bool = False,
) -> Slope:
    """Return the slope for scores that were each made by a model that had not seen the row.

    ``make()`` gives a classifier that was not fitted. The examples of each class are dealt to the
    folds in turn, so that nothing is left to chance; the only one of its class is always learnt.
    ``pairwise``: X holds a kernel's values, a column an example.

    Cost: a fit for each fold.

    Raises
    ------
    InputError
        When every class has one example only.
    """
    weights = None if sample_weight is None else np.asarray(sample_weight, np.float64)
    labels = as_list(y)
    there = np.arange(len(labels)) if weights is None else np.flatnonzero(weights)
    # -2 marks rows of weight 0, -1 the only row of a class: neither is ever held out.
    fold = np.full(len(labels), -2)
    fold[there] = _deal_folds([labels[place] for place in there], folds)
    all_scores, all_targets = [], []
    for held_out in range(folds):
        rows, rest = np.flatnonzero(fold == held_out), np.flatnonzero(fold != held_out)
        if len(rows):
            # A Gram matrix has a column a training row: rows held out leave as columns too.
            known = (slice(None), rest) if pairwise else slice(None)
            model = make().fit(X[rest][known], y[rest], None if weights is None else weights[rest])
            all_scores.append(centred_scores(model, X[rows][known]))
            all_targets.append(model.fitted.classes.codes([labels[row] for row in rows]))
    if not all_scores:
        raise InputError(
            parameter="probability",
            got=Given(f"one example of each of {plural(len(there), 'class', 'classes')}"),
            wanted="a class with two at least, of which one is learnt and the other asked",
            fix=("use ", Setting("probability", False)),
        )
    # The scores were gathered fold by fold, and the weights follow them.
    in_order = np.concatenate([np.flatnonzero(fold == k) for k in range(folds)])
    return fit_slope(
        np.concatenate(all_scores),
        np.concatenate(all_targets),
        None if weights is None else weights[in_order],
    )


def _deal_folds(labels: list[Hashable], folds: int) -> Array:
    """The fold of each example; -1 for the only one of its class."""
    met: dict[Hashable, int] = {}
    fold = np.empty(len(labels), np.int64)
    for place, label in enumerate(labels):
        met[label] = met.get(label, 0) + 1
        fold[place] = (met[label] - 1) % folds
    # Were it held out, the model that is asked would not know its class.
    fold[[met[label] == 1 for label in labels]] = -1
    return fold


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


def _widen(scores: Array) -> Array:
    """Scores (n_rows, n_classes); of two classes the first has 0."""
    if scores.ndim == 2:
        return scores
    wide = np.zeros((len(scores), 2))
    wide[:, 1] = scores
    return wide


def _spread(wide: Array) -> float:
    """The root of the mean square of the scores, each row's less its mean."""
    apart = wide - wide.mean(1, keepdims=True)
    largest = np.abs(apart).max()
    if not largest > 0:
        return 0.0
    # Divided first: squares of very large scores overflow.
    return float(largest * np.sqrt(np.square(apart / largest).mean()))


def _softmax(scores: Array) -> Array:
    """Of scores whose largest in each row is 0."""
    powers = np.exp(scores)
    shares: Array = powers / powers.sum(1, keepdims=True)
    return shares


def _smooth_targets(targets: Array, n_classes: int, weights: Array) -> Array:
    """Targets (n_rows, n_classes): the right class has (n + 1) / (n + classes) of its n."""
    counts = np.bincount(targets, weights, n_classes)
    # Platt's targets: with 0 and 1 the slope of separable scores has no largest value.
    smooth = np.repeat(1 / (counts[targets] + n_classes), n_classes).reshape(-1, n_classes)
    smooth[np.arange(len(targets)), targets] *= counts[targets] + 1
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
    expected = (p * f).sum(1)
    first = weights * (expected - (smooth * f).sum(1))
    second = weights * ((p * f * f).sum(1) - expected * expected)
    return float(first.sum()), float(second.sum())
