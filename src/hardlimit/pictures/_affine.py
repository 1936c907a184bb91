"""The weights and the constant of what separates two classes, wherever they stand."""

from __future__ import annotations

from typing import Any

import numpy as np

from hardlimit.exceptions import InputError, KindError


def affine(who: str, model: Any, columns: int) -> tuple[np.ndarray[Any, Any], float]:
    """``w`` and ``c`` of ``w.x + c = 0``.

    From a fitted classifier of two classes (its threshold moved or not), a proof that has ``w`` and
    ``intercept``, or a pair.
    """
    if hasattr(model, "coef_"):
        weights = np.asarray(model.coef_, dtype=float)
        if len(weights) != 1:
            raise InputError(
                f"{who}: got a model of {len(weights)} classes, wanted two; see their regions with "
                "pictures.decision_regions"
            )
        w = weights[0]
        c = float(np.ravel(model.intercept_)[0]) - float(getattr(model, "threshold_", 0.0))
    elif hasattr(model, "w") and hasattr(model, "intercept"):
        w, c = np.asarray([float(v) for v in model.w]), float(model.intercept)
    elif isinstance(model, tuple) and len(model) == 2:
        w, c = np.asarray([float(v) for v in model[0]]), float(model[1])
    else:
        raise KindError(
            f"{who}: got {type(model).__name__}, wanted a linear classifier, a proof with w and "
            "intercept, or (w, c); see the regions of kernels with pictures.decision_regions"
        )
    if len(w) != columns:
        raise InputError(f"{who}: got {len(w)} weights for {columns} columns")
    if not (np.isfinite(w).all() and np.isfinite(c)):
        raise InputError(f"{who}: got weights that are not finite")
    return w, c


def classes_of(model: Any, labels: list[Any]) -> list[Any]:
    """The two classes, the positive one last: of the model, or of the labels in order."""
    from hardlimit.pictures import _labels

    known = getattr(model, "classes_", None)
    return _labels.in_order(labels) if known is None else _labels.plain(known)
