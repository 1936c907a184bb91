"""Rows are answered in batches that are bounded in rows and in characters."""

import pytest

from hardlimit.examples.of_rows import gather_texts
from hardlimit.readers import Row
from hardlimit.readers.rows import in_batches
from hardlimit.sources import reading


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
def test_batches(sizes, wanted):
    assert [len(batch) for batch in in_batches(sizes, 3, int, 10)] == wanted


@pytest.mark.parametrize("fields", [("a" * (1 << 22), "ham"), {"text": "a" * (1 << 22), "n": 1}])
def test_cells_count_as_the_text_does(fields):
    """The rows of a mixed table have no text, and cells of any length."""
    given = [Row(n, "", None, fields) for n in range(3)]
    batches = reading.read_batches(given, gather_texts(), 3, keep=True)
    assert [len(batch.rows) for batch in batches] == [1, 1, 1]
