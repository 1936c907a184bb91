"""Counts of terms to the values of rows: the logarithms that the compiled part looks up."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Protocol

from hardlimit import _native
from hardlimit.examples.sparse import Csr
from hardlimit.text import logs, settings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hardlimit._native import TextFeatures, TextRows

# Packed counts up to this are weighed while they are unpacked.
_TABLED = 1 << 12


class HowToWeigh(Protocol):
    """The parameters of a vectorizer that say how counts become values.

    Read one by one: all parameters of a vectorizer cost as much as all else of a short text.
    """

    tf: str
    idf: str | None
    norm: str | None
    block_weights: tuple[float, float] | None


def weigh(features: TextFeatures, how: HowToWeigh, rows: TextRows, n_threads: int) -> TextRows:
    """Turn counts into weights, where they lie."""
    # Python computes the logarithms of the few distinct counts; the compiled part looks them up
    counts = rows.distinct_counts(n_threads) if how.tf == "sublinear" else []
    values = [logs.sublinear(count) for count in counts]
    features.weigh(rows, *_weighting(features, how, counts, values), n_threads)
    return rows


def take(rows: TextRows) -> Csr:
    """Return weighed rows as arrays; they are empty then."""
    indptr, indices, data = rows.take()
    return Csr(indptr, indices, data, rows.n_columns)


def weigh_packed(
    features: TextFeatures,
    how: HowToWeigh,
    packed: tuple[Any, Any],
    n_rows: int,
    n_cells: int,
) -> Csr:
    """Return the rows of packed columns and counts, with the bits of :func:`weigh`.

    idf is looked up once a column, in the order in which it lies: twice as fast as unpacking counts
    and weighing them.
    """
    columns, counts = packed
    most = _native.largest_count(counts, n_cells) if how.tf == "sublinear" else 0
    if most > _TABLED:
        rows = _native.unpack_counts(columns, counts, n_rows, n_cells, features.n_columns)
        return take(weigh(features, how, rows, 1))
    weighting = _weighting(features, how, range(1, most + 1), _logs_up_to(most))
    arrays = _native.unpack_weighed(columns, counts, n_rows, n_cells, features, *weighting)
    return Csr(*arrays, features.n_columns)


@lru_cache(maxsize=64)
def _logs_up_to(most: int) -> list[float]:
    return [logs.sublinear(count) for count in range(1, most + 1)]


def _weighting(
    features: TextFeatures,
    how: HowToWeigh,
    counts: Sequence[int],
    values: Sequence[float],
) -> tuple[int, bool, bool, float, Sequence[int], Sequence[float], tuple[float, float]]:
    idf = how.idf
    return (
        settings.TF_NUMBERS[how.tf],
        how.norm == "l2",
        idf is not None,
        1.0 if idf is None else logs.IDF[idf](features.n_documents, 0),
        counts,
        values,
        settings.check_block_weights(how.block_weights) or (1.0, 1.0),
    )
