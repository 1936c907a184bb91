"""Model files to classifiers: nothing in a file is executed."""

from __future__ import annotations

import importlib
import os
from typing import TYPE_CHECKING, Any, NamedTuple

from hardlimit import model_file
from hardlimit.exceptions import ModelFileError

if TYPE_CHECKING:
    from hardlimit.classifiers.kernel import KernelClassifier
    from hardlimit.classifiers.linear import LinearClassifier
    from hardlimit.classifiers.text import TextClassifier


class Kind(NamedTuple):
    """A kind of model: the codec of its file in ``files/``, and the module and class in front."""

    codec: str
    front: str
    classifier: str

    def imported(self) -> tuple[Any, Any]:
        """The codec and the classifier, imported where they are needed: start-up."""
        codec = importlib.import_module(f"{__package__}.files.{self.codec}")
        front = importlib.import_module(f"{__package__}.{self.front}")
        return codec, getattr(front, self.classifier)


KINDS = {
    "linear classifier": Kind("linear", "linear", "LinearClassifier"),
    "linear classifier of many labels": Kind("linear", "linear", "LinearClassifier"),
    "text classifier": Kind("text", "text", "TextClassifier"),
    "kernel classifier": Kind("kernel", "kernel", "KernelClassifier"),
}


def load(
    path: str | os.PathLike[str],
) -> TextClassifier | LinearClassifier | KernelClassifier:
    """Load a classifier from a model file; nothing in it is executed.

    Raises
    ------
    FileError, ModelFileError
        A file that cannot be read, that is no model, newer, of another kind, cut off or damaged.
    """
    file = model_file.open(path)
    if file.kind not in KINDS:
        raise ModelFileError(f"holds a '{file.kind}', wanted a classifier", where=str(file.path))
    codec, classifier = KINDS[file.kind].imported()
    model = codec.read(file)
    with model_file.refuse_contradictions(file, "the header"):  # a parameter that there is not
        front = classifier(**model.choices.given)
    front.metadata = model.metadata
    loaded: TextClassifier | LinearClassifier | KernelClassifier = front.adopt(model)
    return loaded
