"""Models of texts in several columns: weights, and a vocabulary for each column."""

from __future__ import annotations

import os
from typing import Any, TypeVar

import numpy as np

from hardlimit.classifiers.files import linear
from hardlimit.classifiers.files.header import (
    Tensors,
    check_form,
    read_header,
    write_header,
    write_votes,
)
from hardlimit.classifiers.files.origin import write_model
from hardlimit.classifiers.files.state import StoredState, standing_still, write_state
from hardlimit.classifiers.model.answers import Weights
from hardlimit.classifiers.model.model import Model
from hardlimit.classifiers.model.packed_weights import PackedWeights
from hardlimit.classifiers.model.text_answer import PACKED
from hardlimit.classifiers.model.text_model import ColumnsModel
from hardlimit.classifiers.model.training import Training
from hardlimit.model_file import ModelFile, refuse_contradictions
from hardlimit.text.columns import ColumnsVectorizer

KIND = "classifier of text columns"
BLOCKS = "answer.blocks."
DEFAULTS = {"readout": "averaged"}
_Model = TypeVar("_Model", bound=ColumnsModel)


def write(model: Any, path: str | os.PathLike[str], training_state: bool, kind: str = KIND) -> None:
    """Write a model, whole or not at all."""
    vectorizer: ColumnsVectorizer = model.vectorizer  # or one of tables
    with standing_still(model):
        votes = model.votes
        answer = None if votes else model.frozen_weights(single_precision=True)
        bias = None if answer is None else answer.bias
        header = write_header(model, kind, bias, training_state)
        header["text"] = vectorizer.header()
        header["columns"] = vectorizer.n_columns_
        tensors: Tensors = write_votes(votes) if votes else {}
        if answer is not None:
            tensors = _write_weights(answer)
        tensors |= {BLOCKS + name: table for name, table in vectorizer.state_tables().items()}
        if training_state:
            tensors |= write_state(model.state)
    write_model(model, path, header, tensors)


def _write_weights(answer: Weights | PackedWeights) -> Tensors:
    """Return the weights in single precision; of a loaded model they lie in double."""
    tensors = linear.write_answer(answer)
    for name in ("answer.weights", PACKED + "cells"):
        if name in tensors:
            tensors[name] = tensors[name].astype(np.float32, copy=False)
    return tensors


def read(file: ModelFile) -> ColumnsModel:
    """Make the model of an open file; its training state is read when it is asked for."""
    model = read_blocks(file, ColumnsModel, ColumnsVectorizer)
    with refuse_contradictions(file, "the answer"):
        settings = model.choices.text
        if settings is None or tuple(settings.text_columns or ()) != model.vectorizer.names:
            raise ValueError("columns of texts that are not those of the parameters")
    return model


def read_blocks(
    file: ModelFile, model_type: type[_Model], vectorizer_type: type[ColumnsVectorizer]
) -> _Model:
    """Make a model of blocks of features side by side."""
    model = read_header(file, model_type, DEFAULTS)
    with refuse_contradictions(file, "the answer"):
        check_form(model.choices, text=True)
        model.frozen = linear.read_answer(file, model)
        names = [name for name in file.names if name.startswith(BLOCKS)]
        tables = {
            name.removeprefix(BLOCKS): file.array(name)
            if name.endswith(vectorizer_type.WHOLE)
            else file.checked(name)
            for name in names
        }
        vectorizer = vectorizer_type.from_frozen(file.header["text"], tables)
        if vectorizer.n_columns_ != int(file.header["columns"]):
            raise ValueError("columns of weights that are not those of the terms")
    model.stored_vectorizer = vectorizer
    model.stored = _StoredColumnsState(file)
    return model


class _StoredColumnsState(StoredState):
    def restore(self, model: Model) -> Training:
        """Read the state, whose vectorizer is that of the answer."""
        training = super().restore(model)
        vectorizer: Any = model.stored_vectorizer  # type: ignore[attr-defined]
        training.vectorizer = vectorizer
        return training
