"""What all linear classifiers share: read-outs, predictions, counters."""

from __future__ import annotations

import copy
import secrets
import warnings
from typing import Any, Self

import numpy as np

from hardlimit import keep, orders
from hardlimit.classifiers.labels import as_list
from hardlimit.classifiers.training import Training
from hardlimit.exceptions import ConvergenceWarning, InputError, NotFittedError
from hardlimit.learner import EpochRecord, Outcome, Plan
from hardlimit.parameters import Parameterised
from hardlimit.rules._registry import resolve

Labels = np.ndarray[Any, Any]
Scores = np.ndarray[Any, Any]


class Default(str):
    """A default that does what its text says, but was not asked for: not to reach it is no news."""

    __slots__ = ()


class LinearModel(Parameterised):
    """The frozen answer, the training state behind it, and what was counted.

    The answer is an array (n_columns + 1, n_outputs), the bias's weights last; it is None after
    ``partial_fit``, when the current state answers on the columns of the row at hand.
    """

    rule: Any
    order: Any
    keep: Any
    readout: str
    averaging: str
    multiclass: str
    until: str | None
    max_iter: int
    tol: float
    fit_intercept: bool
    bias_feature: float
    class_weight: Any
    random_state: int | None

    _training: Training | None = None
    _answer: np.ndarray[Any, Any] | None = None
    _outcome: Outcome
    _training_errors: dict[str, int]

    @property
    def _bias(self) -> float:
        return float(self.bias_feature) if self.fit_intercept else 0.0

    def _check_parameters(self) -> Any:
        """The rule as an object; everything else in range."""
        keep.check(self.keep, self.readout, self.averaging)
        if not np.isfinite(self.bias_feature) or self.bias_feature == 0:
            raise InputError(
                f"bias_feature: got {self.bias_feature!r}, wanted a finite number other than 0; "
                "to learn through the origin set fit_intercept=False"
            )
        if not (self.tol >= 0):
            raise InputError(f"tol: got {self.tol!r}, wanted a number >= 0")
        return resolve(self.rule)

    def _plan(self, callback: Any) -> Plan:
        seed = self.random_state
        if seed is None:
            seed = secrets.randbits(63)
        if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
            raise InputError(f"random_state: got {seed!r}, wanted an int >= 0, or None for chance")
        return Plan(orders.resolve(self.order), self.until, self.max_iter, int(seed), callback)

    def _new_training(self, rule: Any, book: Any, n_columns: int) -> Training:
        averaged = "averaged" in keep.check(self.keep, self.readout, self.averaging)
        return Training(rule, self.multiclass, book, n_columns, averaged)

    @property
    def _fitted(self) -> Training:
        if self._training is None:
            raise NotFittedError(f"{type(self).__name__}: asked before fit; call fit(X, y) first")
        return self._training

    def _freeze(self, dtype: Any) -> None:
        training = self._fitted
        self._answer = training.state.weights(*training.mixture(self.readout, self.averaging))
        if not np.isfinite(self._answer).all():
            raise InputError(
                f"{type(self).__name__}: the weights overflowed; scale the columns of X down"
            )
        if dtype is not np.float64:
            self._answer = self._answer.astype(dtype)

    def _row_scores(self, rows: Any) -> Scores:
        """Scores (n_rows, n_outputs) by the answer, or by the current state after partial_fit."""
        if self._answer is not None:
            return rows.scores(self._answer)  # type: ignore[no-any-return]
        training = self._fitted
        return training.state.scores(rows, *training.mixture(self.readout, self.averaging))

    def _class_numbers(self, scores: Scores) -> Labels:
        """The class of each row; a tie goes to the first."""
        if scores.shape[1] > 1:
            return scores.argmax(1)
        if len(self._fitted.book) < 2:
            return np.zeros(len(scores), np.intp)
        return (scores[:, 0] > 0).astype(np.intp)

    def _count_errors(self, rows: Any, targets: Any, weights: Any) -> None:
        wrong = self._class_numbers(self._row_scores(rows)) != targets
        if weights is not None:
            wrong &= weights > 0
        self._training_errors[self.readout] = int(np.count_nonzero(wrong))

    def _warn_unreached(self) -> None:
        asked = self.until is not None and not isinstance(self.until, Default)
        if not asked or self._outcome.stop_reason != "max_iter":
            return
        warnings.warn(
            f"{type(self).__name__}: until={self.until!r} was not reached in "
            f"max_iter={self.max_iter} epochs ({self._outcome.history[-1].mistakes} mistakes in the "
            "last); the examples may not be separable, or need more epochs",
            ConvergenceWarning,
            stacklevel=4,
        )

    def with_readout(self, readout: str) -> Self:
        """The same fit answering by another read-out that was kept; nothing is learnt anew.

        Cost: O(columns x outputs). The training state is shared with this object.
        """
        training = self._fitted
        keep.check(self.keep, readout, self.averaging)
        if readout == "averaged" and not training.state.averaged:
            raise InputError("with_readout('averaged'): it was not kept; fit with keep='averaged'")
        other = copy.copy(self)
        other.readout = readout
        if self._answer is not None:
            other._freeze(self._answer.dtype)
        return other

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The share of right predictions (accuracy), in 0 .. 1."""
        right = np.fromiter(
            (a == b for a, b in zip(self.predict(X).tolist(), as_list(y), strict=True)), bool
        )
        return float(np.average(right, weights=sample_weight))

    def predict(self, X: Any) -> Labels:
        """Classes of the rows, shape (n_rows,)."""
        raise NotImplementedError

    @property
    def classes_(self) -> Labels:
        """The classes; a score above 0 means the second of two."""
        return self._fitted.book.array

    @property
    def coef_(self) -> np.ndarray[Any, Any]:
        """Weights (n_outputs, n_columns) of the read-out that answers, computed when asked for."""
        return self._answer_now()[:-1].T

    @property
    def intercept_(self) -> np.ndarray[Any, Any]:
        """Bias weight times bias_feature (n_outputs,); the threshold w0 is its negative."""
        return self._answer_now()[-1] * self._bias

    def _answer_now(self) -> np.ndarray[Any, Any]:
        if self._answer is not None:
            return self._answer
        training = self._fitted
        return training.state.weights(*training.mixture(self.readout, self.averaging))

    @property
    def n_corrections_(self) -> int:
        """Corrections of the weights so far, those of right answers that were too close included."""
        return self._fitted.corrections

    @property
    def n_mistakes_(self) -> int:
        """Presentations so far with a margin of at most 0."""
        return self._fitted.mistakes

    @property
    def n_iter_(self) -> int:
        """Epochs of the last fit."""
        self._fitted  # noqa: B018
        return len(self._outcome.history)

    @property
    def stop_reason_(self) -> str:
        """Why the last fit ended: separated, margin_reached, max_iter or interrupted."""
        self._fitted  # noqa: B018
        return self._outcome.stop_reason

    @property
    def history_(self) -> list[EpochRecord]:
        """Mistakes, corrections and seconds of each epoch of the last fit."""
        self._fitted  # noqa: B018
        return self._outcome.history

    @property
    def n_training_errors_(self) -> int | None:
        """Training examples that the read-out of the fit gets wrong; None for another read-out."""
        self._fitted  # noqa: B018
        return self._training_errors.get(self.readout)

    def __sklearn_is_fitted__(self) -> bool:
        return self._training is not None

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import (  # type: ignore[import-untyped]
            ClassifierTags,
            InputTags,
            Tags,
            TargetTags,
        )

        return Tags(
            estimator_type="classifier",
            target_tags=TargetTags(required=True),
            classifier_tags=ClassifierTags(),
            input_tags=InputTags(sparse=True),
        )
