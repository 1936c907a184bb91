"""Blocks do not depend on how the rows came."""

import numpy as np
import pytest

from hardlimit.examples.sparse import Csr
from hardlimit.streaming.blocks import Block, cut


def rows(n, width=5):
    values = np.arange(1.0, n + 1)
    return Csr(np.arange(n + 1), (np.arange(n) % width).astype(np.int32), values, width)


def flat(blocks):
    return [
        (block.rows.indptr.tolist(), block.rows.data.tolist(), block.labels, block.weights.tolist())
        for block in blocks
    ]


@pytest.mark.parametrize("sizes", [[23], [1] * 23, [7, 0, 9, 7], [10, 13]])
def test_blocks_are_those_of_one_batch(sizes):
    whole = Block(rows(23), list(range(23)), np.arange(23.0))
    begins = np.cumsum([0, *sizes]).tolist()
    parts = [whole.part(a, b) for a, b in zip(begins, begins[1:], strict=False)]
    assert flat(cut(parts, 5)) == flat(cut([whole], 5))
    assert [block.n_rows for block in cut(parts, 5)] == [5, 5, 5, 5, 3]


def test_weights_of_one_part_are_ones_in_the_others():
    parts = [Block(rows(2), [0, 0]), Block(rows(2), [1, 1], np.array([0.5, 2.0]))]
    (block,) = cut(parts, 10)
    assert block.weights.tolist() == [1, 1, 0.5, 2]


def test_a_block_is_as_wide_as_its_widest_part():
    (block,) = cut([Block(rows(2, 3), [0, 0]), Block(rows(2, 9), [1, 1])], 10)
    assert block.rows.shape == (4, 9)
