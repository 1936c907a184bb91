"""Models to model files and back: a codec a kind; ``docs/model-format.md`` says what is stored.

A codec is a module with ``write(model, path, training_state)`` and ``read(file)``. It knows the
model, and no classifier: :mod:`hardlimit.classifiers` has the one table of kinds, with the
codec and the classifier of each. Seconds, dates and paths never enter a file: same input and seed,
same bytes.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hardlimit.classifiers.model.model import Model
    from hardlimit.foundation.types import PathLike


def write(model: Model, path: PathLike, training_state: bool) -> None:
    """Write a model by the codec of its kind, whole or not at all."""
    codec = importlib.import_module(f"{__name__}.{model.codec}")  # start-up: few processes save
    codec.write(model, path, training_state)
