"""Passive-aggressive learning, with the parameters of scikit-learn's class of that name."""

from __future__ import annotations

import sys
import warnings
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from sklearn.model_selection import train_test_split

from hardlimit.classifiers.fitting.early_stopping import Patience, fit_with_patience
from hardlimit.classifiers.linear import LinearClassifier
from hardlimit.classifiers.model.many_labels import is_many
from hardlimit.estimators._base import SampleWeighted
from hardlimit.estimators._linear import BaseLinearClassifier
from hardlimit.exceptions import ConvergenceWarning, InputError, Setting
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.package import caller_stacklevel
from hardlimit.foundation.parameters import as_float
from hardlimit.foundation.types import Array, ArrayLike, Labels, SampleWeight
from hardlimit.learner import EpochRecord
from hardlimit.rules.passive_aggressive import PassiveAggressive
from hardlimit.rules.passive_aggressive2 import PassiveAggressive2

EARLY_TOL = 1e-3  # scikit-learn's default, where early stopping is asked for without one


@dataclass(kw_only=True, repr=False, eq=False)
class PassiveAggressiveClassifier(BaseLinearClassifier, SampleWeighted):
    """Passive-aggressive learning: the nearest weights that leave no loss, moving by at most C.

    ::

        loss = max(0, 1 - y <w, x>)
        hinge (PA-I):            w <- w + min(C, loss / ||x||^2) y x
        squared_hinge (PA-II):   w <- w + loss / (||x||^2 + 1 / (2 C)) y x

    A drop-in for the class of scikit-learn that version 1.10 removes. Through the origin and in the
    same order the numbers are the same; with a bias they are not, since here the bias is inside
    ``||x||^2``, as the guarantee wants it. ``docs/migration.md`` shows both.

    Parameters
    ----------
    C : float
        Aggressiveness, > 0; ``inf`` with ``loss="hinge"`` is hard PA.
    fit_intercept : bool
        False learns through the origin.
    max_iter : int
        Epochs of ``fit``.
    tol : float or None
        None runs all epochs. A number stops when the mean hinge loss at the end of an epoch, or
        with ``early_stopping`` the accuracy on the held-out rows, did not improve by it.
    early_stopping, validation_fraction
        Whether to hold out a stratified share of the rows, and how large a share.
    n_iter_no_change : int
        Epochs without improvement before it stops.
    shuffle : bool
        A new permutation each epoch; False takes the rows as they lie.
    verbose : int
        Above 0 tells each epoch on standard output.
    loss : "hinge" or "squared_hinge"
        PA-I or PA-II.
    n_jobs : int or None
        Threads for the neurons of many classes, 12 a thread at least: the same bits as one.
    random_state : int, RandomState or None
        Seed of the order; 0 by default, so that a fit repeats. None is chance.
    warm_start : bool
        Whether ``fit`` goes on from the weights of the fit before.
    class_weight : None, "balanced" or dict
        Multiplies C, and is the margin that a correction aims at (scikit-learn multiplies the
        step). See :class:`~hardlimit.rules.PassiveAggressive`.
    average : bool
        The mean of the weights after each presentation answers. A number above 1, scikit-learn's
        example from which to average, is refused.
    multiclass : "ovr" or "coupled"
        As scikit-learn a neuron a class, or the right class and its best rival together.
    bias_feature : float
        The bias's constant; a large one makes ``||x||^2`` its own affair alone.
    probability : bool
        Whether ``fit`` also calibrates ``predict_proba``, which costs five fits more.

    Crammer, Dekel, Keshet, Shalev-Shwartz and Singer, JMLR 7 (2006).

    Examples
    --------
    >>> from hardlimit import PassiveAggressiveClassifier
    >>> X, y = [[3.0, 4.0], [-3.0, 4.0], [1.0, 0.0]], ["yes", "no", "yes"]
    >>> clf = PassiveAggressiveClassifier(C=0.1, fit_intercept=False, max_iter=1, shuffle=False)
    >>> clf.fit(X, y).coef_.round(3)
    array([[ 0.374, -0.045]])
    """

    C: float = 1.0
    tol: float | None = None
    early_stopping: bool = False
    validation_fraction: float = 0.1
    n_iter_no_change: int = 5
    shuffle: bool = True
    verbose: int = 0
    loss: str = "hinge"
    warm_start: bool = False
    class_weight: Any = None
    average: Any = False
    # As scikit-learn's class of that name, which has one neuron a class.
    multiclass: str = "ovr"

    def _make_rule(self) -> Any:
        kinds = {"hinge": PassiveAggressive, "squared_hinge": PassiveAggressive2}
        if self.loss not in kinds:
            raise InputError(
                who="PassiveAggressiveClassifier",
                parameter="loss",
                got=self.loss,
                wanted="'hinge' (PA-I) or 'squared_hinge' (PA-II)",
            )
        return kinds[self.loss](self.C)

    def _settings(self) -> dict[str, Any]:
        return super()._settings() | {
            "order": "shuffled" if self.shuffle else "cyclic",
            "readout": "averaged" if self._averages() else "last",
            "keep": ("last", "averaged") if self._averages() else ("last",),
            "until": None,
            "tol": 0.0,
        }

    def fit(  # type: ignore[override]
        self,
        X: ArrayLike,
        y: Labels,
        coef_init: ArrayLike | None = None,
        intercept_init: ArrayLike | None = None,
        sample_weight: SampleWeight = None,
    ) -> Self:
        """Learn from all examples, from zero weights or from those that are given.

        ``coef_init`` and ``intercept_init``, shaped like ``coef_`` and ``intercept_``, stand in the
        places that they have in scikit-learn's class, and go before ``warm_start``.
        """
        self._check_kinds()
        self._check_stopping()
        return self._fit(X, y, sample_weight, (coef_init, intercept_init))

    def _partial_fit(
        self, X: ArrayLike, y: Labels, classes: Labels | None, sample_weight: SampleWeight = None
    ) -> Self:
        # As scikit-learn: one pass has no epochs to look between, and holds no rows out.
        if self.early_stopping is not False and self._stops_early():
            raise InputError(
                "a stream has no epochs after which it could stop",
                who="PassiveAggressiveClassifier.partial_fit",
                parameter="early_stopping",
                got=True,
                wanted="False",
                fix="use fit, or set early_stopping=False",
            )
        return super()._partial_fit(X, y, classes, sample_weight)

    def _averages(self) -> bool | None:
        """Whether the mean answers; None where ``average`` is neither True nor False."""
        average: Any = self.average
        if isinstance(average, bool | np.bool_) or as_float(average) in (0, 1):
            return bool(average)
        return None

    def _stops_early(self) -> bool:
        self._check_kinds()
        return bool(self.early_stopping)

    def _check_stopping(self) -> None:
        for name, good, wanted in (
            # scikit-learn's average=n begins after n examples; the averaged read-out cannot.
            ("average", self._averages() is not None, "False or True: the mean counts all"),
            ("tol", self.tol is None or as_float(self.tol) >= 0, "None or a number >= 0"),
            ("n_iter_no_change", self.n_iter_no_change >= 1, "at least 1"),
            ("validation_fraction", 0 < self.validation_fraction < 1, "a share in 0 .. 1"),
        ):
            if not good:
                raise InputError(
                    who="PassiveAggressiveClassifier",
                    parameter=name,
                    got=getattr(self, name),
                    wanted=wanted,
                )

    def _learn(  # type: ignore[override]
        self,
        model: LinearClassifier,
        X: ArrayLike,
        y: Labels,
        sample_weight: SampleWeight,
        start: Array | None,
    ) -> None:
        earlier = self.__dict__.get("model_") if self.warm_start and start is None else None
        # Nobody looks between the epochs: the usual fit need not stop after each.
        if earlier is None and self._patience() is None and not self.verbose:
            super()._learn(model, X, y, sample_weight, start)
            return
        fit_with_patience(
            model.check_parameters(),
            X,
            y,
            sample_weight,
            take=model.adopt,
            patience=self._patience(),
            held_out=self._held_out(y) if self.early_stopping else None,
            start=None if earlier is None else earlier.fitted,
            initial_weights=start,
            callback=_print_epoch if self.verbose else None,
        )
        if self.tol is not None and model.stop_reason_ == "max_iter":
            warnings.warn(
                ConvergenceWarning(
                    f"still improving by tol={self.tol!r} after max_iter={self.max_iter} epochs",
                    who="PassiveAggressiveClassifier",
                    fix=("let it run longer, or use ", Setting("tol", None)),
                ),
                stacklevel=caller_stacklevel(),
            )

    def _patience(self) -> Patience | None:
        if self.tol is None and not self.early_stopping:
            return None
        return Patience(EARLY_TOL if self.tol is None else self.tol, self.n_iter_no_change)

    def _held_out(self, y: Labels) -> Array:
        """Truth values of a share of the rows, stratified where a row has one label."""
        try:
            _, rows = train_test_split(
                np.arange(len(y)),
                test_size=self.validation_fraction,
                stratify=None if is_many(y) else y,
                random_state=self.random_state,
            )
        except ValueError as error:  # too few rows to have each class on both sides
            raise InputError(str(error), parameter="validation_fraction") from error
        held_out = np.zeros(len(y), bool)
        held_out[rows] = True
        return held_out


def _print_epoch(record: EpochRecord) -> None:
    sys.stdout.write(
        f"epoch {record.epoch}: {plural(record.mistakes, 'mistake')}, "
        f"{plural(record.corrections, 'correction')}, "
        f"{record.seconds:.3g} s\n"
    )
