"""A large support made small, in floats: Caratheodory's argument, many rows at a time.

While more rows than columns + 1 carry multipliers L, some combination v of them has
``sum v_i z_i = 0`` and ``sum v_i = 0``; moving L along v until the first one is 0 drops a row and
changes nothing else.
"""

from __future__ import annotations

import numpy as np

from hardlimit.certificates.signed_rows import SignedRows

Array = np.ndarray


def reduce_support(rows: SignedRows, support: list[int], weights: Array) -> tuple[list[int], Array]:
    """Drop rows until at most columns + 1 are left; those left are sorted, the largest first.

    Cost: O(columns^3) a block of rows dropped.
    """
    kept = np.array(support)
    left = weights.astype(float)
    matrix = _dense(rows, support)
    most = matrix.shape[1]
    while len(kept) > most:
        # The lightest rows first, in blocks: one decomposition of all rows would be cubic in them.
        block = np.arange(len(kept))[-min(len(kept), 2 * most) :]
        smaller = _drop_rows(matrix[block], left[block])
        if smaller is None:
            break
        left[block] = smaller
        stays = left > 0
        kept, left, matrix = kept[stays], left[stays], matrix[stays]
    order = np.argsort(-left, kind="stable")
    return kept[order].tolist(), left[order]


def reduce_to_vertex(
    rows: SignedRows, support: list[int], weights: Array
) -> tuple[list[int], Array]:
    """Drop rows until those left, with a column of ones, are independent as far as floats tell."""
    left = _drop_rows(_dense(rows, support), weights)
    if left is None:
        return support, weights
    order = np.argsort(-left, kind="stable")[: int((left > 0).sum())]
    return [support[k] for k in order.tolist()], left[order]


def _dense(rows: SignedRows, support: list[int]) -> Array:
    # Of sparse rows a support uses a part of the columns only.
    used = np.unique(np.concatenate([rows.row(i)[0] for i in support]))
    matrix = np.zeros((len(support), len(used) + 1))
    for k, i in enumerate(support):
        columns, values = rows.row(i)
        matrix[k, np.searchsorted(used, columns)] = values
    scale = np.abs(matrix).max(0)
    matrix /= np.where(scale > 0, scale, 1)
    matrix[:, -1] = 1
    return matrix


def _drop_rows(block: Array, left: Array) -> Array | None:
    """The multipliers of a block after some of them became 0; None where none can."""
    # The rows of Q beyond the rank are the combinations of rows that cancel each other.
    q, s, _ = np.linalg.svd(block, full_matrices=True)
    rank = int((s > 1e-11 * s[0]).sum())
    moves = q[:, rank:]
    if not moves.shape[1]:
        return None
    left = left.copy()
    alive = np.ones(len(left), bool)
    while moves.shape[1]:
        v = moves[:, 0]
        if not (v > 0).any():
            v = -v
        ratio = np.where(v > 1e-12, left / np.where(v > 1e-12, v, 1), np.inf)
        k = int(ratio.argmin())
        if not np.isfinite(ratio[k]):
            moves = moves[:, 1:]
            continue
        # The first multiplier that reaches 0 decides how far; all the others stay above it.
        left = np.maximum(left - ratio[k] * v, 0)
        left[k] = 0
        alive[k] = False
        # The moves that keep row k at 0: one fewer.
        best = int(np.abs(moves[k]).argmax())
        pivot = moves[:, best] / moves[k, best]
        others = np.delete(moves, best, axis=1)
        moves = others - np.outer(pivot, others[k])
        if moves.shape[1]:
            moves, _ = np.linalg.qr(moves)
    left[~alive] = 0
    return left
