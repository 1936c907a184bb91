"""The core of sparse rows: those that can take part in a conflict at all.

Where all entries of a column have one sign, rows that have it cannot cancel: in ``sum L_i z_i = 0``
their multipliers are 0. They are left out, then columns that have become one-sided, and so on; what
remains is the core. It is separable iff all rows are, for a large enough weight of a one-sided
column puts its rows on their side and changes nothing for those that remain. On texts the core is a
small part of the rows, or nothing. (Andersen and Andersen, Mathematical Programming 71, 1995, call
such equations forcing constraints.)
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from hardlimit.certificates.exact.entries import Entries
from hardlimit.certificates.exact.integers import to_floats
from hardlimit.certificates.finders._protocol import Direction, Finding, Weighting
from hardlimit.certificates.signed_rows import SignedRows

Array = np.ndarray[Any, Any]


class Removal(NamedTuple):
    """One round: rows that were left out for their one-sided columns, and the signs of these."""

    rows: Array
    columns: Array
    signs: Array


@dataclass
class Core:
    """The rows that are left, and the way back.

    Parameters
    ----------
    of
        All signed rows.
    kept
        Their numbers, ascending.
    columns
        Those that the core uses; of equal ones the first.
    removals
        What was left out, in order.
    """

    of: SignedRows
    kept: Array
    columns: Array
    removals: list[Removal] = field(default_factory=list)

    def signed_rows(self) -> SignedRows:
        """The core as signed rows of its own columns, in floats."""
        values, indices, indptr = _take_rows(self.of, self.kept)
        place = np.full(self.of.n_columns, -1)
        place[self.columns] = np.arange(len(self.columns))
        used = place[indices] >= 0
        starts = np.concatenate(([0], np.cumsum(used)))[indptr]
        csr = (values[used], place[indices[used]], starts)
        shape = (len(self.kept), len(self.columns))
        return SignedRows(Entries(shape, csr=csr), np.ones(len(self.kept)), None)

    def lift_finding(self, finding: Finding | None) -> Finding | None:
        """What is found of the core, said of all rows; None for what does not separate it."""
        if isinstance(finding, Weighting):
            return Weighting(self.kept[np.asarray(finding.index, np.int64)], finding.value)
        if finding is None:
            return None
        w = to_floats(finding.w)
        smallest = float(self.signed_rows().dot(w).min())
        return self.lift(w, smallest) if 0 < smallest < np.inf else None

    def lift(self, w: Array, smallest: float) -> Direction | None:
        """Weights of all columns that separate all rows, of w that separates the core.

        ``smallest`` is the least ``z_i . w`` of the core's rows; any positive number of no rows.
        None where the weights are beyond floats.
        """
        lifted = np.zeros(self.of.n_columns)
        lifted[self.columns] = w
        with np.errstate(over="ignore", invalid="ignore"):
            # The last that were left out have none of the columns of those before them.
            for rows, columns, signs in reversed(self.removals):
                one_sided = np.zeros(self.of.n_columns)
                one_sided[columns] = signs
                short_of = smallest - self.of.dot(lifted)[rows]
                gain = self.of.dot(one_sided)[rows]
                lifted += one_sided * max(0.0, 2 * float((short_of / gain).max()))
        return Direction(lifted) if np.isfinite(lifted).all() else None


def find_core(rows: SignedRows) -> Core:
    """Leave out what cannot cancel until every column has both signs. Cost: O(non-zeros) a round.

    >>> from hardlimit.certificates.exact.reading import read_entries
    >>> entries = read_entries([[1, 0, 0], [1, 1, 0], [1, 0, 2], [1, 0, 3]])
    >>> core = find_core(SignedRows(entries, np.array([1, -1, 1, -1]), None))
    >>> core.kept.tolist(), core.columns.tolist(), [r.rows.tolist() for r in core.removals]
    ([0, 2, 3], [0, 2], [[1]])
    """
    kept = np.arange(rows.n_rows)
    removals: list[Removal] = []
    values, indices, indptr = rows.data, rows.indices, rows.indptr
    while True:
        positive = np.bincount(indices[values > 0], minlength=rows.n_columns) > 0
        negative = np.bincount(indices[values < 0], minlength=rows.n_columns) > 0
        one_sided = positive != negative
        if not one_sided.any():
            columns = np.flatnonzero(positive)
            return Core(rows, kept, _drop_equal(columns, values, indices, indptr), removals)
        row_of = np.repeat(np.arange(len(kept)), np.diff(indptr))
        leaves = np.zeros(len(kept), bool)
        leaves[row_of[one_sided[indices]]] = True
        columns = np.flatnonzero(one_sided)
        signs = np.where(positive[columns], 1.0, -1.0)
        removals.append(Removal(kept[leaves], columns, signs))
        kept = kept[~leaves]
        values, indices, indptr = _take_rows(rows, kept)


def _take_rows(rows: SignedRows, kept: Array) -> tuple[Array, Array, Array]:
    """The CSR arrays of some rows."""
    lengths = np.diff(rows.indptr)[kept]
    starts = np.concatenate(([0], np.cumsum(lengths)))
    at = np.repeat(rows.indptr[kept] - starts[:-1], lengths) + np.arange(starts[-1])
    return rows.data[at], rows.indices[at], starts


def _drop_equal(columns: Array, values: Array, indices: Array, indptr: Array) -> Array:
    """The first of columns that are equal, as far as one weighted sum of each tells."""
    # Equal columns are one equation. Should two others ever share a sum, an answer is lost.
    weights = np.random.default_rng(0).random(len(indptr) - 1)
    row_of = np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))
    sums = np.bincount(indices, values * weights[row_of])[columns] if len(columns) else columns
    _, first = np.unique(sums, return_index=True)
    return columns[np.sort(first)]
