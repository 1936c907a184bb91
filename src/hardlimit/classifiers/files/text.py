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
    write_votes,
)
from hardlimit.classifiers.files.origin import write_model
from hardlimit.classifiers.files.state import StoredState, standing_still, write_state
from hardlimit.classifiers.model.model import Model
from hardlimit.classifiers.model.text_answer import KIND, SECTION, TextAnswer
from hardlimit.classifiers.model.text_model import StoredWeights, TextModel
from hardlimit.classifiers.model.training import Training
from hardlimit.exceptions import InputError, Setting
from hardlimit.foundation.types import Array
from hardlimit.model_file import ModelFile, refuse_contradictions
from hardlimit.text import TextVectorizer

STATE = "state.text."
DEFAULTS = {"readout": "averaged"}


def write(model: TextModel, path: str | os.PathLike[str], training_state: bool) -> None:
    """Write a model, whole or not at all."""
    vectorizer = model.vectorizer
    with standing_still(model), vectorizer.reading:
        votes, weights = model.votes, None
        if votes:
            _check_kept_with_votes(training_state)
            tensors = write_votes(votes)
        else:
            # The answer of a fit on texts is in single precision already.
            weights = model.weights().astype(np.float32, copy=False)
            tensors = _write_terms(weights, vectorizer)
        header = write_header(model, KIND, weights, training_state)
        header["text"] = vectorizer.header()
        if training_state:
            tensors |= write_state(model.state)
            tensors |= {STATE + name: table for name, table in vectorizer.state_tables().items()}
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


def _write_terms(weights: Array, vectorizer: TextVectorizer) -> Tensors:
    """Return the terms that have weights, as tables that are looked up where they lie."""
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
        vectorizer = TextVectorizer.from_frozen(self.file.header["text"], tables)
        training = super().restore(model)
        training.vectorizer = vectorizer
        return training
