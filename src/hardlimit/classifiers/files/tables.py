"""Models of tables: weights, and what each column became."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from hardlimit.classifiers.files import text_columns
from hardlimit.classifiers.model.table_model import TableModel
from hardlimit.model_file import ModelFile
from hardlimit.tables import TableVectorizer

if TYPE_CHECKING:
    from hardlimit.classifiers.model.model import Model


KIND = "table classifier"


def write(model: Model, path: str | os.PathLike[str], training_state: bool) -> None:
    """Write a model, whole or not at all."""
    text_columns.write(model, path, training_state, KIND)


def read(file: ModelFile) -> TableModel:
    """Make the model of an open file; its training state is read when it is asked for."""
    return text_columns.read_blocks(file, TableModel, TableVectorizer)
