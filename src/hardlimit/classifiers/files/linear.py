"""Models of numbers: weights in double precision where they are not zero, or votes."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import numpy as np

from hardlimit.classifiers.files.header import (
    Tensors,
    check_count,
    check_finite,
    check_form,
    has_votes,
    read_header,
    read_votes,
    write_header,
    write_packed,
    write_votes,
)
from hardlimit.classifiers.files.origin import write_model
from hardlimit.classifiers.files.state import StoredState, standing_still, write_state
from hardlimit.classifiers.model.answers import Answer, Weights
from hardlimit.classifiers.model.model import Model
from hardlimit.classifiers.model.packed_weights import (
    MANY_OUTPUTS,
    MANY_WEIGHTS,
    Packed,
    PackedWeights,
    with_bias,
)
from hardlimit.classifiers.model.text_answer import (
    PACKED,
    PACKED_NAMES,
    intercept_of,
)
from hardlimit.foundation.memory import require_dense, require_memory
from hardlimit.foundation.types import Array
from hardlimit.model_file import ModelFile, refuse_contradictions
from hardlimit.scaling import Scale

if TYPE_CHECKING:
    from hardlimit.maps import FeatureMap

KIND = "linear classifier"
SCALE = "answer.scale."
BIAS = "answer.bias"
MAP = "answer.map."
DEFAULTS = {"readout": "averaged", "until": "separated"}


def write(model: Model, path: str | os.PathLike[str], training_state: bool) -> None:
    """Write a model, whole or not at all."""
    with standing_still(model):
        votes = model.votes
        answer = None if votes else model.frozen_weights()
        bias = None if answer is None else answer.bias
        header = write_header(model, KIND, bias, training_state)
        header["columns"] = model.n_columns
        if model.map is not None:
            header["map_columns"] = model.map.n_features_in_
        tensors: Tensors = {}
        if votes:
            tensors = write_votes(votes)
        elif answer is not None:
            tensors = write_answer(answer)
            tensors |= _write_bias(answer.bias, model.choices.bias)
        if model.map is not None:
            tensors |= {MAP + name: array for name, array in model.map.learnt().items()}
        if model.scale is not None:
            tensors |= {SCALE + name: array for name, array in model.scale.arrays().items()}
        if training_state:
            tensors |= write_state(model.state)
    write_model(model, path, header, tensors)


def write_answer(answer: Weights | PackedWeights) -> Tensors:
    """Return the weights; the bias goes into the header as the intercept, with every bit."""
    used = answer.used_columns
    if answer.n_outputs >= MANY_OUTPUTS:
        if isinstance(answer, Weights):
            answer = PackedWeights.of_array(answer.array)
        packed = answer.without_bias()
        if packed.is_smaller(answer.n_outputs):
            packed = packed.with_runs(packed.runs[used])
            return {"answer.columns": used, **write_packed(packed)}
    return {"answer.columns": used, "answer.weights": answer.weights()[used]}


def _write_bias(bias: Array, feature: float) -> Tensors:
    """Return the weights of the bias where the intercept, divided again, is not them to the bit."""
    bits = np.asarray(bias, np.float64)
    again = bits * feature / (feature or 1.0)
    return {} if np.array_equal(again, bits) else {BIAS: bits}


def _read_bias(file: ModelFile, intercept: list[float], feature: float) -> Array:
    # Without a bias the intercept is 0 whatever it is divided by.
    divided = np.array(intercept) / (feature or 1.0)
    if BIAS not in file.names:
        return divided
    stored = check_finite("weights", file.array(BIAS))
    # One number in two places: they may differ in the last bits, and no more.
    if stored.shape != divided.shape or not np.allclose(stored, divided, rtol=1e-14, atol=5e-324):
        raise ValueError("weights of the bias that are not those of the intercept")
    return stored


def read(file: ModelFile) -> Model:
    """Make the model of an open file; its training state is read when it is asked for."""
    model = read_header(file, Model, DEFAULTS)
    with refuse_contradictions(file, "the answer"):
        check_form(model.choices)
        model.map = _read_map(file, model)
        model.scale = _read_scale(file, model)
        model.frozen = read_answer(file, model)
    model.stored = StoredState(file)
    return model


def read_answer(file: ModelFile, model: Model) -> Answer:
    """Return what answers: weights, packed or not, or votes."""
    n_columns, intercept = int(file.header["columns"]), intercept_of(file.header)
    if has_votes(file):
        return read_votes(file, (n_columns, len(intercept)), model.choices)
    columns = file.array("answer.columns")
    bias = _read_bias(file, intercept, model.choices.bias)
    if PACKED + "runs" in file.names:
        return _read_packed(file, n_columns, columns, bias)
    stored = file.array("answer.weights")
    # The number of columns is a word of the file, which may be damaged.
    require_memory(n_columns, len(intercept), file.has_state)
    weights = np.zeros((n_columns + 1, len(intercept)))
    weights[columns] = stored
    weights[-1] = bias
    return Weights(check_finite("weights", weights))


def _read_packed(file: ModelFile, n_columns: int, columns: Array, bias: Array) -> Answer:
    packed = Packed(*(file.array(PACKED + name) for name in PACKED_NAMES))
    require_dense(n_columns, 1, 4)
    runs = np.zeros(n_columns, np.uint32)
    runs[columns] = packed.runs
    answer = with_bias(packed.with_runs(runs), bias)
    check_finite("weights", answer.packed.values)
    # Few weights answer faster from an array, as those of the fit did.
    few = (n_columns + 1) * answer.n_outputs < MANY_WEIGHTS
    return Weights(answer.weights()) if few else answer


def _read_map(file: ModelFile, model: Model) -> FeatureMap | None:
    template = model.choices.map
    if template is None:
        return None
    learnt = {
        name.removeprefix(MAP): file.array(name) for name in file.names if name.startswith(MAP)
    }
    n_columns = check_count(file.header["map_columns"])
    own = template.restored(n_columns, model.feature_names, learnt)
    if own.n_columns_ != int(file.header["columns"]):
        raise ValueError(f"a map to {own.n_columns_}, and a file of {file.header['columns']}")
    return own


def _read_scale(file: ModelFile, model: Model) -> Scale | None:
    scaling, n_columns = model.choices.scale, int(file.header["columns"])
    if scaling is None:
        return None
    require_memory(n_columns, 1, averaged=False)
    names = [name for name in file.names if name.startswith(SCALE)]
    arrays = {name.removeprefix(SCALE): file.array(name) for name in names}
    return scaling.restored(arrays, n_columns)
