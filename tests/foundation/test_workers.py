import threading
import time

import pytest

from hardlimit.exceptions import InputError
from hardlimit.foundation import progress
from hardlimit.foundation.workers import count_workers, map_in_order, read_quota, using


@pytest.mark.parametrize("n_jobs", [None, 1, 2, 5, -1])
def test_results_stand_in_the_order_of_the_jobs(n_jobs):
    def slow_first(number):
        if n_jobs not in (None, 1, -1) and number == 0:
            turn.wait(10)
        turn.set()
        return number * 10

    turn = threading.Event()
    assert map_in_order(slow_first, range(7), n_jobs, "counting") == [10 * i for i in range(7)]


def test_every_core_works_at_once():
    meeting = threading.Barrier(2, timeout=20)
    assert len(map_in_order(lambda _: meeting.wait(), range(2), 2, "meeting")) == 2


def test_an_error_ends_what_waits():
    begun = []

    def fail_first(number):
        begun.append(number)
        if number == 0:
            raise ValueError("job 0")
        time.sleep(0.05)

    with pytest.raises(ValueError, match="job 0"):
        map_in_order(fail_first, range(1000), 2, "failing")
    assert len(begun) < 100


def test_no_jobs_and_progress():
    heard = []
    with progress.watched_by(lambda *said: heard.append(said[:3])):
        assert map_in_order(abs, [], 3, "nothing") == []
        map_in_order(abs, [1, 2, 3], 2, "three")
    assert heard == [("three", n, 3) for n in (1, 2, 3)]


@pytest.mark.parametrize("n_jobs", [0, 1.5, True, "2"])
def test_other_numbers_of_jobs(n_jobs):
    with pytest.raises(InputError, match="n_jobs: got .*, wanted None, a number of cores, or -1"):
        count_workers(n_jobs)


def test_far_below_all_cores_is_one():
    assert count_workers(-1000) == 1


def test_more_than_any_machine_has():
    assert count_workers(10**30) == 256


def test_the_workers_of_a_block():
    with using(3):
        assert count_workers(None) == 3 and count_workers(2) == 2
        with using(None):
            assert count_workers(None) == 3
        # each of several jobs has one worker
        assert map_in_order(lambda _: count_workers(None), range(4), None, "jobs") == [1] * 4
    assert count_workers(None) == 1


QUOTAS = {
    "none": ({}, 1 << 30),
    "no limit": ({"sys/fs/cgroup/cpu.max": "max 100000\n"}, 1 << 30),
    "one and a half": ({"sys/fs/cgroup/cpu.max": "150000 100000\n"}, 2),
    "first version": (
        {
            "sys/fs/cgroup/cpu/cpu.cfs_quota_us": "50000\n",
            "sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000\n",
        },
        1,
    ),
    "first version, no limit": (
        {
            "sys/fs/cgroup/cpu/cpu.cfs_quota_us": "-1\n",
            "sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000\n",
        },
        1 << 30,
    ),
    "a group above": (
        {
            "proc/self/cgroup": "0::/a.slice/b.service\n",
            "sys/fs/cgroup/a.slice/cpu.max": "300000 100000",
            "sys/fs/cgroup/a.slice/b.service/cpu.max": "max 100000",
        },
        3,
    ),
    "nonsense": ({"sys/fs/cgroup/cpu.max": "\xff 0 0"}, 1 << 30),
}


@pytest.mark.parametrize("case", QUOTAS)
def test_quotas_of_containers(case, tmp_path):
    files, cores = QUOTAS[case]
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content, "latin-1")
    assert read_quota(str(tmp_path)) == cores
