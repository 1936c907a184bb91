"""Shared by all tests: where the measured data lie, and what is skipped without them."""

import gc
import os
import signal
import sqlite3
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from _pytest.runner import runtestprotocol
from hypothesis import settings

settings.register_profile("untimed", deadline=None)  # how long a test takes is no test
settings.load_profile("untimed")
sys.path.insert(0, str(Path(__file__).parent / "classifiers"))


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Keep the garbage collector off what was collected: it walked 19,000 tests each time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item, nextitem):
    """Send one report of a test that passed, and not six messages: 19,000 tests send them."""
    if not hasattr(item.config, "workerinput"):
        return None
    for report in runtestprotocol(item, log=False, nextitem=nextitem):
        if report.when == "call" or not report.passed:
            item.ihook.pytest_runtest_logreport(report=report)
    return True


@pytest.fixture(scope="session", autouse=True)
def interrupts_are_heard() -> Iterator[None]:
    """Ctrl-C raises KeyboardInterrupt: a process in the background of a shell ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="session", autouse=True)
def no_disk_is_waited_for() -> Iterator[None]:
    """Nobody cuts the power here, and thousands of small files took 5 ms each to reach the disk."""
    with pytest.MonkeyPatch.context() as patch:
        for name in {"fsync", "fdatasync"} & {*dir(os)}:
            patch.setattr(os, name, os.fstat)
        patch.setattr(sqlite3, "connect", partial(sqlite3.connect, factory=Unsynced))
        yield


class Unsynced(sqlite3.Connection):
    """A database that leaves it to the system when its content goes to the disk."""

    def execute(self, sql, *given):
        """Execute a statement."""
        return super().execute(sql.replace("synchronous = full", "synchronous = off"), *given)


@pytest.fixture(scope="session")
def data_folder():
    """The shared data sets; a test that needs them is skipped where they are absent."""
    root = Path(__file__).resolve().parent.parent
    folder = Path(os.environ.get("HARDLIMIT_DATA", root.parent / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"no data sets in {folder}; set HARDLIMIT_DATA")
    return folder
