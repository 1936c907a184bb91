"""Features of texts whose columns are known before any text is, counted in parts and merged.

Hashed features: which column a term has needs no counting. What is counted is the first term that
each column had, its name. A given vocabulary: the columns are its terms. Of both in how many
documents each column was, where the features have an idf.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from hardlimit.foundation.types import Array, IntArray
from hardlimit.text import logs
from hardlimit.text.vectorizer import TextVectorizer


class FixedCounts(NamedTuple):
    """The settings and the tables of the features of some texts."""

    header: dict[str, Any]
    tables: dict[str, Array]
    n_replaced: int

    def packed(self) -> FixedCounts:
        """Return this."""
        return self

    def fit(self, vectorizer: TextVectorizer, others: Sequence[Any]) -> TextVectorizer:
        """Return the vectorizer of this part and of those behind it."""
        return _merge(vectorizer, [self, *(other.packed() for other in others)])


def _merge(vectorizer: TextVectorizer, parts: Sequence[FixedCounts]) -> TextVectorizer:
    header = dict(parts[0].header)
    header["n_documents"] = sum(part.header["n_documents"] for part in parts)
    tables = _merge_columns(parts, header) if header["hash_bits"] else _add_up(parts, header)
    vectorizer.restore(header, tables)
    vectorizer.n_replaced_ = sum(part.n_replaced for part in parts)
    return vectorizer


def _add_up(parts: Sequence[FixedCounts], header: dict[str, Any]) -> dict[str, Array]:
    """Return the tables of a given vocabulary, whose columns are those of each part."""
    tables, idf, n = dict(parts[0].tables), logs.IDF.get(header["idf"]), header["n_documents"]
    frequencies = [part.tables[_frequency_of(part)].astype(np.int64) for part in parts]
    tables.pop("frequency16", None)
    counts = np.add.reduce(frequencies)
    tables["frequency"] = counts.astype(np.uint32)
    if idf is not None:
        header["idf_of_unseen"] = idf(n, 0)
        # A term that no text has gets its idf with the first.
        weights = [idf(n, df) if df else 0.0 for df in counts.tolist()]
        tables.pop("idf_numbers", None)
        tables["idf"] = np.array(weights, np.float64)
    return tables


def _frequency_of(part: FixedCounts) -> str:
    return "frequency16" if "frequency16" in part.tables else "frequency"


def _merge_columns(parts: Sequence[FixedCounts], header: dict[str, Any]) -> dict[str, Array]:
    """Return the tables of hashed features: the columns that any part has."""
    n = header["n_documents"]
    columns = np.unique(np.concatenate([part.tables["columns"] for part in parts]))
    tables = {"columns": columns.astype(np.int32)} | _merge_names(parts, columns)
    if header["idf"] is not None:
        idf = logs.IDF[header["idf"]]
        header["idf_of_unseen"] = idf(n, 0)
        counts = _add_frequencies(parts, columns)
        tables["frequency"] = counts.astype(np.uint32)
        tables["idf"] = np.array([idf(n, int(df)) for df in counts], np.float64)
    return tables


def _merge_names(parts: Sequence[FixedCounts], columns: IntArray) -> dict[str, Array]:
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


def _add_frequencies(parts: Sequence[FixedCounts], columns: IntArray) -> IntArray:
    """Return the documents of each column."""
    counts = np.zeros(len(columns), np.int64)
    for part in parts:
        places = np.searchsorted(columns, part.tables["columns"])
        counts[places] += part.tables[_frequency_of(part)].astype(np.int64)
    return counts
