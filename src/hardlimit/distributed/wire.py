"""What travels: the cells that an epoch moved, as bytes.

::

    header    JSON, and its length in 4 bytes before it
    gaps      of the ascending cells: each the distance to the one before, in groups of 7 bits,
              the lowest first, 128 added to all but the last group
    w, u      float64, little-endian; u where averages are kept

A cell that moved takes its weights and a byte or two: the bytes of an epoch grow with what it
moved, and not with the columns.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from hardlimit.engine.mixing import Delta
from hardlimit.foundation.types import IntArray

_FLOAT = np.dtype("<f8")


def pack_delta(delta: Delta, counts: dict[str, Any]) -> bytes:
    """Return the delta and plain counts as bytes.

    >>> delta = Delta(np.array([3, 300]), np.array([1.0, -2.0]), None)
    >>> packed = pack_delta(delta, {"n": 1})
    >>> unpack_delta(packed)[0].cells.tolist(), unpack_delta(packed)[1]
    ([3, 300], {'n': 1})
    """
    gaps = pack_gaps(delta.cells)
    header = {"cells": len(delta.cells), "gaps": len(gaps), "u": delta.u is not None} | counts
    text = json.dumps(header, separators=(",", ":")).encode()
    sums = b"" if delta.u is None else delta.u.astype(_FLOAT).tobytes()
    return b"".join(
        [len(text).to_bytes(4, "little"), text, gaps, delta.w.astype(_FLOAT).tobytes(), sums]
    )


def unpack_delta(packed: bytes) -> tuple[Delta, dict[str, Any]]:
    """Return the delta and the counts of :func:`pack_delta`."""
    at = 4 + int.from_bytes(packed[:4], "little")
    counts = json.loads(packed[4:at])
    n, n_gaps, has_sums = counts.pop("cells"), counts.pop("gaps"), counts.pop("u")
    cells = unpack_gaps(packed[at : at + n_gaps])
    at += n_gaps
    w = np.frombuffer(packed, _FLOAT, n, at).astype(np.float64)
    u = np.frombuffer(packed, _FLOAT, n, at + 8 * n).astype(np.float64) if has_sums else None
    return Delta(cells, w, u), counts


def pack_gaps(cells: IntArray) -> bytes:
    """Return ascending numbers as the distances between them, each in as many bytes as it needs.

    >>> pack_gaps(np.array([3, 4, 200])).hex()
    '0301c401'
    """
    gaps = np.diff(cells, prepend=0).astype(np.uint64)
    lengths = np.ones(len(gaps), np.int64)
    for bits in range(7, 64, 7):
        lengths += gaps >= np.uint64(1 << bits)
    ends = np.add.accumulate(lengths)
    found = np.zeros(int(ends[-1]) if len(ends) else 0, np.uint8)
    for place in range(int(lengths.max(initial=0))):
        there = lengths > place
        group = (gaps[there] >> np.uint64(7 * place)) & np.uint64(127)
        more = (lengths[there] > place + 1) * np.uint64(128)
        found[ends[there] - lengths[there] + place] = (group + more).astype(np.uint8)
    return found.tobytes()


def unpack_gaps(packed: bytes) -> IntArray:
    """Return the numbers of :func:`pack_gaps`."""
    octets = np.frombuffer(packed, np.uint8)
    last = np.flatnonzero(octets < 128)
    begins = np.concatenate([np.zeros(1, np.int64), last[:-1] + 1])[: len(last)]
    gaps = np.zeros(len(last), np.int64)
    lengths = last - begins + 1
    for place in range(int(lengths.max(initial=0))):
        there = lengths > place
        group = (octets[begins[there] + place] & 127).astype(np.int64)
        gaps[there] |= group << (7 * place)
    cells: IntArray = np.add.accumulate(gaps)
    return cells
