"""Random data: every number follows from the seeds given here."""

from __future__ import annotations

import gzip
from dataclasses import dataclass

import numpy as np

from benchmarks.corpora import Missing, data_folder

SPARSE_SEED = 20240229
SEPARABLE_SEED = 7


@dataclass(frozen=True)
class Rows:
    """Canonical CSR rows (columns ascending, none twice), scipy's layout, with a -1/+1 target."""

    data: np.ndarray
    indices: np.ndarray
    indptr: np.ndarray
    y: np.ndarray
    n_columns: int

    def matrix(self):
        """Return scipy's matrix over the same memory."""
        from scipy.sparse import csr_matrix

        return csr_matrix(
            (self.data, self.indices, self.indptr), shape=(len(self.y), self.n_columns)
        )


def zipf_rows(
    n_rows: int = 100_000,
    n_columns: int = 2**18,
    per_row: int = 80,
    noise: float = 0.05,
    seed: int = SPARSE_SEED,
    scattered: bool = True,
) -> Rows:
    """Draw sparse float32 rows as texts give them.

    Every row has ``per_row`` distinct columns, the r-th commonest with a chance in proportion to
    1/r. The r-th commonest column is number r, as in a vocabulary that grew with the texts (about),
    or is drawn as well (``scattered``), as a hash would have it. Values are
    uniform on (0.5, 1.5), each row then of unit length. Targets are the side of a drawn Gaussian
    separator, a share ``noise`` of them flipped.
    """
    draw = np.random.default_rng(seed)
    column_of_rank = draw.permutation(n_columns).astype(np.int32)
    if not scattered:
        column_of_rank.sort()
    chance = np.cumsum(1.0 / np.arange(1, n_columns + 1))
    indices = np.empty((n_rows, per_row), dtype=np.int32)
    for i in range(n_rows):
        indices[i] = np.sort(column_of_rank[_distinct(draw, chance, per_row)])
    data = draw.uniform(0.5, 1.5, size=indices.shape).astype(np.float32)
    data /= np.sqrt(np.square(data).sum(axis=1, keepdims=True))
    separator = draw.standard_normal(n_columns)
    y = np.where((data * separator[indices]).sum(axis=1) > 0, 1, -1)
    y[draw.random(n_rows) < noise] *= -1
    indptr = np.arange(0, indices.size + 1, per_row, dtype=np.int32)
    return Rows(data.ravel(), indices.ravel(), indptr, y, n_columns)


def _distinct(draw: np.random.Generator, chance: np.ndarray, wanted: int) -> np.ndarray:
    """Draw ``wanted`` distinct ranks: the first ones, in the order in which they come."""
    ranks = np.empty(0, dtype=np.int64)
    while True:
        more = np.searchsorted(chance, draw.random(2 * wanted) * chance[-1])
        ranks = np.concatenate([ranks, more])
        _, first = np.unique(ranks, return_index=True)
        if len(first) >= wanted:
            return ranks[np.sort(first)[:wanted]]


def separable_set(
    number: int, n_rows: int = 500, n_columns: int = 10, margin: float = 0.02
) -> tuple[np.ndarray, np.ndarray]:
    """Draw a set that a unit vector through the origin separates with at least this margin.

    Gaussian points; those nearer than ``margin`` to the drawn hyperplane are drawn again.
    """
    draw = np.random.default_rng([SEPARABLE_SEED, number])
    w = draw.standard_normal(n_columns)
    w /= np.sqrt(np.square(w).sum())
    X = draw.standard_normal((4 * n_rows, n_columns))
    scores = (X * w).sum(axis=1)
    kept = np.flatnonzero(np.abs(scores) >= margin)[:n_rows]
    return X[kept], np.where(scores[kept] > 0, 1, -1)


def mnist() -> tuple[np.ndarray, np.ndarray]:
    """Return the 60,000 training digits as float32 in [0, 1], one a row, and their classes."""
    pixels, classes = mnist_pixels("train")
    return (pixels / np.float32(255)).astype(np.float32), classes


def mnist_pixels(part: str) -> tuple[np.ndarray, np.ndarray]:
    """Return the digits of a part, "train" or "t10k", as they are, 0 to 255, and their classes."""
    folder = data_folder() / "mnist"
    if not folder.exists():
        raise Missing(f"{folder} is not there (HARDLIMIT_DATA names the folder of the data sets)")
    pixels = _idx(folder / f"{part}-images-idx3-ubyte.gz", 16).reshape(-1, 784)
    return pixels, _idx(folder / f"{part}-labels-idx1-ubyte.gz", 8)


def _idx(path, header: int) -> np.ndarray:
    with gzip.open(path) as stream:
        return np.frombuffer(stream.read(), dtype=np.uint8, offset=header)
