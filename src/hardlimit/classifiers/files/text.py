"""Models of texts: vocabulary, idf, and weights in single precision; or votes."""

from __future__ import annotations

import os

import numpy as np

from hardlimit.classifiers.files.header import (
    Tensors,
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
from hardlimit.classifiers.model.answers import Weights
from hardlimit.classifiers.model.model import Model
from hardlimit.classifiers.model.packed_weights import MANY_OUTPUTS, PackedWeights
from hardlimit.classifiers.model.text_answer import KIND, SECTION, TextAnswer
from hardlimit.classifiers.model.text_model import StoredWeights, TextModel
from hardlimit.classifiers.model.training import Training
from hardlimit.exceptions import InputError, Setting
from hardlimit.foundation import progress
from hardlimit.foundation.types import Array
from hardlimit.model_file import ModelFile, refuse_contradictions
from hardlimit.text import TextVectorizer

STATE = "state.text."
IDF = "idf", "idf_numbers"
DEFAULTS = {"readout": "averaged"}


def write(model: TextModel, path: str | os.PathLike[str], training_state: bool) -> None:
    """Write a model, whole or not at all."""
    vectorizer = model.vectorizer
    progress.report("preparing the model file")
    with standing_still(model), vectorizer.reading:
        votes, bias = model.votes, None
        if votes:
            _check_kept_with_votes(training_state)
            tensors = write_votes(votes)
        else:
            answer = model.frozen_weights(single_precision=True)
            bias, tensors = answer.bias, _write_answer(answer, vectorizer)
        header = write_header(model, KIND, bias, training_state)
        header["text"] = vectorizer.header()
        if training_state:
            tensors |= write_state(model.state)
            tensors |= _write_vectorizer(vectorizer, tensors)
    write_model(model, path, header, tensors)


def _check_kept_with_votes(training_state: bool) -> None:
    if not training_state:
        raise InputError(
            "votes on texts are counted with the vectorizer of the training state",
            who="save",
            parameter="training_state",
            got=training_state,
            wanted="True of a model that votes",
            fix=("or save with ", Setting("readout", "averaged"), ", which answers much like it"),
        )


def _write_answer(answer: Weights | PackedWeights, vectorizer: TextVectorizer) -> Tensors:
    """Return the terms that have weights, as tables that are looked up where they lie."""
    if answer.n_outputs < MANY_OUTPUTS:
        return _write_rows(answer.weights(), vectorizer)
    if isinstance(answer, Weights):
        answer = PackedWeights.of_array(answer.array.astype(np.float32, copy=False))
    packed = answer.without_bias()
    if not packed.is_smaller(answer.n_outputs):
        return _write_rows(answer.weights(), vectorizer)
    # With a norm all terms of a vocabulary are kept, whether they have weights or not.
    whole = vectorizer.norm is not None and vectorizer.hash_bits is None
    tables = vectorizer.frozen_tables(None if whole else answer.used_columns)
    if "columns" in tables:
        packed = packed.with_runs(packed.runs[tables["columns"]])
    # Which terms have weights is said by their runs.
    kept = [name for name in tables if name not in ("weight_rows", "used")]
    return {SECTION + name: tables[name] for name in kept} | write_packed(packed)


def _write_vectorizer(vectorizer: TextVectorizer, answer: Tensors) -> Tensors:
    """Return all terms; their idf only where it is not that of the answer, number for number."""
    tables = vectorizer.state_tables()
    written = [(tables.get(name), answer.get(SECTION + name)) for name in IDF]
    if all(np.array_equal(a, b) if a is not None and b is not None else a is b for a, b in written):
        for name in IDF:
            tables.pop(name, None)
    return {STATE + name: table for name, table in tables.items()}


def _write_rows(weights: Array, vectorizer: TextVectorizer) -> Tensors:
    weights = weights.astype(np.float32, copy=False)
    used = np.flatnonzero((weights[:-1] != 0).any(axis=1))
    # Then no table of used columns is written.
    everything = len(used) == len(weights) - 1
    tables = vectorizer.frozen_tables(None if everything else used)
    tensors: Tensors = {SECTION + name: table for name, table in tables.items()}
    tensors["answer.weights"] = weights[:-1] if everything else weights[used]
    return tensors


def read(file: ModelFile) -> TextModel:
    """Make the model of an open file; terms and state are read where they are asked for."""
    # The same reader that answers without numpy: one way to check a file.
    answer = None if has_votes(file) else TextAnswer(file)
    model = read_header(file, TextModel, DEFAULTS)
    with refuse_contradictions(file, "the answer"):
        check_form(model.choices, text=True)
        if answer is None:
            if not file.has_state:
                raise ValueError("votes without the vectorizer that they are counted with")
            shape = int(file.header["text"]["n_columns"]), model.classes.n_outputs
            model.frozen = read_votes(file, shape, model.choices)
        else:
            model.frozen = StoredWeights(answer)
    model.stored = StoredTextState(file)
    return model


class StoredTextState(StoredState):
    """The training state and the vectorizer in an open file, until they are asked for."""

    def restore(self, model: Model) -> Training:
        """Read both, for this model."""
        names = [name for name in self.file.names if name.startswith(STATE)]
        tables = {name.removeprefix(STATE): self.file.checked(name) for name in names}
        if "idf" not in tables:
            of_answer = [name for name in IDF if SECTION + name in self.file.names]
            tables |= {name: self.file.checked(SECTION + name) for name in of_answer}
        vectorizer = TextVectorizer.from_frozen(self.file.header["text"], tables)
        training = super().restore(model)
        training.vectorizer = vectorizer
        return training
