"""The perceptron: its weights separate when a pass is clean, its counts bound the margin."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from hardlimit.certificates.finders._protocol import Direction, Finder, Finding, Weighting
from hardlimit.certificates.signed_rows import SignedRows

TURN = 0.04


@dataclass(frozen=True)
class Perceptron(Finder):
    """w <- w + z for a row with z.w <= 0; the counts N of the corrections are multipliers.

    Σ N z = w, so that no margin is beyond ``||w|| / Σ N``.
    Novikoff (1962).
    """

    name = "perceptron"

    def findings(self, rows: SignedRows, seed: int) -> Iterator[Finding | None]:
        """Yield the weights after a clean pass; the counts now and then."""
        w = np.zeros(rows.n_columns)
        counts = np.zeros(rows.n_rows)
        until = time.monotonic() + TURN
        while True:
            wrong = np.flatnonzero(rows.dot(w) <= 0)
            if not len(wrong):
                yield Direction(w.copy())
                return
            for i in wrong.tolist():
                columns, values = rows.row(i)
                if float(values @ w[columns]) <= 0:
                    w[columns] += values
                    counts[i] += 1
            if time.monotonic() > until:
                used = np.flatnonzero(counts)
                yield Weighting(used, counts[used])
                until = time.monotonic() + TURN
