"""The perceptron: on integers a decision procedure, for weights that come back are a proof."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from hardlimit.certificates.finders._protocol import Direction, Finder, Finding, Weighting
from hardlimit.certificates.finders.searches import follow_search
from hardlimit.certificates.finders.views import View
from hardlimit.certificates.finders.whole_rows import to_whole_rows
from hardlimit.certificates.signed_rows import SignedRows
from hardlimit.engine import SLICE, exact_perceptron


@dataclass(frozen=True)
class Perceptron(Finder):
    """w <- w + z for a row with z.w <= 0, one row after the other.

    ``N_i`` counts how often row i was added, k all additions. Then ``w = sum N_i z_i``, so that no
    margin exceeds ``||w|| / k``; and of separable rows at most ``(R / gamma)^2`` additions are made
    (Novikoff 1962). Of rows that are not separable the weights stay bounded (Minsky and Papert
    1969; Block and Levin 1970), so that on integers they come back: ``w_s = w_t``, and what was
    added in between adds up to zero, ``lambda_i = N_i(t) - N_i(s)``. A repeat is seen at once, by
    an additive fingerprint of the weights (``native/numeric/fingerprint.hpp``), and verified from
    the counts. So this alone decides everything on integers, though it may take exponential time.

    Integers, and floats that a power of two a column makes integers, are computed exactly, in
    int64, for as long as ``sqrt(k) R^2 < 2^61``; else rows of unit length in float64. Cost:
    O(non-zeros) a pass.

    >>> import numpy as np
    >>> from hardlimit.certificates.exact.reading import read_entries
    >>> X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    >>> xor = SignedRows(read_entries(X), np.array([-1, 1, 1, -1]), 1.0)
    >>> [finding.value for finding in Perceptron().findings(xor, 0)]
    [[1, 1, 1, 1]]
    """

    name = "perceptron"
    turn = 3

    def findings(self, rows: SignedRows, seed: int) -> Iterator[Finding | None]:
        """Yield the weights after a clean pass, or counts that add up to zero; else bounds."""
        whole = to_whole_rows(rows)
        if whole is not None:
            run = exact_perceptron(*whole.csr, rows.n_columns, seed)
            yield from self._exactly(run, whole.shifts)
            if run.ended != "too large":
                return
        yield from follow_search(View(rows, unit=True), "perceptron")

    @staticmethod
    def _exactly(run: Any, shifts: list[int]) -> Iterator[Finding | None]:
        bound = float("inf")
        while True:
            run.advance(SLICE)
            w, counts = run.direction(), run.weighting()
            if run.ended == "separated":
                whole = zip(w.tolist(), shifts, strict=True)
                yield Direction([value << shift for value, shift in whole])
            if run.ended == "too large":
                return
            length = float(np.linalg.norm(w.astype(np.float64))) / max(run.n_corrections, 1)
            # News only when the bound is half of the last one: each costs an exact look.
            if run.ended or 2 * length < bound:
                bound = length
                used = np.flatnonzero(counts)
                yield Weighting(used, counts[used].tolist())
            else:
                yield None
            if run.ended:
                return
