"""The one function that loads whatever was saved; scikit-learn is imported for estimators only."""

from __future__ import annotations

import importlib.util
from typing import TYPE_CHECKING, cast

from hardlimit import classifiers
from hardlimit.exceptions import MissingExtraError
from hardlimit.foundation.types import PathLike

if TYPE_CHECKING:
    from hardlimit.classifiers import KernelClassifier, LinearClassifier, TextClassifier
    from hardlimit.estimators._base import BaseClassifier

    Loaded = TextClassifier | LinearClassifier | KernelClassifier | BaseClassifier


def load(path: PathLike) -> Loaded:
    """Load a classifier or an estimator from a model file; nothing in it is executed.

    What ``save`` of an estimator wrote comes back as that estimator; for what learnt inside it,
    without scikit-learn, ask ``hardlimit.classifiers.load(path)``.

    Raises
    ------
    FileError, ModelFileError
        A file that cannot be read, that is no model, newer, of another kind, cut off or damaged.
    MissingExtraError
        An estimator's file where scikit-learn is not installed.
    """
    file = classifiers.open_file(path)
    if "estimator" not in file.header:
        return classifiers.read(file)
    if importlib.util.find_spec("sklearn") is None:
        raise MissingExtraError(
            "holds an estimator, which needs scikit-learn",
            who="load",
            where=str(file.path),
            fix="pip install 'hardlimit[sklearn]', or load what predicts with "
            "hardlimit.classifiers.load(path)",
        )
    # Start-up: importing it imports scikit-learn.
    from hardlimit.estimators import files

    return cast("BaseClassifier", files.read(file))
