"""Requests of a key: in a second, and at once."""

import pytest

from hardlimit.service.limits import Rates, Room
from hardlimit.service.problems import Problem


def test_a_bucket_fills_again_at_its_rate_and_is_each_keys_own():
    now = 0.0
    rates = Rates(2.0, lambda: now)
    for _ in range(2):
        rates.check("alice")
    with pytest.raises(Problem) as refused:
        rates.check("alice")
    assert refused.value.headers == ((b"retry-after", b"1"),)
    rates.check("bob")
    now = 0.5
    rates.check("alice")
    with pytest.raises(Problem):
        rates.check("alice")
    now = 1000.0
    for _ in range(2):
        rates.check("alice")
    with pytest.raises(Problem):
        rates.check("alice")


def test_a_rate_below_one_lets_one_through_and_names_the_wait():
    rates = Rates(0.1, lambda: 0.0)
    rates.check("")
    with pytest.raises(Problem) as refused:
        rates.check("")
    assert refused.value.headers == ((b"retry-after", b"10"),)


def test_one_key_has_at_most_half_of_the_places():
    room = Room(4)
    with room.place("alice"), room.place("alice"):
        with pytest.raises(Problem) as refused, room.place("alice"):
            pass
        assert refused.value.status == 503
        with room.place("bob"), room.place("carol"):
            with pytest.raises(Problem), room.place("dave"):
                pass
    with room.place("alice"):
        pass


def test_without_keys_all_places_are_for_everybody():
    room = Room(2)
    with room.place(""), room.place(""):
        with pytest.raises(Problem), room.place(""):
            pass


def test_the_oldest_request_is_known():
    now = 5.0
    room = Room(3, lambda: now)
    assert room.longest() == 0
    with room.place(""):
        now = 7.0
        with room.place("a"):
            now = 8.0
            assert room.longest() == 3
    assert room.longest() == 0
