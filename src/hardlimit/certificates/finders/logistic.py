"""The logistic loss by Newton's method: its slopes at the minimum are multipliers that cancel."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from hardlimit.certificates.finders._protocol import Direction, Finder, Finding, Weighting
from hardlimit.certificates.finders.core import find_core
from hardlimit.certificates.finders.minimum_norm import MOST_COLUMNS as FEW_COLUMNS
from hardlimit.certificates.signed_rows import SignedRows
from hardlimit.exceptions import Given, InputError
from hardlimit.foundation.formatting import plural

Array = np.ndarray[Any, Any]

MOST_COLUMNS = 4000
_STEPS = 80
_CLOSED = 1e-14  # the length of the sum beside that of the multipliers
_STALLED = 1e-10  # from here a step that does not halve the sum is the last
_UNSEEN = 1e-12  # of the loss: the rounding of the loss hides a smaller fall
_NEAR = 1e-4  # from here rows without a slope are left out
_NO_SLOPE = 1e-7  # of the largest
_RIDGE = 1e-13  # of the largest curvature: columns may depend on each other


@dataclass(frozen=True)
class Logistic(Finder):
    """w = argmin sum log(1 + exp(-z_i.w));  L_i = 1 / (1 + exp(z_i.w)), the slope at row i.

    Where the minimum exists its gradient ``-sum L_i z_i`` is 0, and all L_i are above 0: a proof
    against, of all rows at once, which Newton's method reaches in few steps where a linear program
    walks from vertex to vertex. Rows on which w grows without end have slopes that go to 0 and are
    left out. Where w comes to separate all rows, it is a separator instead. Steps are halved until
    the loss falls, as long as its rounding lets the fall be seen. The search ends when a step
    does not halve the sum any more, and yields the slopes of the smallest sum. Albert and
    Anderson, Biometrika 71 (1984), on when the minimum exists.

    It works on the core (:mod:`hardlimit.certificates.finders.core`). Cost: a step is O(non-zeros
    times those of a row) and O(columns^3) of the core; refuses a core of more than 4,000 columns.

    >>> from hardlimit.certificates.exact.reading import read_entries
    >>> X = [[0, 0], [0, 1], [1, 0], [1, 1]]
    >>> rows = SignedRows(read_entries(X), np.array([-1, 1, 1, -1]), 1.0)
    >>> *_, multipliers = Logistic().findings(rows, 0)
    >>> multipliers.value.tolist()
    [0.5, 0.5, 0.5, 0.5]
    """

    name = "logistic"
    needs = "scipy"
    margins = False
    turn = 1
    share = 8.0

    def suits(self, rows: SignedRows) -> str:
        """Say no to few columns, where others end at a vertex in that time."""
        if rows.n_columns <= FEW_COLUMNS:
            return f"minimum-norm looks at up to {FEW_COLUMNS:,} columns"
        return ""

    def findings(self, rows: SignedRows, seed: int) -> Iterator[Finding | None]:
        """Yield None after each step, then a separator or multipliers."""
        core = find_core(rows)
        if not len(core.kept):
            return
        if len(core.columns) > MOST_COLUMNS:
            raise InputError(
                got=Given(
                    f"a core of {plural(len(core.kept), 'row')} and "
                    f"{plural(len(core.columns), 'column')}"
                ),
                wanted=f"{MOST_COLUMNS:,} columns or fewer",
            )
        within = core.signed_rows()
        for finding in _descend(within):
            yield core.lift_finding(finding)


def _descend(rows: SignedRows) -> Iterator[Finding | None]:
    """Newton's method from w = 0."""
    import scipy.sparse as sp

    csr = (rows.data, rows.indices, rows.indptr)
    Z = sp.csr_array(csr, shape=(rows.n_rows, rows.n_columns))
    index, w, best = np.arange(rows.n_rows), np.zeros(rows.n_columns), np.inf
    finest = Weighting(index, np.ones(rows.n_rows))
    for step in range(_STEPS):
        scores = Z @ w
        if step and len(index) == rows.n_rows and scores.min() > 0:
            yield Direction(w)
            return
        slopes = _slopes(scores)
        apart = float(np.abs(Z.T @ slopes).max() / slopes.sum())
        stalled = apart < _STALLED and apart > best / 2
        if apart < best:
            best, finest = apart, Weighting(index, slopes)
        if apart < _CLOSED or stalled:
            break
        used = slopes > _NO_SLOPE * slopes.max()
        if apart < _NEAR and not used.all():
            Z, index, scores, slopes = Z[used], index[used], scores[used], slopes[used]
        w = _step(Z, w, scores, slopes)
        yield None
    yield finest


def _slopes(scores: Array) -> Array:
    slopes: Array = 1 / (1 + np.exp(np.clip(scores, -500, 500)))
    return slopes


def _step(Z: Any, w: Array, scores: Array, slopes: Array) -> Array:
    """The next w: Newton's, or so much of the way that the loss falls.

    Near the minimum the whole way is taken: there the rounding of the loss is larger than the
    fall, and a comparison would depend on how a processor adds.
    """
    weighted = Z.copy()
    weighted.data *= np.repeat(slopes * (1 - slopes), np.diff(Z.indptr))
    curvature = (Z.T @ weighted).toarray()
    diagonal = curvature.diagonal()
    curvature[np.diag_indices_from(curvature)] += _RIDGE * (diagonal.max() + diagonal)
    downhill = Z.T @ slopes
    way = np.linalg.solve(curvature, downhill)
    along = Z @ way
    loss, share = np.logaddexp(0, -scores).sum(), 1.0
    if way @ downhill / 2 < _UNSEEN * loss:
        return w + way
    while share > 1e-6 and np.logaddexp(0, -(scores + share * along)).sum() > loss:
        share /= 2
    stepped: Array = w + share * way
    return stepped
