"""What the theorems ask of a run: the geometry of its rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hardlimit.classifiers.model import geometry
from hardlimit.classifiers.model.model import Model
from hardlimit.classifiers.targets import read_labels
from hardlimit.foundation.types import ArrayLike, Targets

if TYPE_CHECKING:
    from hardlimit.certificates.verdicts import Verdict
    from hardlimit.classifiers.model.text_model import TextModel
    from hardlimit.theory.bounds import MarginProblem, ModelRun


def measure_rows(
    model: Model, X: ArrayLike, y: Targets, verdict: Verdict | None
) -> tuple[ModelRun, list[MarginProblem]]:
    """Return the run of a model of numbers, and the geometry of these rows."""
    bias, classes = model.choices.bias, model.classes
    rows, _ = model.read_batch(X)
    geometry.check_verdict(model, verdict, rows.n_columns)
    labels = read_labels(rows.n_rows, y, classes)
    targets = classes.codes(labels) if isinstance(labels, list) else labels.targets
    # In other units than the user's neither the largest value nor a verdict's vector applies.
    x_inf, extra = None, None
    if model.scale is not None:
        rows = model.scale.rows(rows)
    else:
        x_inf = geometry.largest_value(X if model.map is None else model.map.transform(X), bias)
        extra = geometry.weights_of(verdict, bias)
    with model.reading:
        looked = geometry.look_at_rows(model, rows, targets, x_inf, extra)
        return geometry.measure(model, looked, verdict)


def measure_texts(
    model: TextModel, texts: list[Any], y: Targets, verdict: Verdict | None
) -> tuple[ModelRun, list[MarginProblem]]:
    """Return the run of a model of texts, and the geometry of these texts."""
    bias = model.choices.bias
    labels = read_labels(len(texts), y, model.classes, rows_name="texts")
    targets = model.classes.codes(labels) if isinstance(labels, list) else labels.targets
    with model.state.reading:
        featurised = model.vectorizer.rows(texts)
        rows, x_inf = model.rows(featurised), geometry.largest_value(featurised, bias)
        geometry.check_verdict(model, verdict, rows.n_columns)
        extra = geometry.weights_of(verdict, bias)
        looked = geometry.look_at_rows(model, rows, targets, x_inf, extra)
        return geometry.measure(model, looked, verdict)
