"""The header of a model file: choices, classes, counts and history, as plain JSON; and votes."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, TypeVar

import numpy as np

from hardlimit.classifiers.files import labels, parameters
from hardlimit.classifiers.model import many_labels
from hardlimit.classifiers.model.answers import Votes
from hardlimit.classifiers.model.choices import Choices, resolve_choices
from hardlimit.classifiers.model.labels import LabelBook
from hardlimit.classifiers.model.model import Counts, Model
from hardlimit.classifiers.model.text_answer import VOTES, finite, has_votes, intercept_of
from hardlimit.foundation.types import Array
from hardlimit.learner import EpochRecord, Outcome
from hardlimit.model_file import ModelFile, refuse_contradictions
from hardlimit.theory.cycling import Cycle

Tensors = dict[str, Any]  # numpy arrays, or bytes
_Model = TypeVar("_Model", bound=Model)

__all__ = ["Tensors", "check_finite", "has_votes", "read_header", "read_votes", "write_header"]


def write_header(
    model: Model, kind: str, weights: Array | None, training_state: bool
) -> dict[str, Any]:
    """Return what a file says beside its tensors; ``weights`` is None of votes."""
    counted, outcome = model.counted, model.outcome
    header = {
        "kind": kind,
        "classes": labels.to_json(model.classes.numbers),
        "parameters": parameters.to_json(model.choices, model.classes.numbers, training_state),
        "intercept": _intercept(model, weights),
        "threshold": model.threshold,
        "counts": {"corrections": counted.corrections, "mistakes": counted.mistakes},
        "training_errors": model.training_errors,
        "stop_reason": outcome.stop_reason,
        "history": [[r.mistakes, r.corrections] for r in outcome.history],
        "metadata": model.metadata,
    }
    if outcome.cycle is not None:
        header["cycle"] = list(outcome.cycle)
    if outcome.weighted:
        header["weighted"] = True
    return header


def _intercept(model: Model, weights: Array | None) -> list[str]:
    if weights is None:  # the bias of votes is inside the examples that made them
        return [(0.0).hex()] * model.answer.n_outputs
    return [(float(w) * model.choices.bias).hex() for w in weights[-1]]


def read_header(
    file: ModelFile, model_type: type[_Model], defaults: Mapping[str, str], *, many: bool = False
) -> _Model:
    """Make a model of everything that the header holds; it has no answer yet.

    Seconds and shares of the epochs are in no file: they are NaN.
    """
    header = file.header
    with refuse_contradictions(file, "the header"):
        given = parameters.from_json(header["parameters"], defaults)
        choices = resolve_choices(given, rule_known=False)
        classes = _read_classes(header, many)
        n_intercepts = len(intercept_of(header))
        if n_intercepts != classes.n_outputs:
            raise ValueError(f"{n_intercepts} intercepts of {len(classes)} classes")
        model = model_type(choices, classes, _read_outcome(header))
        model.threshold = finite(float(header["threshold"]))
        model.counts = Counts(header["counts"]["corrections"], header["counts"]["mistakes"])
        model.training_errors = dict(header["training_errors"])
        model.metadata = dict(header["metadata"])
        return model


def check_form(choices: Choices, *, kernel: bool = False, text: bool = False) -> None:
    """Refuse the choices of another kind of model than the file states."""
    if (choices.kernel is not None, choices.text is not None) != (kernel, text):
        raise ValueError("parameters of another kind of model")


def _read_outcome(header: Mapping[str, Any]) -> Outcome:
    history = [
        EpochRecord(epoch, mistakes, corrections, math.nan, math.nan)
        for epoch, (mistakes, corrections) in enumerate(header["history"], 1)
    ]
    cycle = _read_cycle(header.get("cycle"))
    return Outcome(header["stop_reason"], history, cycle, bool(header.get("weighted", False)))


def _read_cycle(stored: list[int] | None) -> Cycle | None:
    if stored is None:
        return None
    epochs, corrections = stored
    if not (type(epochs) is int and type(corrections) is int):
        raise ValueError("a period is a number of epochs and one of corrections")
    return Cycle(epochs, corrections)


def _read_classes(header: Mapping[str, Any], many: bool) -> LabelBook:
    names = labels.from_json(header["classes"])
    if not many:
        return LabelBook(names)
    values = header["values"]
    if values is not None:
        values = [labels.from_json(one) for one in values]
    return many_labels.restored(names, values)


def write_votes(votes: Votes) -> Tensors:
    """Return the arrays of votes, named as the file names them."""
    return {f"{VOTES}{name}": array for name, array in votes.arrays().items()}


def read_votes(file: ModelFile, shape: tuple[int, int], choices: Choices) -> Votes:
    """Return the votes of a file, of so many columns and outputs."""
    names = [name for name in file.names if name.startswith(VOTES)]
    votes = Votes.restored({name.removeprefix(VOTES): file.array(name) for name in names})
    if (votes.n_columns, votes.n_outputs) != shape:
        raise ValueError(f"votes of {votes.n_columns} columns and {votes.n_outputs} outputs")
    if choices.readout != "voted":
        raise ValueError(f"votes of the read-out {choices.readout!r}")
    return votes


def check_finite(name: str, values: Array) -> Array:
    """Return numbers of a file; those that are not finite are refused."""
    if not np.isfinite(values).all():
        raise ValueError(f"{name} that are not finite")
    return values
