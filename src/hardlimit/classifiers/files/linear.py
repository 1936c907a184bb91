"""Models of numbers: weights in double precision where they are not zero, or votes."""

from __future__ import annotations

import os

import numpy as np

from hardlimit.classifiers.files.header import (
    Tensors,
    check_finite,
    check_form,
    has_votes,
    read_header,
    read_votes,
    write_header,
    write_votes,
)
from hardlimit.classifiers.files.origin import write_model
from hardlimit.classifiers.files.state import StoredState, standing_still, write_state
from hardlimit.classifiers.model.answers import Answer, Weights
from hardlimit.classifiers.model.many_labels import ManyBook
from hardlimit.classifiers.model.model import Model
from hardlimit.classifiers.model.text_answer import intercept_of, labels_to_json
from hardlimit.foundation.memory import require_memory
from hardlimit.model_file import ModelFile, refuse_contradictions
from hardlimit.scaling import Scale

KIND = "linear classifier"
MANY_KIND = "linear classifier of many labels"
SCALE = "answer.scale."
DEFAULTS = {"readout": "averaged", "until": "separated"}


def write(model: Model, path: str | os.PathLike[str], training_state: bool) -> None:
    """Write a model, whole or not at all."""
    with standing_still(model):
        votes, classes = model.votes, model.classes
        weights = None if votes else model.weights()
        kind = MANY_KIND if classes.many else KIND
        header = write_header(model, kind, weights, training_state)
        header["columns"] = model.n_columns
        if isinstance(classes, ManyBook):
            header["values"] = _values_to_json(classes)
        tensors: Tensors = {}
        if votes:
            tensors = write_votes(votes)
        elif weights is not None:
            # The bias goes into the header as the intercept, with every bit.
            used = np.flatnonzero((weights[:-1] != 0).any(axis=1))
            tensors = {"answer.columns": used, "answer.weights": weights[used]}
        if model.scale is not None:
            tensors |= {SCALE + name: array for name, array in model.scale.arrays().items()}
        if training_state:
            tensors |= write_state(model.state)
    write_model(model, path, header, tensors)


def _values_to_json(classes: ManyBook) -> list[list[list[str]]] | None:
    """What each neuron says for scores of at most 0, and above; None where examples are sets."""
    if classes.values is None:
        return None
    return [labels_to_json(pair) for pair in classes.values.T.tolist()]


def read(file: ModelFile) -> Model:
    """Make the model of an open file; its training state is read when it is asked for."""
    model = read_header(file, Model, DEFAULTS, many=file.kind == MANY_KIND)
    with refuse_contradictions(file, "the answer"):
        check_form(model.choices)
        model.scale = _read_scale(file, model)
        model.frozen = _read_answer(file, model)
    model.stored = StoredState(file)
    return model


def _read_answer(file: ModelFile, model: Model) -> Answer:
    n_columns, intercept = int(file.header["columns"]), intercept_of(file.header)
    if has_votes(file):
        return read_votes(file, (n_columns, len(intercept)), model.choices)
    columns, stored = file.array("answer.columns"), file.array("answer.weights")
    # The number of columns is a word of the file, which may be damaged.
    require_memory(n_columns, len(intercept), file.has_state)
    weights = np.zeros((n_columns + 1, len(intercept)))
    weights[columns] = stored
    # Without a bias the intercept is 0 whatever it is divided by.
    weights[-1] = np.array(intercept) / (model.choices.bias or 1.0)
    return Weights(check_finite("weights", weights))


def _read_scale(file: ModelFile, model: Model) -> Scale | None:
    scaling, n_columns = model.choices.scale, int(file.header["columns"])
    if scaling is None:
        return None
    require_memory(n_columns, 1, averaged=False)
    names = [name for name in file.names if name.startswith(SCALE)]
    arrays = {name.removeprefix(SCALE): file.array(name) for name in names}
    return scaling.restored(arrays, n_columns)
