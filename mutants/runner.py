"""Makes one change at a time in the copy, and asks the server whether its tests fail."""

from __future__ import annotations

import json
import os
import subprocess
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from mutants.changes import Change
from mutants.copies import variables
from mutants.reach import Reach

# So many tests run first, the quickest of the file that reaches the change most often.
FIRST = 10
# Seconds beyond the time of the tests.
PATIENCE = 10.0


class Runner:
    """The server of tests, for one copy."""

    def __init__(self, folder: Path, python: Path, reach: Reach, changed: str) -> None:
        self._folder, self._reach = folder, reach
        self._server = subprocess.Popen(
            [str(python), "-m", "mutants.server"],
            cwd=folder,
            env=variables(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        # Neither what changes with the copy, nor the finder of the editable install.
        left_out = ("tests", "mutants", "_editable")
        modules = [name for name in reach.modules if not name.startswith(left_out)]
        self._tell({"modules": modules, "changed": changed})

    def close(self) -> None:
        """End the server, with the tests that it runs."""
        self._server.terminate()
        assert self._server.stdin and self._server.stdout
        self._server.stdin.close()
        self._server.stdout.close()
        self._server.wait()

    def try_change(self, change: Change) -> str:
        """Return ``killed``, ``timeout``, ``survived`` or ``unreached``."""
        groups = self._groups(change)
        if not groups:
            return "unreached"
        with self._changed(change):
            return self._run(groups)

    def try_nothing(self, change: Change) -> bool:
        """Whether the tests of a change pass without it, as they must."""
        return self._run(self._groups(change)) == "survived"

    def _groups(self, change: Change) -> list[list[int]]:
        """Return tests in the order of asking: near ones first, most changes end there."""
        reached = self._reach.tests_of(change.path, change.lines)
        # What runs at import is used anywhere: in the end every test is asked.
        tests = self._reach.tests_of_file(change.path) if reached is None else reached
        others = set(self._reach.all_tests()) - set(tests) if reached is None else set()
        files = Counter(self._file(one) for one in tests)
        nearest = files.most_common(1)[0][0] if files else ""
        first = [one for one in tests if self._file(one) == nearest][:FIRST]
        rest = [one for one in tests if one not in first]
        last = [one for one in self._reach.all_tests() if one in others]
        return [group for group in (first, rest, last) if group]

    def _file(self, test: int) -> str:
        return self._reach.names[test].split("::")[0]

    def _run(self, groups: list[list[int]]) -> str:
        for group in groups:
            seconds = PATIENCE + 2 * sum(self._reach.seconds[one] for one in group)
            self._tell({"tests": [self._reach.names[one] for one in group], "seconds": seconds})
            assert self._server.stdout
            word = self._server.stdout.readline().strip()
            if word not in ("passed", "failed", "timeout"):
                raise SystemExit("the server of tests has ended")
            if word != "passed":
                return "timeout" if word == "timeout" else "killed"
        return "survived"

    def _tell(self, message: dict[str, object]) -> None:
        assert self._server.stdin
        self._server.stdin.write(json.dumps(message) + "\n")
        self._server.stdin.flush()

    @contextmanager
    def _changed(self, change: Change) -> Iterator[None]:
        path = self._folder / change.path
        before, times = path.read_bytes(), path.stat()
        _forget_compiled(path)
        path.write_text(change.code(), "utf-8")
        try:
            yield
        finally:
            _forget_compiled(path)
            path.write_bytes(before)
            os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


def _forget_compiled(path: Path) -> None:
    """Remove what Python has compiled: it would pass for a file of the same second and size."""
    for compiled in (path.parent / "__pycache__").glob(f"{path.stem}.*"):
        compiled.unlink()
