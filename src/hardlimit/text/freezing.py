"""A vectorizer as plain JSON and arrays, and back: what a model file holds of it.

The *frozen tables* are for predicting only: open-addressing tables that ``_native.TextScorer``
looks up where they lie, in a memory-mapped file, without building anything (their layout stands in
``native/text/frozen.hpp``). The *state tables* are for learning on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hardlimit import _native
from hardlimit.exceptions import InputError, KindError, ModelFileError
from hardlimit.text import logs, settings

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import NDArray

# Logarithms of counts up to this stand in the file; longer texts compute theirs.
_N_LOGS = 256


def header(params: dict[str, Any], features: Any) -> dict[str, Any]:
    """Settings and counts as plain JSON."""
    checked = settings.check(params)
    idf = params["idf"]
    return {
        "words": list(checked["words"]),
        "chars": list(checked["chars"]),
        "hash_bits": checked["hash_bits"],
        "salt": checked["salt"],
        "hash": _native.HASH_NAME,
        "unicode": _native.UNICODE_VERSION,
        "tf": params["tf"],
        "idf": idf,
        "norm": params["norm"],
        "n_documents": features.n_documents,
        "n_columns": features.n_columns,
        "idf_of_unseen": 1.0 if idf is None else logs.IDF[idf](features.n_documents, 0),
    }


def parameters(header: Mapping[str, Any]) -> dict[str, Any]:
    """The constructor's arguments from a header."""
    try:
        if header["hash"] != _native.HASH_NAME:
            raise ModelFileError(
                f"the text was hashed by {header['hash']!r}; this version knows only"
                f" {_native.HASH_NAME!r}: a newer hardlimit reads it"
            )
        return {
            "words": tuple(header["words"]) if header["words"][1] else None,
            "chars": tuple(header["chars"]) if header["chars"][1] else None,
            "hash_bits": header["hash_bits"] or None,
            "tf": header["tf"],
            "idf": header["idf"],
            "norm": header["norm"],
            "salt": header["salt"],
        }
    except (KeyError, TypeError, IndexError) as error:
        raise ModelFileError(f"the header of the text features is incomplete: {error!r}") from None


def _typed(tensors: dict[str, tuple[str, Any]]) -> dict[str, NDArray[Any]]:
    return {name: array.view(kind) for name, (kind, array) in tensors.items()}


def _columns(columns: Any, n_columns: int) -> list[int] | None:
    """The columns asked for, checked: ascending, each once, in range."""
    import numpy as np

    if columns is None:
        return None
    array = np.asarray(columns)
    if array.ndim != 1 or (array.size and array.dtype.kind not in "iu"):
        raise KindError("columns: wanted a one-dimensional array of whole numbers, or None")
    if array.size and (
        array[0] < 0 or array[-1] >= n_columns or not bool(np.all(array[1:] > array[:-1]))
    ):
        raise InputError(f"columns: wanted ascending numbers, each once, from 0 to {n_columns - 1}")
    numbers: list[int] = array.tolist()
    return numbers


def frozen_tables(
    params: dict[str, Any], features: Any, columns: NDArray[np.integer[Any]] | None
) -> dict[str, NDArray[Any]]:
    """The tables for predicting with weights for ``columns`` (ascending; None is all)."""
    import numpy as np

    used = _columns(columns, features.n_columns)
    tables = _typed(features.freeze(used, params["norm"] is not None, params["idf"] is not None))
    if params["tf"] == "sublinear":
        values = [logs.sublinear(count) for count in range(1, _N_LOGS + 1)]
        tables["logs"] = np.array(values, dtype=np.float64)
    return tables


def state_tables(features: Any) -> dict[str, NDArray[Any]]:
    """Everything learnt, for going on."""
    return _typed(features.dump())


def restore(header: Mapping[str, Any], arrays: Mapping[str, Any], features: Any) -> None:
    """Put state tables (arrays, or CheckedBuffers of a file) into new features."""
    checked = {
        name: array
        if isinstance(array, _native.CheckedBuffer)
        else _native.CheckedBuffer(name, memoryview(array).cast("B") if len(array) else b"")
        for name, array in arrays.items()
    }
    try:
        n_documents = int(header["n_documents"])
    except (KeyError, TypeError, ValueError) as error:
        raise ModelFileError(f"the header of the text features is incomplete: {error!r}") from None
    features.restore(checked, n_documents)
