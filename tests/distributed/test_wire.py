"""What travels comes back as it was, and takes as little as it says."""

import numpy as np
import pytest

from hardlimit.distributed.wire import pack_delta, pack_gaps, unpack_delta, unpack_gaps
from hardlimit.engine.mixing import Delta


@pytest.mark.parametrize(
    "cells",
    [[], [0], [0, 1], [127], [128, 129], [1, 2**14, 2**21 + 1, 2**40, 2**62]],
)
def test_cells_come_back(cells):
    cells = np.array(cells, np.int64)
    assert unpack_gaps(pack_gaps(cells)).tolist() == cells.tolist()


@pytest.mark.parametrize("averaged", [True, False])
def test_deltas_come_back_bit_for_bit(averaged):
    draw = np.random.default_rng(0)
    cells = np.flatnonzero(draw.random(5000) < 0.2)
    w, u = draw.normal(size=(2, len(cells)))
    w[0], w[1] = -0.0, np.nextafter(0, 1)
    packed = pack_delta(Delta(cells, w, u if averaged else None), {"presentations": 7})
    delta, counts = unpack_delta(packed)
    assert counts == {"presentations": 7}
    assert delta.cells.tolist() == cells.tolist()
    assert delta.w.tobytes() == w.tobytes()
    assert delta.u is None if not averaged else delta.u.tobytes() == u.tobytes()


def test_bytes_grow_with_what_moved_and_not_with_the_columns():
    few, many = (
        len(pack_delta(Delta(np.arange(n) * 50, np.ones(n), np.ones(n)), {})) for n in (100, 10_000)
    )
    assert 90 < many / few < 110
    assert many < 17.1 * 10_000 + 100
