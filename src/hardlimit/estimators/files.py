"""An estimator to a model file and back: the model inside, class and parameters beside it.

The file is that of the classifier inside, and its header has the key ``estimator``, which who reads
it as a classifier passes over: so the command line knows such a file without scikit-learn.
"""

from __future__ import annotations

import copy
import inspect
from typing import Any, Protocol

import numpy as np
from sklearn.utils.validation import check_is_fitted

from hardlimit import classifiers, estimators, readouts
from hardlimit.classifiers.model.choices import UnknownRule
from hardlimit.classifiers.model.parts import Calibration
from hardlimit.estimators.parameters_json import from_json, to_json
from hardlimit.exceptions import InputError
from hardlimit.foundation.types import PathLike
from hardlimit.model_file import ModelFile, refuse_contradictions


class SavedEstimator(Protocol):
    """What a file needs of an estimator."""

    model_: Any

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters by name."""

    def check_parameters(self) -> None:
        """Refuse parameters that do not go together."""

    def fits_with(self, front: object) -> bool:
        """Return whether a classifier may be the one inside."""


ENTRIES = {"class", "parameters", "live"}


def save(estimator: SavedEstimator, path: PathLike, training_state: bool) -> None:
    """Write an estimator, whole or not at all; see :meth:`BaseClassifier.save`."""
    check_is_fitted(estimator)
    section = _describe(estimator)
    # What loading would refuse must not be written, such as a parameter that was set since.
    _make(section)
    # A copy on the same arrays: the classifier inside knows nothing of the estimator.
    front = copy.copy(estimator.model_)
    model = front.fitted
    model.estimator = section
    slope = estimator.__dict__.get("calibration_")
    # An estimator's own slope, which a stream does not take back.
    model.calibration = None if slope is None else Calibration(slope, None)
    front.save(path, training_state=training_state)


def _describe(estimator: SavedEstimator) -> dict[str, Any]:
    name = type(estimator).__name__
    # The very class: a subclass of the user's would come back without what it adds.
    if name not in estimators.NAMES or type(estimator) is not getattr(estimators, name):
        raise InputError(
            "a model file names the estimators of hardlimit, and this is a class of your own",
            who="save",
            got=estimator,
            fix="save what learnt alone, with estimator.model_.save(path)",
        )
    params = estimator.get_params(deep=False)
    return {"class": name, "parameters": {n: to_json(n, value) for n, value in params.items()}}


def _make(section: dict[str, Any]) -> SavedEstimator:
    """Return the estimator of a section, not fitted; each parameter is checked by itself."""
    name = section["class"]
    if type(name) is not str or name not in estimators.NAMES or set(section) - ENTRIES:
        raise ValueError(f"{name!r:.80} is no estimator that this hardlimit has")
    kind, stored = getattr(estimators, name), section["parameters"]
    # Of a later release, which may know more of them; nothing is dropped silently.
    unknown = sorted(set(stored) - set(inspect.signature(kind).parameters))
    if unknown:
        raise ValueError(f"{name} has no parameter {unknown[0]!r:.80} in this hardlimit")
    made = {n: from_json(value) for n, value in stored.items()}
    estimator: SavedEstimator = kind(**made)
    estimator.check_parameters()
    return estimator


def _is_live(section: dict[str, Any], readout: str) -> bool:
    """Whether a stream has moved the weights since the last fit."""
    live = section.get("live", False)
    if type(live) is not bool or (live and readout not in readouts.STREAMED):
        raise ValueError(f"a stream that is {live!r:.80}, of the read-out {readout!r}")
    return live


def read(file: ModelFile) -> SavedEstimator:
    """Return the estimator of an open file, fitted."""
    front: Any = classifiers.read(file)
    model = front.fitted
    with refuse_contradictions(file, "the estimator"):
        section = model.estimator
        estimator = _make(section)
        if not estimator.fits_with(front):
            raise ValueError(f"a {section['class']} over a {file.kind}")
        if _is_live(section, model.choices.readout) and not isinstance(
            model.choices.rule, UnknownRule
        ):
            model.restore()
            # A stream answers from its state; what the file answers by differs in the last bits.
            model.frozen = None if model.training is not None else model.frozen
        slope = None if model.calibration is None else model.calibration.slope
        model.estimator = model.calibration = None
        found = {"model_": front, "n_features_in_": front.n_features_in_}
        if model.feature_names is not None:
            found["feature_names_in_"] = np.array(model.feature_names, dtype=object)
        if slope is not None:
            found["calibration_"] = slope
        estimator.__dict__.update(found)
    return estimator
