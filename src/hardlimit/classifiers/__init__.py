"""Classifiers that work without scikit-learn, and with it; loaded on first use.

Here is also the one table that knows files and classifiers: which codec of ``files/`` reads a kind
of model file, and which classifier is put in front. Nothing in a file is executed.
"""

from __future__ import annotations

import importlib
import os
from typing import TYPE_CHECKING, Any, NamedTuple

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


class ModelKind(NamedTuple):
    """A kind of model: the codec of its file in ``files/``, and the module and class in front."""

    codec: str
    front: str
    classifier: str

    def imported(self) -> tuple[Any, Any]:
        """The codec and the classifier, imported where they are needed: start-up."""
        codec = importlib.import_module(f"{__name__}.files.{self.codec}")
        front = importlib.import_module(f"{__name__}.{self.front}")
        return codec, getattr(front, self.classifier)


KINDS = {
    "linear classifier": ModelKind("linear", "linear", "LinearClassifier"),
    "linear classifier of many labels": ModelKind("linear", "linear", "LinearClassifier"),
    "text classifier": ModelKind("text", "text", "TextClassifier"),
    "text classifier of many labels": ModelKind("text", "text", "TextClassifier"),
    "classifier of text columns": ModelKind("text_columns", "text", "TextClassifier"),
    "classifier of text columns of many labels": ModelKind(
        "text_columns", "text", "TextClassifier"
    ),
    "table classifier": ModelKind("tables", "table", "TableClassifier"),
    "table classifier of many labels": ModelKind("tables", "table", "TableClassifier"),
    "kernel classifier": ModelKind("kernel", "kernel", "KernelClassifier"),
}


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
    from hardlimit.exceptions import ModelFileError

    if file.kind not in KINDS:
        raise ModelFileError(f"holds a '{file.kind}', wanted a classifier", where=str(file.path))
    codec, classifier = KINDS[file.kind].imported()
    model = codec.read(file)
    with model_file.refuse_contradictions(file, "the header"):  # a parameter that there is not
        front = classifier(**model.choices.given)
    # Before the model is adopted, which takes the classifier's metadata for its own.
    front.metadata = model.metadata
    loaded: TextClassifier | LinearClassifier | KernelClassifier = front.adopt(model)
    return loaded
