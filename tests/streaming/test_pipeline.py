"""Stages overlap, end together, and hand on what one of them raises."""

import threading

import pytest

from hardlimit.streaming.pipeline import Pipeline


def names():
    return [one.name for one in threading.enumerate() if one.name == "hardlimit stream"]


def test_items_come_in_their_order_through_several_stages():
    with Pipeline() as pipeline:
        stage = pipeline.ahead(range(50))
        for _ in range(3):
            stage = pipeline.ahead(item + 1 for item in stage)
        assert list(stage) == list(range(3, 53))
    assert names() == []


def test_an_error_is_raised_where_the_items_are_asked_for():
    def broken():
        yield 1
        raise ValueError("half-way")

    with pytest.raises(ValueError, match="half-way"), Pipeline() as pipeline:
        list(pipeline.ahead(item for item in pipeline.ahead(broken())))
    assert names() == []


def test_no_more_items_are_made_than_wait_between_two_stages():
    made = []

    def source():
        for item in range(100):
            made.append(item)
            yield item

    with Pipeline(depth=2) as pipeline:
        stage = pipeline.ahead(source())
        assert [next(stage), next(stage)] == [0, 1]
        # Two wait, and one more was made and has no room.
        assert len(made) <= 5
    assert names() == []


def test_leaving_early_closes_the_source_and_leaves_no_thread():
    closed = []

    def source():
        try:
            while True:
                yield 1
        finally:
            closed.append(True)

    with pytest.raises(KeyboardInterrupt), Pipeline() as pipeline:
        stage = pipeline.ahead(item for item in pipeline.ahead(source()))
        next(stage)
        raise KeyboardInterrupt
    assert closed == [True]
    assert names() == []
