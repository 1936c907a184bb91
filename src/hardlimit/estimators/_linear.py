"""Estimators that leave every choice of LinearClassifier open."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hardlimit.classifiers.base import Default
from hardlimit.estimators._base import Skin


@dataclass(kw_only=True, repr=False, eq=False)
class LinearEstimator(Skin):
    """Base of the estimators with an order, a read-out and an aim of their own."""

    order: Any = "shuffled"
    readout: str = "averaged"
    until: str | None = "separated"
    tol: float = 0.0

    def _settings(self) -> dict[str, Any]:
        settings = super()._settings()
        settings["keep"] = tuple(dict.fromkeys(("last", self.readout)))
        if self.until is not None and self.until == type(self).until:
            settings["until"] = Default(self.until)  # not asked for: not to reach it is no news
        return settings
