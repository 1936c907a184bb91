"""Another checkout to be measured beside this one: ``HARDLIMIT_BEFORE``.

It names the folder of that checkout, with an environment in its ``.venv``, or the Python of one.
The benchmarks of this checkout measure the package of either.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from benchmarks.corpora import HERE

PLACE = "HARDLIMIT_BEFORE"


def earlier_python() -> str | None:
    """Return the Python of the other checkout; None where none is named."""
    place = os.environ.get(PLACE)
    if not place:
        return None
    path = Path(place)
    return str(path / ".venv" / "bin" / "python" if path.is_dir() else path)


def sides() -> dict[str, str]:
    """Return the Pythons by whose they are: ``now``, and ``before`` where one is named."""
    before = earlier_python()
    return {"now": sys.executable} | ({"before": before} if before else {})


def run_module(python: str, *words: str) -> Any:
    """Run a module of the benchmarks in a fresh process, and read the JSON that it prints."""
    command = [python, "-m", *words]
    done = subprocess.run(command, cwd=HERE.parent, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr[-2000:]}")
    return json.loads(done.stdout.splitlines()[-1])
