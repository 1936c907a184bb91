"""Hashed features of texts that are counted in parts: names and document frequencies, merged.

Which column a term has needs no counting. What is counted is the first term that each column had,
its name, and in how many documents it was, where the features have an idf.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from hardlimit.foundation.types import Array, IntArray
from hardlimit.text import TextVectorizer, logs
from hardlimit.text.batches import Texts


class HashedCounts(NamedTuple):
    """What was counted of some of the texts.

    header, tables : of the vectorizer that was fitted to them.
    """

    header: dict[str, Any]
    tables: dict[str, Array]
    n_replaced: int


def count_hashed(vectorizer: TextVectorizer, texts: Texts) -> HashedCounts:
    """Count a part of the texts, for :func:`fit_hashed`."""
    vectorizer.fit(texts)
    return HashedCounts(vectorizer.header(), vectorizer.state_tables(), vectorizer.n_replaced_)


def fit_hashed(parts: Sequence[HashedCounts]) -> TextVectorizer:
    """Return the vectorizer that ``fit`` makes of all texts in the order of the parts.

    Examples
    --------
    >>> texts = [["win a prize", "lunch?"], ["a prize for you"]]
    >>> parts = [count_hashed(TextVectorizer(hash_bits=10), some) for some in texts]
    >>> merged, whole = fit_hashed(parts), TextVectorizer(hash_bits=10).fit(sum(texts, []))
    >>> merged.terms(range(1024)) == whole.terms(range(1024)), merged.n_documents_
    (True, 3)
    """
    header = dict(parts[0].header)
    header["n_documents"] = n = sum(part.header["n_documents"] for part in parts)
    columns = np.unique(np.concatenate([part.tables["columns"] for part in parts]))
    tables = {"columns": columns.astype(np.int32)} | _merge_names(parts, columns)
    if header["idf"] is not None:
        idf = logs.IDF[header["idf"]]
        header["idf_of_unseen"] = idf(n, 0)
        counts = _add_frequencies(parts, columns)
        tables["frequency"] = counts.astype(np.uint32)
        tables["idf"] = np.array([idf(n, int(df)) for df in counts], np.float64)
    vectorizer = TextVectorizer.from_frozen(header, tables)
    vectorizer.n_replaced_ = sum(part.n_replaced for part in parts)
    return vectorizer


def _merge_names(parts: Sequence[HashedCounts], columns: IntArray) -> dict[str, Array]:
    """Return the names of the columns: the first that any part has."""
    names = [b""] * len(columns)
    for part in reversed(parts):  # the earlier, the later it has the word
        places = np.searchsorted(columns, part.tables["columns"]).tolist()
        for place, name in zip(places, _names_of(part.tables), strict=True):
            names[place] = name or names[place]
    ends = np.add.accumulate([len(name) for name in names])
    kind, key = (np.uint64, "names_ends") if ends[-1] >> 32 else (np.uint32, "names_ends32")
    return {key: ends.astype(kind), "names_bytes": np.frombuffer(b"".join(names), np.uint8)}


def _names_of(tables: dict[str, Array]) -> list[bytes]:
    ends = tables["names_ends32" if "names_ends32" in tables else "names_ends"].tolist()
    text = tables["names_bytes"].tobytes()
    return [text[begin:end] for begin, end in zip([0, *ends], ends, strict=False)]


def _add_frequencies(parts: Sequence[HashedCounts], columns: IntArray) -> IntArray:
    """Return the documents of each column."""
    counts = np.zeros(len(columns), np.int64)
    for part in parts:
        name = "frequency16" if "frequency16" in part.tables else "frequency"
        places = np.searchsorted(columns, part.tables["columns"])
        counts[places] += part.tables[name].astype(np.int64)
    return counts
