"""A process that has imported everything and forks for each run: a run takes milliseconds.

The server reads one JSON object a line: ``words`` of the command line or a Python ``code``,
``files`` for the descriptors 0 to 2 (a path; None is closed), and ``before``, code to run first. It
answers with the exit code, or minus the number of the signal that ended the run.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import traceback
from pathlib import Path
from typing import Any, NamedTuple

UNCAUGHT = 99


class Done(NamedTuple):
    """How a run ended, and what it wrote."""

    code: int
    out: str
    err: str


class Server:
    """Starts the process; use it as a context manager. ``preload`` is done once, before any run."""

    def __init__(self, folder: Path, preload: str = "", **environment: str) -> None:
        self._out, self._err = folder / "stdout", folder / "stderr"
        env = {**os.environ, "PYTHONWARNINGS": "error", "OPENBLAS_NUM_THREADS": "1", **environment}
        for name in ("COLUMNS", "NO_COLOR"):
            env.pop(name, None)
        self._process = subprocess.Popen(
            [sys.executable, __file__, preload],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=env,
        )

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()

    def run(self, *words: object, code: str = "", before: str = "", **files: Any) -> Done:
        """Run the command line, or code; ``stdin``, ``stdout``, ``stderr`` are paths or None."""
        own = {"stdin": os.devnull, "stdout": self._out, "stderr": self._err}
        paths = [files.get(name, path) for name, path in own.items()]
        for path in (self._out, self._err):
            path.write_bytes(b"")
        request = {
            "words": [str(word) for word in words],
            "code": code,
            "before": before,
            "files": [None if path is None else str(path) for path in paths],
        }
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        status = int(self._process.stdout.readline())
        written = (path.read_text("utf-8", "replace") for path in (self._out, self._err))
        return Done(status, *written)


def serve() -> None:
    import hardlimit.estimators  # noqa: F401
    from hardlimit.cli import commands

    for name in commands.names():
        command = commands.load(name)
        if command.work is None:  # it stands in a module beside the options
            __import__(f"{command.callback.__module__.rpartition('.')[0]}.run")
    exec(sys.argv[1], {})
    for line in sys.stdin:
        child = os.fork()
        if not child:
            os._exit(_run_child(json.loads(line)))
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


def _run_child(request: dict[str, Any]) -> int:
    for number, path in enumerate(request["files"]):
        os.close(number)
        if path is not None:
            os.open(path, os.O_RDWR if number == 0 else os.O_WRONLY)
        else:
            os.open(os.devnull, os.O_RDONLY)  # so that the next has its own number
    _replace_streams(request["files"])
    for number, path in enumerate(request["files"]):
        if path is None:
            os.close(number)
    try:
        return _work(request)
    except BaseException:
        traceback.print_exc()
        return UNCAUGHT
    finally:
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, AttributeError):
                stream.flush()


def _replace_streams(files: list[str | None]) -> None:
    """Make them as Python does when it starts."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        mode = "r" if number == 0 else "w"
        stream = None if files[number] is None else open(number, mode, closefd=False)
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)


def _work(request: dict[str, Any]) -> int:
    from hardlimit.cli import main

    names: dict[str, Any] = {}
    exec(request["before"], names)
    if request["code"]:
        exec(request["code"], names)
        return int(names.get("status", 0))
    return main(request["words"])


if __name__ == "__main__":
    serve()
