"""What classifiers with probabilities add: probabilities, the best classes, answers when sure."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from hardlimit.classifiers.base import Labels, Scores
from hardlimit.classifiers.fitting import calibrating
from hardlimit.classifiers.incremental import IncrementalClassifier
from hardlimit.exceptions import InputError, NotFittedError
from hardlimit.foundation.parameters import as_float
from hardlimit.foundation.workers import with_own_workers

if TYPE_CHECKING:
    from hardlimit.classifiers.model.model import Model
    from hardlimit.evaluation import ThresholdChoice
    from hardlimit.evaluation.calibration import Slope
    from hardlimit.foundation.types import ArrayLike, SampleWeight, Targets


class ProbabilisticClassifier(IncrementalClassifier):
    """A classifier whose scores a slope turns into probabilities; see ``predict_proba``."""

    @with_own_workers
    def decision_function(self, X: Any) -> Scores:
        """Scores: (n_rows,) for two classes, positive for the second; else (n_rows, n_classes).

        Of several labels (n_rows, n_labels), positive where the label, or the second of the values
        of a column, is predicted.
        """
        model = self.fitted
        return model.classes.squeeze(model.scores_of(X))

    @with_own_workers
    def predict(self, X: Any) -> Labels:
        """Classes of the rows, shape (n_rows,); a tie goes to the first class.

        So does a text without a known term. Of several labels the values of the columns, (n_rows,
        n_labels), or a tuple of labels a row, as the fit was given.
        """
        # Asked once: a fit in another thread puts a new model in its place.
        return self.fitted.predict(X)

    def calibration_scores(self, X: ArrayLike) -> Scores:
        """Return the scores that a slope is fitted to: the border between two classes is at 0.

        Their bits are the same on every machine, as those of the slope in a model file.
        """
        model = self.fitted
        return model.classes.centre(model.repeatable_scores_of(X), model.threshold)

    @property
    def predict_proba(self) -> Callable[[Any], Scores]:
        """Probabilities ``predict_proba(X)``, (n_rows, n_classes), in the order of ``classes_``.

        With ``probability=True`` a fit also fits one slope ``a > 0``, by scores that a second fit
        gave to examples that it had not seen (a quarter of them; of fewer than 1,000 each fifth in
        turn)::

            p = 1 / (1 + exp(-a f))      two classes, f the score less the threshold
            p_k = exp(a f_k) / sum_j exp(a f_j)      more: their scores compete

        Of several labels each has a probability by itself, with one slope for all of them::

            p_k = 1 / (1 + exp(-a f_k))

        These do not move with ``threshold_``. So the most probable class is the predicted one.
        Where a stream has moved the weights since, or another read-out answers, there are none
        until :meth:`calibrate`.

        Platt, Advances in Large Margin Classifiers (1999), without the intercept; Guo, Pleiss, Sun
        and Weinberger, ICML 2017.
        """
        model = self._model
        # An attribute that is not there: so tools ask whether a classifier has probabilities.
        if not self.probability and (model is None or model.calibration is None):
            raise AttributeError("predict_proba: wanted probability=True before fit")
        return self._predict_proba

    @with_own_workers
    def _predict_proba(self, X: ArrayLike) -> Scores:
        model = self.fitted
        centred = model.classes.centre(model.scores_of(X), model.threshold)
        return self._slope(model).probabilities(centred)

    @with_own_workers
    def calibrate(self, X: Any, y: Targets, sample_weight: SampleWeight = None) -> Self:
        """Fit the slope of ``predict_proba`` on examples that were not learnt from."""
        model = self.fitted
        with model.reading:
            scores = model.classes.centre(model.repeatable_scores_of(X), model.threshold)
            model.calibrate(calibrating.slope_of(model, scores, y, sample_weight))
        return self

    @with_own_workers
    def choose_threshold(
        self,
        X: ArrayLike,
        y: Targets,
        *,
        max_false_positive: float | None = None,
        max_f1: bool = False,
        max_accuracy: bool = False,
        positive: Hashable = None,
    ) -> ThresholdChoice:
        """Set ``threshold_`` by examples that were not learnt from, for one of three goals.

        ``max_false_positive``: at most this share of the other class is predicted ``positive``
        (default: the second class), with 95 % confidence for new examples. ``max_f1``: the largest
        F1 of ``positive``; of several labels the largest micro-F1. ``max_accuracy``: the fewest
        errors. Return the choice, whose ``point`` has what it does on these examples.
        """
        # start-up: few choose one
        from hardlimit.classifiers.fitting.thresholding import choose_threshold
        from hardlimit.evaluation import Goal

        goal = Goal(max_false_positive, max_f1, max_accuracy)
        model = self.fitted
        scores = model.scores_of(X)
        return choose_threshold(model, model.classes.squeeze(scores), y, goal, positive)

    @with_own_workers
    def predict_top(self, X: ArrayLike, top: int = 3) -> list[list[tuple[Hashable, float]]]:
        """The ``top`` classes, or labels, of each row, best first, each with its probability.

        Without a calibration, with its score.
        """
        if int(top) != top or top < 1:
            raise InputError(parameter="top", got=top, wanted="a whole number of at least 1")
        model = self.fitted
        scores, labels = model.scores_of(X), list(model.classes.numbers)
        centred = model.classes.centre(scores, model.threshold)
        order = centred if centred.ndim == 2 else np.column_stack([-centred, centred])
        slope = model.slope
        values = model.classes.widen(scores) if slope is None else slope.probabilities(centred)
        # Stable: of equal scores the first class comes first, as predicted.
        best = np.argsort(-order, axis=1, kind="stable")[:, :top]
        return [
            [(labels[k], float(row[k])) for k in places]
            for row, places in zip(values, best.tolist(), strict=True)
        ]

    @with_own_workers
    def predict_confident(
        self, X: ArrayLike, min_probability: float = 0.9, unsure: Hashable = None
    ) -> Labels:
        """Classes of the rows, and ``unsure`` where the probability is below ``min_probability``.

        Also ``unsure`` is a text of which the model knows no term, however probable its class.
        An array of objects, (n_rows,). Of sets of labels each tuple has the labels that are at
        least so probable, perhaps none; of a matrix of labels ``unsure`` stands where neither
        value is, (n_rows, n_labels).
        """
        if not 0 <= as_float(min_probability) <= 1:
            wanted = "a number from 0 to 1"
            raise InputError(parameter="min_probability", got=min_probability, wanted=wanted)
        model = self.fitted
        slope = self._slope(model)
        scores, known = model.scores_and_known(X)
        p = slope.probabilities(model.classes.centre(scores, model.threshold))
        return model.classes.name_confident(p, float(min_probability), unsure, known)

    def _slope(self, model: Model) -> Slope:
        slope = model.slope
        if slope is None:
            raise NotFittedError(
                "probabilities need a calibration",
                who=type(self).__name__,
                fix="call fit with probability=True, or after a stream calibrate(X, y) on a "
                "validation set",
            )
        return slope
