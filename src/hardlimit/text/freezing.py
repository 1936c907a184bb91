"""A vectorizer as plain JSON and arrays, and back: what a model file holds of it.

The *frozen tables* are for predicting only: open-addressing tables that ``_native.TextScorer``
looks up where they lie, in a memory-mapped file, without building anything (their layout stands in
``native/text/frozen.hpp``). The *state tables* are for learning on.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from hardlimit import _native
from hardlimit.exceptions import InputError, KindError, ModelFileError
from hardlimit.foundation import dtypes
from hardlimit.text import limits, logs, settings

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import NDArray

    from hardlimit._native import TextFeatures

# Logarithms of counts up to this are in the file, so that predicting needs no `decimal`; a longer
# text computes its own.
_N_LOGS = 256
_MOST_DOCUMENTS = (1 << 32) - 1  # so many documents a frequency can count


def describe_features(params: dict[str, Any], features: TextFeatures) -> dict[str, Any]:
    """Return settings and counts as plain JSON."""
    checked = settings.check_settings(params)
    idf = params["idf"]
    # Said where they are not the defaults.
    more: dict[str, Any] = {"closed": True} if features.closed else {}
    if checked["across"]:
        more["analyzer"] = params["analyzer"]
    if checked["stop_words"]:
        more["stop_words"] = checked["stop_words"]
    if params["strip_accents"] is not None:
        more["strip_accents"] = params["strip_accents"]
    kept = limits.check_limits(params)
    if kept.first_set is not None:
        more["limits"] = list(kept)
    return {
        **more,
        "words": list(checked["words"]),
        "chars": list(checked["chars"]),
        "hash_bits": checked["hash_bits"],
        "salt": checked["salt"],
        "hash": _native.HASH_NAME,
        "unicode": _native.UNICODE_VERSION,
        "tf": params["tf"],
        "idf": idf,
        "norm": params["norm"],
        "block_weights": _as_list(settings.check_block_weights(params["block_weights"])),
        "n_documents": features.n_documents,
        "n_columns": features.n_columns,
        "idf_of_unseen": 1.0 if idf is None else logs.IDF[idf](features.n_documents, 0),
    }


def read_parameters(header: Mapping[str, Any]) -> dict[str, Any]:
    """Return the constructor's arguments from a header."""
    try:
        if header["hash"] != _native.HASH_NAME:
            raise ModelFileError(
                f"the text was hashed by {header['hash']!r}, and this version knows only "
                f"{_native.HASH_NAME!r}",
                fix="load it with a newer hardlimit",
            )
        return {
            "words": tuple(header["words"]) if header["words"][1] else None,
            "chars": tuple(header["chars"]) if header["chars"][1] else None,
            "hash_bits": header["hash_bits"] or None,
            "tf": header["tf"],
            "idf": header["idf"],
            "norm": header["norm"],
            "salt": header["salt"],
            # Absent before version 3.
            "block_weights": _as_tuple(header.get("block_weights")),
            "analyzer": header.get("analyzer", "char_wb"),
            "stop_words": _as_tuple(header.get("stop_words")),
            "strip_accents": header.get("strip_accents"),
            **limits.TermLimits(*header.get("limits", ()))._asdict(),
        }
    except (KeyError, TypeError, IndexError) as error:
        raise _incomplete_error(error) from None


def _as_list(pair: tuple[float, float] | None) -> list[float] | None:
    return None if pair is None else list(pair)


def _as_tuple(pair: Iterable[Any] | None) -> tuple[Any, ...] | None:
    return None if pair is None else tuple(pair)


def _incomplete_error(error: Exception) -> ModelFileError:
    return ModelFileError(f"the header of the text features is incomplete: {error!r}")


def _view_typed(tensors: dict[str, tuple[str, Any]]) -> dict[str, NDArray[Any]]:
    return {name: array.view(kind) for name, (kind, array) in tensors.items()}


def _check_columns(columns: NDArray[np.integer[Any]] | None, n_columns: int) -> list[int] | None:
    """Check that columns are ascending, each once, in range, and return them as a list."""
    import numpy as np

    if columns is None:
        return None
    array = np.asarray(columns)
    if array.ndim != 1 or (array.size and not dtypes.is_integer(array.dtype)):
        wanted = "a one-dimensional array of whole numbers, or None"
        raise KindError(parameter="columns", wanted=wanted)
    if array.size and (
        array[0] < 0 or array[-1] >= n_columns or not bool(np.all(array[1:] > array[:-1]))
    ):
        wanted = f"ascending numbers, each once, from 0 to {n_columns - 1}"
        raise InputError(parameter="columns", wanted=wanted)
    numbers: list[int] = array.tolist()
    return numbers


def freeze_tables(
    params: dict[str, Any],
    features: TextFeatures,
    columns: NDArray[np.integer[Any]] | None,
) -> dict[str, NDArray[Any]]:
    """Return the tables for predicting with weights for ``columns`` (ascending; None is all)."""
    import numpy as np

    used = _check_columns(columns, features.n_columns)
    tables = _view_typed(
        features.freeze(used, params["norm"] is not None, params["idf"] is not None)
    )
    if params["tf"] == "sublinear":  # the scorer has no decimal arithmetic of its own
        values = [logs.sublinear(count) for count in range(1, _N_LOGS + 1)]
        tables["logs"] = np.array(values, dtype=np.float64)
    return tables


def dump_tables(features: TextFeatures) -> dict[str, NDArray[Any]]:
    """Return everything learnt, from which learning can go on."""
    return _view_typed(features.dump())


def restore_tables(
    header: Mapping[str, Any], arrays: Mapping[str, Any], features: TextFeatures
) -> None:
    """Put state tables (arrays, or CheckedBuffers of a file) into new features."""
    checked = _check_tables(arrays)
    n_documents = header.get("n_documents")
    # JSON has truth values and floats, which would pass as numbers.
    if type(n_documents) is not int or not 0 <= n_documents <= _MOST_DOCUMENTS:
        raise ModelFileError(f"the text header counts {n_documents!r:.40} documents")
    features.restore(checked, n_documents)
    features.closed = header.get("closed") is True


def absorb_tables(features: TextFeatures, arrays: Mapping[str, Any], n_documents: int) -> None:
    """Add what another vocabulary of these settings has learnt of the texts that come next."""
    features.absorb(_check_tables(arrays), n_documents)


def _check_tables(arrays: Mapping[str, Any]) -> dict[str, Any]:
    # Bytes from a file are compared with their digest when first touched; arrays in memory get
    # the same wrapper without a digest, so that the compiled part knows one kind.
    return {
        name: array
        if isinstance(array, _native.CheckedBuffer)
        else _native.CheckedBuffer(name, memoryview(array).cast("B") if len(array) else b"")
        for name, array in arrays.items()
    }


# What a vectorizer does to the terms that it finds is of no interest here.
PLAIN = {"hash_bits": None, "idf": None, "norm": None, "tf": "raw", "vocabulary": None}
UNLIMITED = {"min_df": 1, "max_df": 1.0, "max_features": None}


def check_written(kind: type[Any], params: dict[str, Any], terms: Sequence[str]) -> None:
    """Refuse a term that no text has: each must be found in the text that it is itself.

    ``kind`` makes a vectorizer of ``params``.

    Raises
    ------
    InputError, KindError
        A term in capitals, a word of one letter, an n-gram of another length, and what is no text.
    """
    for term in terms:
        if not isinstance(term, str) or not term:
            raise KindError(parameter="terms", got=term, wanted="texts of at least one character")
    if not terms:
        return
    reader = kind(**{**params, **PLAIN, **UNLIMITED})
    rows = reader.learn_rows([_text_of(term) for term in terms])
    names = reader.get_feature_names_out()
    for place, term in enumerate(terms):
        found = names[rows.indices[rows.indptr[place] : rows.indptr[place + 1]]].tolist()
        if term in found:
            continue
        # Of a word the words that it holds, and not the strings of characters.
        alike = [name for name in found if (name[0] in "[{") == (term[0] in "[{")]
        read = max(alike, key=len, default="")
        raise InputError(
            f"no text has this term, which is read as {read!r}" if read else "no text has it",
            parameter="terms",
            got=term,
            wanted="terms as they are counted: small letters, words of two characters or more",
        )


def _text_of(term: str) -> str:
    """Return a text that has the term: brackets only say which kind it is."""
    return term[1:-1] if term[0] + term[-1] in ("[]", "{}") else term
