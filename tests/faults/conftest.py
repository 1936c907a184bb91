"""The shim, compiled where a compiler is, and processes that run with it."""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from ..forking import Done, Server

HERE = Path(__file__).parent
NEVER = 1 << 60  # no run makes so many calls
ROOT = HERE.parents[1]
PRELOAD = f"""
import sys
sys.path.insert(0, {str(ROOT)!r})
from tests.faults import scenarios
scenarios.warm_up()
"""


class Injected(NamedTuple):
    """A run of a command with one call that failed."""

    done: Done
    calls: int
    fired: bool
    failed: str


class Told(NamedTuple):
    """A run of a scenario of which the n-th allocation failed."""

    nth: int
    calls: int = 0
    fired: bool = True
    failed: str = "?"
    said: str = ""
    wrong: str = ""  # what did not hold afterwards


class Injector:
    """Runs commands and scenarios of which the n-th call fails."""

    def __init__(self, server: Server, folder: Path) -> None:
        self.server = server
        self.log = folder / "log"

    def command(
        self, words: list[str], folder: Path, nth: int, error: str = "EIO", lasting: bool = False
    ) -> Injected:
        """Run a command while a call on a file below the folder fails."""
        arming = [1, str(folder), nth, error, lasting]
        done = self._run(f"run_command({words!r}, {str(self.log)!r}, {arming!r})")
        # None where the process did not come so far: a signal ended it.
        told = json.loads(self.log.read_text()) if self.log.exists() else {}
        return Injected(
            done, told.get("calls", 0), told.get("fired", True), told.get("failed", "?")
        )

    def allocations(
        self, name: str, first: int = 1, step: int = 1, last: int = NEVER
    ) -> Iterator[Told]:
        """Run a scenario while one allocation after the other fails, up to a run without one."""
        while first <= last:
            done = self._run(f"run_api({name!r}, {str(self.log)!r}, {first}, {step}, {last})")
            lines = self.log.read_text().splitlines() if self.log.exists() else []
            assert lines, done
            told = [json.loads(line) for line in lines]
            ended = [Told(**each) for each in told if "fired" in each]
            yield from ended
            if "fired" in told[-1]:
                return
            # Nothing in the process caught that: it goes on in another.
            first = told[-1]["nth"] + step
            yield Told(told[-1]["nth"], wrong=f"the process ended: {done}")

    def files(self, name: str, folder: Path, error: str, step: int = 1) -> list[Told]:
        """Save or load below a folder while one call on a file after the other fails."""
        places = f"{str(folder)!r}, {str(self.log)!r}"
        done = self._run(f"run_files({name!r}, {places}, {error!r}, 1, {step})")
        assert done.code == 0, done
        return [Told(**json.loads(line)) for line in self.log.read_text().splitlines()]

    def ledgers(
        self, folder: Path, error: str, lasting: bool, n_before: int, step: int = 1
    ) -> list[Told]:
        """Correct beside ledgers below a folder while one call after the other fails."""
        words = f"{str(folder)!r}, {str(self.log)!r}, {error!r}, {lasting}, {n_before}, {step}"
        done = self._run(f"run({words})", "ledgers")
        assert done.code == 0, done
        return [Told(**json.loads(line)) for line in self.log.read_text().splitlines()]

    def _run(self, call: str, module: str = "scenarios") -> Done:
        self.log.unlink(missing_ok=True)
        return self.server.run(code=f"from tests.faults import {module}\nstatus = {module}.{call}")


@pytest.fixture(scope="session")
def shim(tmp_path_factory: pytest.TempPathFactory) -> Path:
    compiler = shutil.which(os.environ.get("CXX", "c++"))
    if platform.system() != "Linux" or platform.libc_ver()[0] != "glibc" or not compiler:
        pytest.skip("needs Linux with glibc and a compiler")
    if os.environ.get("LD_PRELOAD"):
        pytest.skip("a sanitizer has its own allocator")
    library = tmp_path_factory.mktemp("shim") / "shim.so"
    options = ["-std=c++20", "-O1", "-fno-optimize-sibling-calls", "-shared", "-fPIC"]
    subprocess.run([compiler, *options, HERE / "shim.cpp", "-o", library, "-ldl"], check=True)
    return library


@pytest.fixture(scope="session")
def injector(shim: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Injector]:
    folder = tmp_path_factory.mktemp("injector")
    with Server(folder, PRELOAD, LD_PRELOAD=str(shim)) as server:
        yield Injector(server, folder)
