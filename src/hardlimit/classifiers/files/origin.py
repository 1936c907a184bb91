"""The file that a model was loaded from: saving there must not undo what another program learnt."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from hardlimit import model_file
from hardlimit.classifiers.model.model import Model, check_finite
from hardlimit.classifiers.model.parts import Origin
from hardlimit.exceptions import FileError, ModelFileError
from hardlimit.foundation import dtypes
from hardlimit.foundation.file_lock import holding
from hardlimit.foundation.inputs import check_path
from hardlimit.model_file import ModelFile


def origin_of(file: ModelFile) -> Origin:
    """Return what is remembered of an open file."""
    return Origin(os.path.realpath(file.path), file.digest)


def write_model(
    model: Model, path: str | os.PathLike[str], header: Mapping[str, Any], tensors: Any
) -> None:
    """Write a model file, unless another program changed it since the model was loaded from it.

    Raises
    ------
    FileError
        A file that was changed, or that cannot be written.
    InputError
        Numbers that overflowed, which no file may hold: reading it would be refused.
    """
    check_path(path)
    check_finite(_is_finite(header, tensors))
    origin = model.origin
    if origin is None or os.path.realpath(os.fsdecode(path)) != origin.path:
        model_file.write(path, header, tensors)
        return
    # Held from the look to the writing: another program could save in between.
    with holding(path):
        _check_unchanged(origin)
        origin.digest = model_file.write(path, header, tensors)


def _is_finite(header: Mapping[str, Any], tensors: Mapping[str, Any]) -> bool:
    if not all(math.isfinite(float.fromhex(number)) for number in header["intercept"]):
        return False
    arrays = (np.asarray(tensor) for tensor in tensors.values())
    return all(_no_overflow(array) for array in arrays if dtypes.is_floating(array.dtype))


def _no_overflow(array: np.ndarray) -> bool:
    flat, piece = array.reshape(-1), 1 << 17  # stays in the caches
    return all(np.isfinite(flat[i : i + piece]).all() for i in range(0, flat.size, piece))


def _check_unchanged(origin: Origin) -> None:
    # Whoever deleted the file has said that nothing in it is needed.
    if not os.path.exists(origin.path):
        return
    try:
        digest = model_file.open(origin.path).digest
    except (FileError, ModelFileError):
        digest = ""
    if digest != origin.digest:
        raise FileError(
            "another program changed it since this model was loaded from it, and saving would undo "
            "that",
            where=origin.path,
            fix="load it again and teach that model, save under another name, or delete the file "
            "first if nothing in it is needed",
        )
