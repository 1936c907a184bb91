"""Class weights and sample weights, by the rule's own meaning."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from hardlimit.classifiers.labels import LabelBook
from hardlimit.exceptions import InputError


def example_weights(
    rule: Any, sample_weight: Any, class_weight: Any, targets: Any, book: LabelBook
) -> np.ndarray[Any, Any] | None:
    """One weight an example (float64), or None where all are 1.

    Raises
    ------
    InputError
        Negative or not finite; not one an example; or other than 0 and 1 where the rule has no
        meaning for them.
    """
    if sample_weight is None and class_weight is None:
        return None
    n = len(targets)
    weights = np.ones(n)
    if sample_weight is not None:
        weights = np.ascontiguousarray(sample_weight, np.float64)
        if weights.shape != (n,):
            raise InputError(f"sample_weight: got shape {weights.shape}, wanted ({n},)")
        if not np.isfinite(weights).all() or (weights < 0).any():
            raise InputError("sample_weight: wanted finite numbers >= 0")
    if class_weight is not None:
        weights = weights * _by_class(class_weight, targets, book)[targets]
    if not getattr(rule, "weighs", True) and not ((weights == 0) | (weights == 1)).all():
        raise InputError(
            f"{rule!r}: an example's weight can only be 0 or 1 here, since to multiply the step "
            "would be over-relaxation; use a finite C, which weights multiply, or repeat examples"
        )
    return weights


def _by_class(class_weight: Any, targets: Any, book: LabelBook) -> np.ndarray[Any, Any]:
    if isinstance(class_weight, str) and class_weight == "balanced":
        counts = np.bincount(targets, minlength=len(book))
        return len(targets) / (len(book) * np.maximum(counts, 1).astype(np.float64))
    if not isinstance(class_weight, Mapping):
        raise InputError(
            f"class_weight: got {class_weight!r}, wanted None, 'balanced' or a dict of weights"
        )
    weights = np.ones(len(book))
    for label, weight in class_weight.items():
        if label not in book.numbers:
            raise InputError(
                f"class_weight: got {label!r}, which is none of the classes "
                f"{', '.join(map(repr, book.numbers))}"
            )
        if not (weight >= 0) or weight == float("inf"):
            raise InputError(f"class_weight: got {weight!r} for {label!r}, wanted a number >= 0")
        weights[book.numbers[label]] = weight
    return weights
