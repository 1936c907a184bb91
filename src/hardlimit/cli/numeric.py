"""Rows of numbers (svmlight, numeric CSV) for the commands that read texts otherwise."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from hardlimit.cli import reading, terminal

if TYPE_CHECKING:
    from hardlimit.readers import Csr

_NO_TEXT = ("text", "quoting", "encoding")


@dataclass
class Matrix(reading.Labelled):
    """Rows of numbers with their labels; ``examples`` is dense, or sparse by rows."""

    remembered: dict[str, Any] | None = None

    def keys(self) -> list[bytes]:
        """Return the bytes of each row, equal where the rows are."""
        X = self.examples
        if not hasattr(X, "indptr"):
            return [row.tobytes() for row in X]
        ends = X.indptr.tolist()
        return [
            X.indices[a:b].tobytes() + X.data[a:b].tobytes()
            for a, b in zip(ends, ends[1:], strict=False)
        ]

    def take(self, rows: list[int]) -> Matrix:
        """Return some of the rows."""
        X = self.examples
        chosen = _sparse_rows(X, rows) if hasattr(X, "indptr") else X[rows]
        return Matrix(self.name, chosen, [self.labels[i] for i in rows], remembered=self.remembered)

    def to_remember(self) -> dict[str, Any] | None:
        """Return how the file was read, for the model."""
        return self.remembered


def _sparse_rows(X: Csr, rows: list[int]) -> Csr:
    import numpy as np

    from hardlimit.readers import Csr

    lengths = np.diff(X.indptr)[rows]
    indptr = np.concatenate(([0], np.cumsum(lengths)))
    places = np.repeat(X.indptr[rows] - indptr[:-1], lengths) + np.arange(indptr[-1])
    return Csr(indptr, X.indices[places], X.data[places], (len(rows), X.shape[1]))


def is_numeric(path: str, format: str | None) -> bool:
    """Tell whether a file holds numbers, by the format asked for or by its extension."""
    from hardlimit.readers.numbers import numeric_formats
    from hardlimit.readers.opening import without_compression

    known = numeric_formats()
    if format is not None:
        return format in known
    extensions = {extension for found in known.values() for extension in found.extensions}
    bare = without_compression(path).lower()
    return any(bare.endswith(extension) for extension in extensions - {".csv"})


def read(path: str, wanted: dict[str, Any]) -> Matrix:
    """Load a file of numbers whole."""
    from hardlimit.readers import load_numbers

    for name in _NO_TEXT:
        if name in wanted:
            raise click.UsageError(f"--{name} does not go with a file of numbers")
    found = load_numbers(path, **wanted)
    for sentence in found.notes:
        terminal.remark(sentence)
    remembered = {
        **{key: value for key, value in wanted.items() if key != "delimiter"},
        "n_features": found.X.shape[1],
    }
    if hasattr(found.X, "indptr"):
        remembered["zero_based"] = found.zero_based
    name = "standard input" if path == "-" else path
    return Matrix(name, found.X, found.y.tolist(), remembered=remembered)
