"""Learning from a stream: each example is presented once, in order, as it comes.

A batch is checked before anything is learnt from it. From then on the current state answers.
"""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from hardlimit import _native, orders, readouts, scaling
from hardlimit.classifiers.fitting.training import Take, warn_collapsed
from hardlimit.classifiers.model.ask import BATCHES
from hardlimit.classifiers.model.choices import Choices, check_class_weight
from hardlimit.classifiers.model.class_counts import ClassCounts
from hardlimit.classifiers.model.compatibility import check_readout, check_streamed
from hardlimit.classifiers.model.labels import (
    LabelBook,
    check_weighed,
    example_weights,
)
from hardlimit.classifiers.model.many_labels import ManyLabels
from hardlimit.classifiers.model.model import Model
from hardlimit.classifiers.model.storable_labels import check_storable
from hardlimit.classifiers.model.training import Training
from hardlimit.classifiers.targets import Labels, of_labels
from hardlimit.engine import Points
from hardlimit.exceptions import HardlimitWarning, InputError, MemoryEstimateError
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.package import caller_stacklevel
from hardlimit.foundation.types import SampleWeight, Targets
from hardlimit.learner import FitOutcome


class CheckedBatch(NamedTuple):
    """Plain labels of a batch, weights or None, and the classes seen after it where they count."""

    labels: Labels
    weights: np.ndarray[Any, Any] | None
    class_counts: ClassCounts | None = None


def begin(
    choices: Choices,
    n_columns: int,
    labels: Labels,
    classes: Targets | None,
    training: type[Training] = Training,
    kind: type[Model] = Model,
    **more: Any,
) -> Model:
    """Return the model of a stream before its first example.

    Classes are known from their first example on; those of ``ovr``, which cannot come later, are
    those of the first batch where none are named.
    """
    book = of_labels(labels).begin_book(choices, labels, classes)
    check_storable(book.numbers)
    state = training(choices, book, n_columns)
    return kind(choices, book, FitOutcome("stream"), state, **more)


def begin_scale(scale: scaling.Scaling | None) -> scaling.Scale | None:
    """Return the scale of a stream without a fit before."""
    if scale is None:
        return None
    if scale.measures:
        raise InputError(
            "partial_fit without a fit before does not know the columns yet",
            who=f"scale={scaling.name_of(scale)!r}",
            fix="call fit(X, y) on the first examples, or use scale='rows' or 'none'",
        )
    # What needs no measuring (rows of unit length) is the same in a stream.
    return scale.restored({}, 0)


def check_batch(
    training: Training, choices: Choices, labels: Labels, sample_weight: SampleWeight
) -> CheckedBatch:
    """Check labels and weights of a batch, before anything is learnt from it."""
    if isinstance(labels, ManyLabels):
        return CheckedBatch(labels, of_labels(labels).check(choices, labels, sample_weight).weights)
    if sample_weight is None and choices.class_weight is None:
        # The short way of most streams: no weights, so every example is present.
        training.check_labels(labels)
        return CheckedBatch(labels, None)
    weights = _weights(training, choices, labels, sample_weight)
    present = labels
    if weights is not None:
        # An absent example must not bring its class into the model.
        present = [label for label, w in zip(labels, weights, strict=True) if w > 0]
    training.check_labels(present)
    if choices.balanced:
        return CheckedBatch(labels, *training.class_counts.weigh(labels, weights))
    return CheckedBatch(labels, weights)


def _weights(
    training: Training, choices: Choices, labels: list[Any], sample_weight: SampleWeight
) -> np.ndarray[Any, Any] | None:
    class_weight = choices.class_weight
    check_class_weight(class_weight)
    if choices.balanced or isinstance(class_weight, str):
        check_weighed(training.rule, "class_weight")
        return example_weights(training.rule, sample_weight, None, labels, training.book, ())
    training.book.check_kinds(labels)
    # A copy: the labels are not checked yet, and a refused batch must not add classes.
    book = LabelBook(training.book.numbers)
    for label in labels:
        book.add(label)
    # Weights of classes that come later are no mistake in a stream.
    known = {k: v for k, v in (class_weight or {}).items() if k in book.numbers} or None
    codes = book.codes(labels)
    return example_weights(training.rule, sample_weight, known, codes, book, labels)


def present_rows(
    model: Model, rows: _native.Rows | Points, batch: CheckedBatch, take: Take | None = None
) -> None:
    """Present each row once, in order; ``take`` is called with a new model before the first.

    Rows of a model with a kernel are :class:`~hardlimit.engine.Points`.
    """
    training: Any = model.training or model.state
    training.check_rows(rows)
    if batch.weights is not None:
        training.check_weights(batch.weights)
    # From here on nothing is refused: an interruption leaves a model of what was presented.
    if take is not None:
        take(model)
    # The weights move: answers that were frozen are stale, and hypotheses were of the fit.
    training.version += 1
    training.kept = {}
    before = training.state.presentations
    # No context manager: each row of a stream would pay for it.
    try:
        if isinstance(batch.labels, ManyLabels):
            training.stream_many(rows, batch.labels.targets, batch.weights)
        else:
            training.stream(rows, batch.labels, batch.weights)
    except MemoryEstimateError:
        raise  # refused before anything was learnt
    except MemoryError as error:
        raise training.out_of_memory(before, len(batch.labels)) from error
    # Counted last, so that an interrupted batch weighs as if it had not come.
    if batch.class_counts is not None:
        training.class_counts = batch.class_counts
    # They were counted for the weights of the fit, which have moved.
    model.training_errors = {}
    if training.may_collapse:
        _warn_collapsed(training)


def _warn_collapsed(training: Training) -> None:
    """Warn at the first row that a covariance was too small for, as a fit does."""
    row, presentations = training.state.collapse
    where = f"after {plural(presentations, 'presentation')}, at row {row} of the batch"
    warn_collapsed(training, row, where)


def check_streamable(model: Model, readout: str, order: orders.Order, fresh: bool) -> None:
    """Refuse a read-out that a stream cannot keep; say which ones of a fit are dropped."""
    training = model.state
    combination = training.combination(order=order, way=BATCHES)
    check_streamed(combination)
    # What a fit kept is dropped with a warning; what a new stream asks for is refused.
    for name in dict.fromkeys([*(model.choices.kept if fresh else ()), readout]):
        check_readout(replace(combination, readout=name))
    if training.kept:
        warnings.warn(
            HardlimitWarning(
                f"of the fit, {', '.join(training.kept)} are dropped, since a stream keeps "
                f"{' and '.join(readouts.STREAMED)} only",
                who="partial_fit",
            ),
            stacklevel=caller_stacklevel(),
        )
