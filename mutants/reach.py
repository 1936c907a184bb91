"""Which tests reach which lines: one run of all tests of a room under coverage."""

from __future__ import annotations

import hashlib
import json
import os
import pickle
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import coverage

from mutants.copies import variables
from mutants.settings import ROOT, Room

KEPT = ROOT / "build" / "mutants"
CONFIG = """
[run]
data_file = {folder}/lines
parallel = true
source = {source}
context = ${{MUTANTS_CONTEXT-}}
"""


@dataclass
class Reach:
    """Tests by the lines that they run.

    seconds : of each test, by its number; names : of the tests, by their numbers.
    modules : what the tests imported. lines : of each file, the contexts of each line.
    """

    names: list[str]
    seconds: list[float]
    modules: list[str]
    lines: dict[str, dict[int, list[str]]] = field(default_factory=dict)

    def tests_of(self, path: Path, lines: range) -> list[int] | None:
        """Return the tests that run a line of these, the quickest first; None: run at import."""
        contexts = self.lines.get(str(path), {})
        found = {context for line in lines for context in contexts.get(line, ())}
        return None if "" in found else self._quickest(found)

    def tests_of_file(self, path: Path) -> list[int]:
        """Return the tests that run any line of a file, the quickest first."""
        return self._quickest(
            {one for line in self.lines.get(str(path), {}).values() for one in line}
        )

    def all_tests(self) -> list[int]:
        """Return all tests, the quickest first."""
        return sorted(range(len(self.names)), key=self.seconds.__getitem__)

    def _quickest(self, contexts: set[str]) -> list[int]:
        files = tuple(one[1:] for one in contexts if one.startswith("~"))
        named = {int(one) for one in contexts if one.isdigit()}
        return [i for i in self.all_tests() if i in named or self.names[i].split("::")[0] in files]


def recall(room: Room, folder: Path, python: Path) -> Reach:
    """Return what an earlier run measured of the same files, or measure."""
    parts = ("src", "tests", "mutants")
    files = sorted(path for part in parts for path in (folder / part).rglob("*.py"))
    digest = hashlib.sha256(repr(room).encode())
    for path in files:
        digest.update(path.read_bytes())
    kept = KEPT / f"{digest.hexdigest()[:20]}.pickle"
    if not kept.exists():
        found = measure(room, folder, python)
        KEPT.mkdir(parents=True, exist_ok=True)
        replacing = kept.with_suffix(f".{os.getpid()}")
        replacing.write_bytes(pickle.dumps(found))
        replacing.replace(kept)
    reach: Reach = pickle.loads(kept.read_bytes())
    return reach


def measure(room: Room, folder: Path, python: Path) -> Reach:
    """Run the tests of a room once in the copy; they must pass."""
    notes = folder / "reach"
    notes.mkdir()
    config = notes / "coverage.cfg"
    source = folder / os.path.commonpath(room.sources)
    config.write_text(CONFIG.format(folder=notes, source=source), "utf-8")
    command = [str(python), "-m", "pytest", "-q", "-p", "mutants.recording", "-p", "no:xdist"]
    command += ["-p", "no:cacheprovider", *room.tests]
    told = {"COVERAGE_PROCESS_START": str(config), "MUTANTS_NOTES": str(notes / "tests.json")}
    done = subprocess.run(command, cwd=folder, env=variables() | told, stdout=subprocess.PIPE)
    if done.returncode:
        sys.stdout.buffer.write(done.stdout[-5000:])
        raise SystemExit("the tests fail without any change")
    found = Reach(**json.loads((notes / "tests.json").read_text("utf-8")))
    data = coverage.CoverageData(str(notes / "lines"))
    coverage.data.combine_parallel_data(data, data_paths=[str(notes)], message=None)
    for path in room.sources:
        found.lines[str(path)] = data.contexts_by_lineno(str(folder / path))
    if not any(found.lines.values()):
        raise SystemExit(f"the tests run no line of {room.name}")
    return found
