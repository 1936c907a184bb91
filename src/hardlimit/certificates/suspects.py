"""Whose labels to look at first: the rows whose removal resolves most conflicts.

Every conflict (a certificate C2) has at least one row that must go. Pack as many conflicts as fit
when each row can be used once: maximise ``sum L_i`` subject to ``sum L_i z_i = 0, 0 <= L_i <= 1``.
The price of a row in this packing, what more of it would add, is by duality the slack ``max(0, 1 -
z_i . w)`` of the w that makes the sum of all slacks least. A row of price above 1 is on the wrong
side of w; the highest price stands in most conflicts. Rows go out in this order, in few rounds,
until w separates what is left; that is the elastic filter of Chinneck, "Feasibility and
Infeasibility in Optimization" (2008), chapter 7. Finding the fewest such rows is NP-hard; this is a
good order, not the best one.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import numpy as np

from hardlimit.certificates.exact.integers import to_floats
from hardlimit.certificates.finders.core import find_core
from hardlimit.certificates.signed_rows import SignedRows
from hardlimit.certificates.slacks import MOST_COLUMNS, Slacks
from hardlimit.foundation import progress

Array = np.ndarray[Any, Any]

_SHARE = 0.3  # of the rows on the wrong side go out in one round
_FEW = 10
_SIDE = 1e-9  # of 1: nearer to the plane than floats can tell


def find_suspects(rows: SignedRows, multipliers: Mapping[int, Any], seconds: float) -> list[int]:
    """Rows to look at first; of many columns those of the core, which has all conflicts."""
    core = find_core(rows) if rows.n_columns > MOST_COLUMNS else None
    if core is None or not core.removals:
        return rank_suspects(rows, multipliers, seconds)
    place = {int(i): k for k, i in enumerate(core.kept)}
    within = {place[i]: multiplier for i, multiplier in multipliers.items()}
    return [int(core.kept[k]) for k in rank_suspects(core.signed_rows(), within, seconds)]


def rank_suspects(rows: SignedRows, multipliers: Mapping[int, Any], seconds: float) -> list[int]:
    """Rows to look at first, the most suspicious one first; without all of them the rest separates.

    Rows that went out early and are right in the end are no suspects. Where time runs out, the list
    ends with all rows that are on the wrong side of the last w.
    """
    if len(multipliers) == 1 and rows.n_rows > 1:
        return list(multipliers)  # a row of zeros
    ends = time.monotonic() + seconds
    # The proof's multipliers only break ties; the prices come from all the rows.
    weights = np.zeros(rows.n_rows)
    weights[list(multipliers)] = to_floats(list(multipliers.values()))
    slacks = Slacks(rows, ends)
    alive = np.ones(rows.n_rows, bool)
    out: list[int] = []
    while True:
        progress.report("ranking the rows in conflict", len(out), 0, "rows")
        product = slacks.least(alive)
        wrong = np.flatnonzero(alive & (product <= _SIDE))
        if 0 < len(wrong) <= _FEW:  # it may be the steps that are too few, not the rows wrong
            product = slacks.least(alive, precision=1e-6, steps=300)
            wrong = np.flatnonzero(alive & (product <= _SIDE))
        if not len(wrong):
            # The last plane may serve a row that went out early: that one is no suspect.
            return [i for i in out if product[i] <= _SIDE]
        # The price decides; among equals the heavier one in the proof, then the earlier.
        order = np.lexsort((wrong, -weights[wrong], np.round(product[wrong], 9)))
        over = time.monotonic() > ends
        many = len(wrong) if over else max(1, int(_SHARE * len(wrong)))
        gone = wrong[order[:many]]
        out += gone.tolist()
        alive[gone] = False
        if over or not alive.any():
            return [i for i in out if product[i] <= _SIDE]
