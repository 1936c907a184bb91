"""Estimators over LinearClassifier, and those that leave every choice of it open."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from joblib import effective_n_jobs

from hardlimit.classifiers.model.choices import Default
from hardlimit.classifiers.side_by_side import fit_apart
from hardlimit.estimators._base import Skin, told


@dataclass(kw_only=True, repr=False, eq=False)
class LinearSkin(Skin):
    """Base of the estimators with weights: ``coef_`` (n_outputs, n_columns) and ``intercept_``."""

    scale: Any = "none"
    n_jobs: int | None = None

    coef_ = told("coef_")
    intercept_ = told("intercept_")

    def _learn(self, model: Any, X: Any, y: Any, sample_weight: Any) -> None:
        n_threads = effective_n_jobs(self.n_jobs)
        if n_threads == 1 or not fit_apart(model, X, y, sample_weight, n_threads):
            model.fit(X, y, sample_weight)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        plain = not self.probability and getattr(self, "class_weight", None) is None
        tags.classifier_tags.multi_label = plain
        return tags


@dataclass(kw_only=True, repr=False, eq=False)
class LinearEstimator(LinearSkin):
    """Base of the estimators with an order, a read-out and an aim of their own."""

    order: Any = "shuffled"
    readout: str = "averaged"
    until: str | None = "separated"
    tol: float = 0.0

    def _settings(self) -> dict[str, Any]:
        return aimed(self, super()._settings())


def aimed(estimator: Any, settings: dict[str, Any]) -> dict[str, Any]:
    """Keep what answers; an aim that is the default was not asked for, and is missed in silence."""
    until = estimator.until
    if until is not None and until == type(estimator).until:
        until = Default(until)
    return settings | {"until": until, "keep": tuple(dict.fromkeys(("last", settings["readout"])))}
