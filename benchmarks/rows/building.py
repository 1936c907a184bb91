"""What a fresh clone of the committed checkout costs: ``make demo``, then ``make test``.

Nothing else may run meanwhile. The compiler is also measured alone, by building once more what the
demo has built. Packages are downloaded, so the network is part of the wall time.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from benchmarks.corpora import HERE
from benchmarks.harness import Figure, Settings

TITLE = "A fresh clone: built, demonstrated, tested"


class Cost(NamedTuple):
    """Seconds of the clock, and of all processes together."""

    wall: float
    processor: float


def figures(settings: Settings, skipped: list[str]) -> Iterator[Figure]:
    """Yield the costs of the demo, of the compiler alone and of the tests."""
    with tempfile.TemporaryDirectory() as place:
        clone = Path(place) / "hardlimit"
        subprocess.run(["git", "clone", "-q", HERE.parent, clone], check=True)
        demo = cost(clone, "make", "demo")
        yield figure("make demo, wall time", demo.wall, 70, f"processor {demo.processor:.0f} s")
        compiler = compile_again(clone)
        yield figure("the compiler alone, processor time", compiler.processor, 105)
        if settings.quick:
            return
        packages = cost(clone, "make", ".venv/.installed-test")
        tests = cost(clone, "make", "test")
        remark = f"after {packages.wall:.0f} s to install what the tests need"
        yield figure("make test, wall time", tests.wall, 180, remark)
        yield figure("make test, processor time", tests.processor, 340, remark)


def figure(name: str, seconds: float, target: float, remark: str = "") -> Figure:
    """Return one of the costs, in seconds."""
    return Figure(name, seconds, "s", target, "<=", remark=remark)


def cost(folder: Path, *command: str) -> Cost:
    """Run a command to its end in a folder, and return what it cost.

    Raises
    ------
    RuntimeError
        It failed; with the end of what it printed.
    """
    before, begun = os.times(), time.perf_counter()
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    wall, after = time.perf_counter() - begun, os.times()
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}: {(done.stdout + done.stderr)[-2000:]}")
    used = after.children_user + after.children_system
    return Cost(wall, used - before.children_user - before.children_system)


def compile_again(clone: Path) -> Cost:
    """Compile everything once more, beside what the clone has."""
    python, build = clone / ".venv" / "bin" / "python", clone / "build" / "again"
    found = subprocess.run(
        [python, "-m", "nanobind", "--cmake_dir"], capture_output=True, text=True, check=True
    )
    settings = {
        "CMAKE_BUILD_TYPE": "Release",
        "CMAKE_MAKE_PROGRAM": str(python.with_name("ninja")),
        "Python_EXECUTABLE": str(python),
        "nanobind_DIR": found.stdout.strip(),
    }
    cmake = str(python.with_name("cmake"))
    words = (f"-D{name}={value}" for name, value in settings.items())
    cost(clone, cmake, "-S", ".", "-B", str(build), "-G", "Ninja", *words)
    return cost(clone, cmake, "--build", str(build))
