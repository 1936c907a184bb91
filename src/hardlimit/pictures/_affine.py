"""The weights and the constant of a separator of two classes: a model, a proof, or a pair."""

from __future__ import annotations

from typing import Any

import numpy as np

from hardlimit.exceptions import Given, InputError, KindError, Suggestion
from hardlimit.foundation.formatting import plural
from hardlimit.pictures import _labels

_REGIONS = Suggestion("pictures.decision_regions")


def extract_affine(who: str, model: object, columns: int) -> tuple[np.ndarray[Any, Any], float]:
    """Return ``w`` and ``c`` of ``w.x + c = 0``.

    From a fitted classifier of two classes (its threshold moved or not), a proof that has ``w`` and
    ``intercept``, or a pair.
    """
    if hasattr(model, "coef_") and hasattr(model, "intercept_"):
        weights = np.asarray(model.coef_, dtype=float)
        if len(weights) != 1:
            raise InputError(
                who=who,
                got=Given(f"a model of {plural(len(weights), 'class', 'classes')}"),
                wanted="two",
                fix=("see their regions with ", _REGIONS),
            )
        w = weights[0]
        # the line is where the prediction changes: at the threshold, moved or not
        c = float(np.ravel(model.intercept_)[0]) - float(getattr(model, "threshold_", 0.0))
    elif hasattr(model, "w") and hasattr(model, "intercept"):
        # a proof holds fractions, which numpy would keep as objects
        w, c = np.asarray([float(v) for v in model.w]), float(model.intercept)
    elif isinstance(model, tuple) and len(model) == 2:
        w, c = np.asarray([float(v) for v in model[0]]), float(model[1])
    else:
        raise KindError(
            who=who,
            got=Given(type(model).__name__),
            wanted="a linear classifier, a proof with w and intercept, or (w, c)",
            fix=("see the regions of kernels with ", _REGIONS),
        )
    if len(w) != columns:
        raise InputError(
            who=who,
            got=Given(f"{plural(len(w), 'weight')}"),
            wanted=f"one for each of {plural(columns, 'column')}",
        )
    if not (np.isfinite(w).all() and np.isfinite(c)):
        raise InputError(who=who, got=Given("weights that are not finite"), wanted="finite ones")
    return w, c


def list_classes(model: object, labels: list[Any]) -> list[Any]:
    """Return the two classes, the positive one last: of the model, or of the labels in order."""
    known = getattr(model, "classes_", None)
    return _labels.sort_classes(labels) if known is None else _labels.to_list(known)
