"""The training state in a model file: what ``partial_fit`` continues."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from hardlimit import rules
from hardlimit.classifiers.files.header import Tensors, check_count, check_finite
from hardlimit.classifiers.model.class_counts import ClassCounts
from hardlimit.classifiers.model.labels import LabelBook
from hardlimit.classifiers.model.model import Model
from hardlimit.classifiers.model.packed_weights import MANY_OUTPUTS
from hardlimit.classifiers.model.state_numbers import (
    ARRAYS,
    PackedState,
    read_counts,
    read_packed,
)
from hardlimit.classifiers.model.text_answer import finite
from hardlimit.classifiers.model.training import Training
from hardlimit.engine import DualState, ModelLock
from hardlimit.exceptions import InputError
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.memory import require_memory
from hardlimit.foundation.types import Array
from hardlimit.model_file import ModelFile, refuse_contradictions

PART = "the training state"
PACKED = "state.packed."
PACKED_NAMES = ("runs", "starts", "outputs", "w", "u")


@contextmanager
def standing_still(model: Model) -> Iterator[None]:
    """Let no other thread learn meanwhile: answer and state of a file are of one moment."""
    model.restore()
    with model.reading:
        yield


def write_state(training: Training) -> Tensors:
    """Return weights and sums where they are not zero, by their place among all, and counts.

    A place is that of the cell in (n_columns + 1, n_outputs), row by row.
    """
    if _is_packed(training):
        return _write_packed(training)
    numbers = training.numbers()
    arrays = {name: a for name, a in numbers["arrays"].items() if a is not None}
    shape = arrays["w"].shape
    # A full covariance has a shape of its own, and no zeros to leave out.
    whole = {name: arrays.pop(name) for name in list(arrays) if arrays[name].shape != shape}
    # One list of places for all arrays: what is 0 in the weights may not be in their sum.
    used = np.logical_or.reduce([array.ravel() != 0 for array in arrays.values()])
    places = np.flatnonzero(used)
    tensors = _write_counts(training, shape)
    # Half the bytes as long as the numbers fit.
    tensors["state.places"] = places if len(used) > 1 << 31 else places.astype(np.uint32)
    tensors |= {f"state.{name}": array.ravel()[places] for name, array in arrays.items()}
    tensors |= {f"state.{name}.whole": array.ravel() for name, array in whole.items()}
    if "theta" in arrays:
        tensors["state.common"] = np.array([numbers["common"]])
    return tensors


def _is_packed(training: Training) -> bool:
    """Whether a file holds the weights packed: those of many outputs, which nothing accompanies."""
    state = training.state
    return (
        not isinstance(state, DualState)
        and state.n_outputs >= MANY_OUTPUTS
        and set(state.array_names) <= {"w", "u"}
    )


def _write_packed(training: Training) -> Tensors:
    packed = read_packed(training.state)
    tensors = _write_counts(training, (len(packed.runs), packed.n_outputs))
    for name in PACKED_NAMES:
        array = getattr(packed, name)
        if array is not None:
            tensors[PACKED + name] = array
    return tensors


def _write_counts(training: Training, shape: tuple[int, ...]) -> Tensors:
    """Return what a state counts besides its weights."""
    numbers = read_counts(training.state)
    counts = [numbers["presentations"], training.mistakes, *numbers["corrections"]]
    tensors: Tensors = {
        "state.shape": np.array(shape, np.int64),
        "state.counts": np.array(counts, np.int64),
        "state.lengths": np.array(numbers["lengths"], np.float64).reshape(-1, 3),
        "state.rule": rules.to_bytes(training.rule),
    }
    if training.class_counts.counts:
        counted = training.class_counts.in_order(list(training.book.numbers))
        tensors["state.class_counts"] = np.array(counted, np.int64)
    # Written only where they say something, so that most files stay as they always were.
    if training.state.shrinks:
        tensors["state.scales"] = np.array(numbers["scales"], np.float64).reshape(-1, 4)
    return tensors


class StoredState:
    """The training state in an open file, until it is asked for."""

    def __init__(self, file: ModelFile) -> None:
        self.file = file
        self.lock = ModelLock()

    @property
    def has_state(self) -> bool:
        """Whether the file was saved with it."""
        return self.file.has_state

    def restore(self, model: Model) -> Training:
        """Read it, for this model."""
        file, rule = self.file, read_rule(self.file)
        with refuse_contradictions(file, PART):
            shape = read_shape(file, model.n_columns, model.classes.n_outputs)
            # A few bytes of a damaged header could ask for all memory there is.
            if PACKED + "runs" not in file.names:
                require_memory(shape[0] - 1, shape[1], averaged=True)
            mistakes, numbers = read_numbers(file, shape, "averaged" in model.choices.kept)
            classes = model.classes
            counts = read_class_counts(file, classes)
            return Training.restored(
                model.choices, classes, mistakes, numbers, rule=rule, class_counts=counts
            )


def read_class_counts(file: ModelFile, classes: LabelBook) -> ClassCounts:
    """Return how many examples of each class a balanced stream has seen."""
    if "state.class_counts" not in file.names:
        return ClassCounts()
    seen = [check_count(int(n)) for n in file.array("state.class_counts")]
    return ClassCounts(dict(zip(classes.numbers, seen, strict=True)))


def read_shape(file: ModelFile, n_columns: int, n_outputs: int) -> tuple[int, int]:
    """Return the shape of the weights, (n_columns + 1, n_outputs); another one is refused."""
    rows, outputs = (int(n) for n in file.array("state.shape"))
    if (rows - 1, outputs) != (n_columns, n_outputs):
        raise ValueError(f"a shape of {rows} x {outputs}")
    return rows, outputs


def read_numbers(
    file: ModelFile, shape: tuple[int, int], averaged: bool
) -> tuple[int, dict[str, Any]]:
    """Return the mistakes, and what :meth:`Training.numbers` gave."""
    counts = [check_count(int(n)) for n in file.array("state.counts")]
    lengths = check_finite("lengths", file.array("state.lengths"))
    common = file.array("state.common")[0] if "state.common" in file.names else 0.0
    is_packed = PACKED + "runs" in file.names
    return counts[1], {
        "packed": _read_packed(file, shape, averaged) if is_packed else None,
        "arrays": {} if is_packed else _read_arrays(file, shape, averaged),
        "presentations": counts[0],
        "corrections": counts[2:],
        "lengths": [(float(a), float(b), check_count(int(n))) for a, b, n in lengths],
        "scales": _read_scales(file, len(counts) - 2),
        "common": finite(float(common)),
    }


def read_rule(file: ModelFile) -> rules.Rule:
    """Return the rule that a training state goes on with: its class must be known here."""
    with refuse_contradictions(file, PART, InputError):
        try:
            rule: rules.Rule = rules.from_bytes(bytes(file.memory("state.rule")))
        except InputError as error:
            raise InputError(
                f"learning on needs its rule ({error})",
                where=str(file.path),
                fix="a rule of your own is known after hardlimit.rules.register(YourRule); "
                "predicting does without",
            ) from None
    return rule


def _read_arrays(file: ModelFile, shape: tuple[int, int], averaged: bool) -> dict[str, Array]:
    """Return the arrays of the state; those of another shape than the weights are stored whole."""
    places = file.array("state.places")
    arrays = {
        name: _spread(file.array(f"state.{name}"), places, *shape)
        for name in ARRAYS
        if f"state.{name}" in file.names or name == "w" or (name == "u" and averaged)
    }
    return arrays | {
        name: check_finite(name, np.ascontiguousarray(file.array(f"state.{name}.whole")))
        for name in ARRAYS
        if f"state.{name}.whole" in file.names
    }


def _read_packed(file: ModelFile, shape: tuple[int, int], averaged: bool) -> PackedState:
    runs, starts, outputs, w = (file.array(PACKED + name) for name in PACKED_NAMES[:-1])
    u = check_finite("sums", file.array(PACKED + "u")) if averaged else None
    if len(runs) != shape[0]:
        raise ValueError(f"{plural(len(runs), 'run')} of {plural(shape[0], 'column')}")
    return PackedState(shape[1], runs, starts, outputs, check_finite("weights", w), u)


def _spread(values: Array, places: Array, rows: int, outputs: int) -> Array:
    check_finite("weights and sums", values)
    # numpy would count negative places from the end
    if len(places) and int(places.min()) < 0:
        raise ValueError("places below 0")
    dense = np.zeros(rows * outputs)
    dense[places] = values
    return dense.reshape(rows, outputs)


def _read_scales(file: ModelFile, n_counters: int) -> list[tuple[float, float, int, int]]:
    if "state.scales" not in file.names:
        return [(1.0, 0.0, 0, 0)] * n_counters
    rows = check_finite("scales", file.array("state.scales"))
    return [
        (float(s), float(clock), check_count(int(at)), check_count(int(n)))
        for s, clock, at, n in rows
    ]
