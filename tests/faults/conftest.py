"""The shim, compiled where a compiler is, and processes that run with it."""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from ..forking import Done, Server

HERE = Path(__file__).parent
NEVER = 1 << 60  # no run makes so many calls
_IMPORT = f"import sys; sys.path.insert(0, {str(HERE)!r}); import scenarios"


class Injected(NamedTuple):
    """A run with one call that failed."""

    done: Done
    calls: int
    fired: bool
    failed: str


class Injector:
    """Runs commands and scenarios of which the n-th call fails."""

    def __init__(self, server: Server, folder: Path) -> None:
        self.server = server
        self.log = folder / "log"

    def _run(self, call: str, arming: list[Any]) -> Injected:
        self.log.unlink(missing_ok=True)
        code = f"{_IMPORT}\nstatus = scenarios.{call}, {str(self.log)!r}, {arming!r})"
        done = self.server.run(code=code)
        # None where the process did not come so far: a signal ended it.
        told = json.loads(self.log.read_text()) if self.log.exists() else {}
        return Injected(
            done, told.get("calls", 0), told.get("fired", True), told.get("failed", "?")
        )

    def command(
        self, words: list[str], folder: Path, nth: int, error: str = "EIO", lasting: bool = False
    ) -> Injected:
        """Run a command while a call on a file below the folder fails."""
        return self._run(f"run_command({words!r}", [1, str(folder), nth, error, lasting])

    def api(self, name: str, nth: int) -> Injected:
        """Run a scenario while an allocation fails."""
        return self._run(f"run_api({name!r}", [2, "", nth, "ENOMEM", False])

    def names(self) -> list[str]:
        """Return the names of all scenarios."""
        done = self.server.run(code=f"{_IMPORT}\nprint(*scenarios.API, sep='\\n')")
        return done.out.splitlines()


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
    with Server(folder, LD_PRELOAD=str(shim)) as server:
        yield Injector(server, folder)
