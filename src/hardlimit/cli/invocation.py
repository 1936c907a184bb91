"""How this program is called here, for lines that people copy."""

from __future__ import annotations

import os
import shlex
import shutil
import sys


def program() -> str:
    """Return how this program is called: by its name where the search path has it."""
    # The short name works only where the shell would find it.
    if shutil.which("hardlimit"):
        return "hardlimit"
    # sys.argv[0] is another program's where main() is called from Python.
    called = sys.argv[0] if os.path.basename(sys.argv[0]).startswith("hardlimit") else ""
    beside = os.path.join(os.path.dirname(sys.executable), "hardlimit")
    for path in (called, beside):
        if path and os.access(path, os.X_OK):
            return quoted(_shortest(path))
    # Always works: this very interpreter has the package.
    return f"{quoted(sys.executable)} -m hardlimit"


def command_line(*words: str) -> str:
    """Return a call of this program, as it can be pasted into a shell."""
    return f"{program()} {shlex.join(words)}"


def quoted(path: str) -> str:
    """Return a path as it can be pasted into a shell."""
    return shlex.quote(path)


def _shortest(path: str) -> str:
    try:
        # Printed to be copied here, so a path from this folder will do.
        return min(path, os.path.relpath(path), key=len)
    except ValueError:  # another drive
        return path
