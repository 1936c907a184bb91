"""Classifiers that work without scikit-learn, and with it; loaded on first use.

Here is also the one table that knows files and classifiers: which codec of ``files/`` reads a kind
of model file, and which classifier is put in front. Nothing in a file is executed.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from hardlimit.classifiers.model.ask import (
    COLUMNS,
    NUMBERS,
    ONE,
    POINTS,
    SETS,
    TABLE,
    TEXT,
    TEXTS,
)

if TYPE_CHECKING:
    from hardlimit.classifiers.kernel import KernelClassifier as KernelClassifier
    from hardlimit.classifiers.linear import LinearClassifier as LinearClassifier
    from hardlimit.classifiers.table import TableClassifier as TableClassifier
    from hardlimit.classifiers.text import TextClassifier as TextClassifier
    from hardlimit.model_file import ModelFile

_HOMES = {
    "KernelClassifier": "kernel",
    "LinearClassifier": "linear",
    "TableClassifier": "table",
    "TextAnswer": "model.text_answer",
    "TextClassifier": "text",
    "open_answer": "model.text_answer",
}

__all__ = [*_HOMES, "load", "open_file", "read"]  # noqa: PLE0604


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'hardlimit.classifiers' has no attribute '{name}'")
    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)


@dataclass(frozen=True)
class ModelKind:
    """A kind of model: the codec of its file in ``files/``, and the module and class in front.

    base : the module and the class of ``hardlimit.live`` that corrections lie on; none where the
    table of conflicts refuses them, for the features or targets.      answers_alone : whether the
    answer can be read without the rest of the file, and without numpy.
    """

    codec: str
    front: str
    classifier: str
    features: str
    targets: str = ONE
    base: tuple[str, str] | None = None
    answers_alone: bool = False

    def imported(self) -> tuple[Any, Any]:
        """The codec and the classifier, imported where they are needed: start-up."""
        codec = importlib.import_module(f"{__name__}.files.{self.codec}")
        front = importlib.import_module(f"{__name__}.{self.front}")
        return codec, getattr(front, self.classifier)


_TEXT = ModelKind("text", "text", "TextClassifier", TEXT, answers_alone=True)
_TEXTS = ModelKind("text_columns", "text", "TextClassifier", TEXTS)
_TABLE = ModelKind("tables", "table", "TableClassifier", TABLE)
_NUMBERS = ModelKind("linear", "linear", "LinearClassifier", NUMBERS)
_COLUMNS_BASE = ("columns", "ColumnsBase")
KINDS = {
    "text classifier": replace(_TEXT, base=("base", "TextBase")),
    "linear classifier": replace(_NUMBERS, base=("rows", "RowBase")),
    "classifier of text columns": replace(_TEXTS, base=_COLUMNS_BASE),
    "table classifier": replace(_TABLE, base=_COLUMNS_BASE),
    "text classifier of many labels": replace(_TEXT, targets=SETS),
    "linear classifier of many labels": replace(_NUMBERS, targets=COLUMNS),
    "classifier of text columns of many labels": replace(_TEXTS, targets=SETS),
    "table classifier of many labels": replace(_TABLE, targets=SETS),
    "kernel classifier": ModelKind("kernel", "kernel", "KernelClassifier", POINTS),
}


def votes(header: Mapping[str, Any]) -> bool:
    """Tell a model that answers by the votes of many hypotheses from one with weights."""
    parameters = header.get("parameters")
    # The header comes from a file, which may hold anything.
    return isinstance(parameters, dict) and parameters.get("readout") == "voted"


def kind_of(file: ModelFile) -> ModelKind:
    """Return the kind of the model in a file."""
    kind = KINDS.get(file.kind)
    if kind is None:
        from hardlimit.exceptions import ModelFileError

        raise ModelFileError(f"holds a '{file.kind}', wanted a classifier", where=str(file.path))
    return kind


def load(
    path: str | os.PathLike[str],
) -> TextClassifier | LinearClassifier | KernelClassifier:
    """Load a classifier from a model file or its URI; nothing in it is executed.

    Raises
    ------
    FileError, ModelFileError
        A file that cannot be read, that is no model, newer, of another kind, cut off or damaged.
    """
    return read(open_file(path))


def open_file(path: str | os.PathLike[str]) -> ModelFile:
    """Open a model file, whose header says what it holds."""
    # Start-up: a process that only learns opens no file.
    from hardlimit import model_file
    from hardlimit.foundation.inputs import check_path

    return model_file.open(check_path(path))


def read(file: ModelFile) -> TextClassifier | LinearClassifier | KernelClassifier:
    """Return the classifier of an open file."""
    from hardlimit import model_file

    codec, classifier = kind_of(file).imported()
    model = codec.read(file)
    with model_file.refuse_contradictions(file, "the header"):  # a parameter that there is not
        front = classifier(**model.choices.given)
    # Before the model is adopted, which takes the classifier's metadata for its own.
    front.metadata = model.metadata
    loaded: TextClassifier | LinearClassifier | KernelClassifier = front.adopt(model)
    return loaded
