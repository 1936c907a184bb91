"""Rows are answered in batches that are bounded in rows and in characters."""

import pytest

from hardlimit.predictions import answered
from hardlimit.readers import Row


def rows(sizes):
    return [Row(n, "a" * size, None, ()) for n, size in enumerate(sizes)]


@pytest.mark.parametrize(
    ("sizes", "wanted"),
    [
        ([1] * 7, [3, 3, 1]),
        ([4, 4, 4, 4], [3, 1]),
        ([4, 6, 1, 9, 1], [2, 2, 1]),  # what came before counts
        ([99, 1], [1, 1]),
        ([], []),
    ],
)
def test_batches(sizes, wanted, monkeypatch):
    monkeypatch.setattr(answered, "BATCH_CHARACTERS", 10)
    found = [len(batch) for batch in answered.batches(rows(sizes), 3)]
    assert found == wanted
