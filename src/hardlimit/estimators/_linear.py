"""Estimators over LinearClassifier, and those that leave every choice of it open."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from joblib import effective_n_jobs

from hardlimit.classifiers.linear import LinearClassifier
from hardlimit.classifiers.model.choices import Default
from hardlimit.estimators._base import BaseClassifier, delegated
from hardlimit.foundation.types import Array, ArrayLike, Labels, SampleWeight
from hardlimit.foundation.workers import using


@dataclass(kw_only=True, repr=False, eq=False)
class BaseLinearClassifier(BaseClassifier):
    """Base of the estimators with weights: ``coef_`` (n_outputs, n_columns) and ``intercept_``."""

    scale: Any = "none"
    map: Any = None
    n_jobs: int | None = None

    coef_ = delegated("coef_")
    intercept_ = delegated("intercept_")

    def _learn(  # type: ignore[override]
        self,
        model: LinearClassifier,
        X: ArrayLike,
        y: Labels,
        sample_weight: SampleWeight,
        start: Array | None,
    ) -> None:
        with using(effective_n_jobs(self.n_jobs)):
            model.fit(X, y, sample_weight, initial_weights=start)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        weighted = getattr(self, "class_weight", None) is not None
        # Several labels a row go neither with a softmax over classes nor with weights of classes.
        tags.classifier_tags.multi_label = not weighted
        return tags


@dataclass(kw_only=True, repr=False, eq=False)
class BaseOnlineClassifier(BaseLinearClassifier):
    """Base of the estimators with an order, a read-out and an aim of their own."""

    order: Any = "shuffled"
    readout: str = "averaged"
    until: str | None = "separated"
    tol: float = 0.0

    def _settings(self) -> dict[str, Any]:
        return resolve_aim(self, self.until, super()._settings())


def resolve_aim(
    estimator: BaseClassifier, until: str | None, settings: dict[str, Any]
) -> dict[str, Any]:
    """Return settings that keep what answers.

    What equals a default was not asked for: such an aim is missed in silence, and such a read-out
    gives way to one that separates.
    """
    readout = settings["readout"]
    if until is not None and until == getattr(type(estimator), "until", None):
        until = Default(until)
    if readout == getattr(type(estimator), "readout", None):
        readout = Default(readout)
    keep = tuple(dict.fromkeys(("last", str(readout))))
    return settings | {"until": until, "readout": readout, "keep": keep}
