"""One writer of a file at a time; nothing is left behind, and a killed writer hinders nobody."""

import errno
import os
import platform
import subprocess
import sys
import threading
import time

import pytest

from hardlimit.foundation import file_lock
from hardlimit.foundation.file_lock import find_holder, holding

HOLD = """
import sys, time
from hardlimit.foundation.file_lock import holding
with holding(sys.argv[1]):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def holder(tmp_path):
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path / "m")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout.readline() == "held\n"
    with process:
        yield process
        process.kill()


def test_another_process_waits_and_is_told_so_once(holder, tmp_path):
    told = []

    def waiting():
        told.append(os.listdir(tmp_path))
        holder.stdin.close()

    with holding(tmp_path / "m", waiting):
        assert holder.wait(10) == 0
    assert told == [[".m.lock"]]
    assert os.listdir(tmp_path) == []


def test_a_lock_whose_holder_was_killed_hinders_nobody(holder, tmp_path):
    holder.kill()
    holder.wait(10)
    assert os.listdir(tmp_path) == [".m.lock"]
    with holding(tmp_path / "m", lambda: pytest.fail("nobody holds it")):
        pass
    assert os.listdir(tmp_path) == []


def test_threads_take_turns_and_one_may_hold_twice(tmp_path):
    inside, together = 0, []

    def work():
        nonlocal inside
        with holding(tmp_path / "m"), holding(tmp_path / "m"):
            inside += 1
            together.append(inside)
            time.sleep(0.01)
            inside -= 1

    threads = [threading.Thread(target=work) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert together == [1] * 5
    assert os.listdir(tmp_path) == []


def test_the_same_file_under_another_name_is_the_same(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "m")
    with holding(tmp_path / "m"), holding(tmp_path / "link"):
        assert sorted(os.listdir(tmp_path)) == [".m.lock", "link"]


def test_a_lock_file_that_is_removed_while_it_is_waited_for_locks_nobody_out(tmp_path, monkeypatch):
    """The waiter has opened a file that is no longer there; it must not lock that one."""
    real, turns = file_lock._lock, []

    def removed(handle):
        turns.append(os.fstat(handle).st_ino)
        if len(turns) == 1:
            (tmp_path / ".m.lock").unlink()
        return real(handle)

    monkeypatch.setattr(file_lock, "_lock", removed)
    with holding(tmp_path / "m"):
        assert (tmp_path / ".m.lock").stat().st_ino == turns[-1]
    assert len(turns) == 2


@pytest.mark.parametrize("refused", ["open", "flock"])
def test_where_there_are_no_locks_writers_go_on_without(refused, tmp_path, monkeypatch):
    def refuse(*_):
        raise OSError(95, "not supported")

    monkeypatch.setattr(*((os, "open") if refused == "open" else (file_lock, "_lock")), refuse)
    with holding(tmp_path / "m"):
        pass
    assert os.listdir(tmp_path) == []


def test_an_error_inside_releases(tmp_path):
    with pytest.raises(ZeroDivisionError), holding(tmp_path / "m"):
        raise ZeroDivisionError
    with holding(tmp_path / "m", lambda: pytest.fail("nobody holds it")):
        pass


def test_a_waiter_may_give_up_and_name_the_holder(holder, tmp_path):
    def refuse():
        raise RuntimeError(find_holder(tmp_path / "m"))

    with pytest.raises(RuntimeError, match=f"process {holder.pid} on {platform.node()}"):
        with holding(tmp_path / "m", refuse):
            pytest.fail("another process holds it")
    assert os.listdir(tmp_path) == [".m.lock"]  # which is the holder's
    holder.kill()
    holder.wait(10)
    with holding(tmp_path / "m", refuse):
        assert find_holder(tmp_path / "m") == f"process {os.getpid()} on {platform.node()}"
    assert find_holder(tmp_path / "m") == ""


def test_a_file_system_without_locks_is_told(tmp_path, monkeypatch):
    fcntl = pytest.importorskip("fcntl")

    def refuse(handle, how):
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", refuse)
    told = []
    with holding(tmp_path / "m", None, told.append):
        assert [error.strerror for error in told] == ["No locks available"]
    assert os.listdir(tmp_path) == []
