"""What is taken for batches, and how often they come."""

import pytest

from hardlimit.exceptions import HardlimitError
from hardlimit.streaming.batches import BatchSource

BATCHES = [(["a"], [1]), (["b"], [2], [0.5])]


@pytest.mark.parametrize("given", [BATCHES, tuple(BATCHES), lambda: iter(BATCHES)])
def test_batches_that_begin_anew(given):
    source = BatchSource(given)
    assert source.repeats
    for _ in range(2):
        assert [tuple(batch)[: len(one)] for batch, one in zip(source, BATCHES, strict=True)] == [
            tuple(one) for one in BATCHES
        ]


def test_batches_that_come_once_are_refused_where_they_are_needed_twice():
    source = BatchSource(iter(BATCHES))
    with pytest.raises(HardlimitError, match=r"come once.*idf.*a function"):
        source.require_repeats("idf is counted first")
    assert len(list(source)) == 2


@pytest.mark.parametrize("given", ["texts", 3, None, {"a": 1}])
def test_what_holds_no_batches(given):
    with pytest.raises(HardlimitError, match="batches"):
        BatchSource(given)


@pytest.mark.parametrize("item", ["ab", 3, (1,), (1, 2, 3, 4)])
def test_an_item_that_is_no_batch_is_named(item):
    with pytest.raises(HardlimitError, match=r"batches\[1\]"):
        list(BatchSource([BATCHES[0], item]))
