"""A process that has imported what does not change, and forks a child for each run of tests.

A line of JSON in, ``{"tests": [...], "seconds": S}``; a word out: ``passed``, ``failed`` or
``timeout``.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import resource
import select
import signal
import sys
from typing import Any

import pytest

import hardlimit

FLAGS = ["-x", "-q", "--no-header", "--tb=no", "-p", "no:cacheprovider", "-p", "no:xdist"]
FLAGS += ["--hypothesis-seed=0", "--basetemp=scratch"]
# The plugins are imported already, and their own asserts need no rewriting.
FLAGS += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]


class Selection:
    """A plugin of pytest that keeps the wanted tests, in the wanted order."""

    def __init__(self, tests: list[str]) -> None:
        self._places = {name: place for place, name in enumerate(tests)}

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        """Leave the wanted tests; where one is missing, the change was noticed."""
        kept = [item for item in items if item.nodeid in self._places]
        if len(kept) < len(self._places):
            raise pytest.UsageError("a test is gone")
        items[:] = sorted(kept, key=lambda item: self._places[item.nodeid])


class Blocker:
    """A finder that refuses a package, so that nothing imports it beforehand."""

    def __init__(self, package: str) -> None:
        self._package = package

    def refuses(self, name: str) -> bool:
        """Whether a module is the package or in it."""
        return name == self._package or name.startswith(self._package + ".")

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        """Refuse the package and what is in it."""
        if self.refuses(name):
            raise ImportError(name)


def import_beforehand(modules: list[str], changed: str) -> None:
    """Import what the tests will want, other than the changed package and what imports it."""
    blocker = Blocker(changed)
    sys.meta_path.insert(0, blocker)
    for name in modules:
        with contextlib.suppress(Exception):
            importlib.import_module(name)
    sys.meta_path.remove(blocker)
    early = list(filter(blocker.refuses, sys.modules))
    if early or not hardlimit.__file__.startswith(os.getcwd()):
        raise SystemExit(f"imported too early, or from elsewhere: {early}, {hardlimit.__file__}")


def run_tests(tests: list[str]) -> int:
    """Run tests in this process; returns pytest's code."""
    files = sorted({name.split("::")[0] for name in tests})
    return int(pytest.main([*FLAGS, *files], plugins=[Selection(tests)]))


def run_in_child(tests: list[str], seconds: float) -> str:
    """Run tests in a child with a limit of time."""
    child = os.fork()
    if not child:
        os.setsid()
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        nothing = os.open(os.devnull, os.O_RDWR)
        for place in range(3):
            os.dup2(nothing, place)
        most = int(seconds) + 10
        resource.setrlimit(resource.RLIMIT_CPU, (most, most + 5))
        code = 3
        try:
            code = run_tests(tests)
        finally:
            os._exit(code)
    ended: list[int] = []
    try:
        ended = select.select([os.pidfd_open(child)], [], [], seconds * 2 + 20)[0]
    finally:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(child, signal.SIGKILL)
        status = os.waitpid(child, 0)[1]
    if not ended or os.WIFSIGNALED(status):
        return "timeout"
    return "failed" if os.WEXITSTATUS(status) else "passed"


def main() -> None:
    """Serve until the input ends; the driver decides about interrupts."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    first = json.loads(sys.stdin.readline())
    import_beforehand(first["modules"], first["changed"])
    for line in sys.stdin:
        wanted = json.loads(line)
        print(run_in_child(wanted["tests"], wanted["seconds"]), flush=True)


if __name__ == "__main__":
    main()
