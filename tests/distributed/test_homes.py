"""Shards go where their rows are, unless that takes longer."""

from hardlimit.distributed.engines import open_engine
from hardlimit.distributed.engines._homes import Homes

from .test_engines import wait_for


def _settled(of):
    homes = Homes()
    homes.begin(len(of), [])
    for place, worker in enumerate(of):
        homes.note(place, worker)
    return homes


def test_own_jobs_come_first_then_those_of_nobody():
    homes = Homes()
    homes.begin(4, ["a", "b"])
    assert homes.choose([0, 1, 2, 3], "b") == 0
    homes.note(2, "b")
    homes.note(0, "a")
    assert homes.choose([0, 1, 2, 3], "b") == 2
    assert homes.choose([0, 1, 3], "b") == 1
    assert homes.choose([0], "b") is None  # its home will do it next
    assert homes.choose([], "b") is None


def test_who_has_nothing_to_do_helps_out_who_has_much():
    homes = _settled("aaab")
    assert homes.choose([1, 2], "b") == 2
    homes.note(2, "b")
    assert homes.choose([1, 2], "b") == 2
    assert homes.choose([1], "b") is None


def test_nobody_makes_rows_anew_to_help_with_what_is_done_at_once():
    now = [0.0]
    homes = Homes(lambda: now[0])

    def work(seconds, places, worker):
        for place in places:
            assert homes.choose([place], worker) == place
            now[0] += seconds
            homes.note(place, worker)

    homes.begin(6, [])
    work(2.0, [0, 1, 2, 3], "a")
    work(2.0, [4, 5], "b")
    homes.begin(6, ["a", "b"])
    assert homes.choose([0, 1, 2, 3], "b") is None  # nobody knows yet how long they take
    work(0.1, [4, 5], "b")
    assert homes.choose([1, 2, 3], "b") is None
    homes.begin(6, ["a", "b"])
    work(1.5, [4, 5], "b")
    assert homes.choose([1, 2, 3], "b") == 3


def test_jobs_of_a_lost_worker_are_anybodys():
    homes = _settled("ab")
    homes.forget("a")
    assert homes.choose([0, 1], "b") == 1
    assert homes.choose([0], "b") == 0


def test_other_work_knows_no_homes():
    homes = _settled("ab")
    homes.begin(2, ["b"])
    assert homes.choose([0], "b") == 0  # a is gone
    homes.begin(3, ["b", "c"])
    assert homes.choose([1, 2], "c") == 1


def test_processes_keep_their_shards():
    with open_engine("processes:2") as engine:
        engine.map_ordered(wait_for, [], [0, 0])  # both are there
        first = engine.map_ordered(wait_for, [], [0.3, 0.01, 0.01, 0.01])
        # In turn, or by who is free first, it would be otherwise.
        assert engine.map_ordered(wait_for, [], [0.01, 0.3, 0.01, 0.01])[:2] == first[:2]
