"""The score of a room: ``python -m mutants ROOM [--sample 200] [--seed 1] [--jobs 2]``.

Prints the changes that no test noticed. Ends with 0 if the score reaches ``least`` of
``[tool.mutants]``, and with 1 if it does not.
"""

from __future__ import annotations

import argparse
import queue
import random
import shutil
import signal
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from mutants.changes import Change, find_changes
from mutants.copies import copy_checkout, make_environment
from mutants.equivalents import read_equivalents
from mutants.reach import recall
from mutants.runner import Runner
from mutants.settings import ROOT, Room, find_room

# After so many changes the tests of one run without it: a test that fails then is no judge.
CONTROL = 40


def main() -> int:
    """Read the arguments, try the changes, print the survivors and the score."""
    parser = argparse.ArgumentParser(prog="mutants", description=__doc__)
    parser.add_argument("room", help="below src/hardlimit, e.g. live or service/keys.py")
    parser.add_argument("--sample", type=int, default=200, help="changes at most; 0 for all")
    parser.add_argument("--seed", type=int, default=1, help="of the sample")
    parser.add_argument("--jobs", type=int, default=2, help="copies that are tested side by side")
    given = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # the copies are removed then too
    room = find_room(given.room)
    changes, known = choose(room, given.sample, given.seed)
    with tempfile.TemporaryDirectory(prefix="mutants-") as name:
        counts = try_all(room, changes, Path(name), given.jobs)
    return conclude(room, counts, known, given.seed)


def choose(room: Room, sample: int, seed: int) -> tuple[list[Change], int]:
    """Return a sample of the changes of a room, and how many equivalent ones it left out."""
    changes = [change for path in room.sources for change in find_changes(ROOT, path)]
    random.Random(seed).shuffle(changes)
    drawn = changes[:sample] if sample else changes
    reasons = read_equivalents()
    kept = [one for one in drawn if (str(one.path), *one.was_and_is()) not in reasons]
    print(f"{room.name}: {len(drawn)} of {len(changes)} changes, seed {seed}", flush=True)
    return kept, len(drawn) - len(kept)


def try_all(room: Room, changes: list[Change], folder: Path, jobs: int) -> Counter[str]:
    """Try the changes, so many at a time, each in a copy; prints those that survive."""
    copies = [folder / str(number) for number in range(jobs)]
    copy_checkout(copies[0])
    reach = recall(room, copies[0], make_environment(copies[0]))
    for copy in copies[1:]:
        shutil.copytree(copies[0], copy, symlinks=True)
    package = "hardlimit." + room.name.removesuffix(".py").replace("/", ".")
    runners = [Runner(copy, make_environment(copy), reach, package) for copy in copies]
    free = queue.SimpleQueue[Runner]()
    for runner in runners:
        free.put(runner)

    def judge(numbered: tuple[int, Change]) -> str:
        number, change = numbered
        runner = free.get()
        try:
            if number % CONTROL == 0 and not runner.try_nothing(change):
                raise SystemExit(f"the tests of {change.path}:{change.line} fail without a change")
            outcome = runner.try_change(change)
        finally:
            free.put(runner)
        if number % 25 == 24:
            print(f"{number + 1} of {len(changes)}", file=sys.stderr, flush=True)
        if outcome in ("survived", "unreached"):
            was, now = change.was_and_is()
            print(f"{change.path}:{change.line}: {outcome}\n  - {was}\n  + {now}", flush=True)
        return outcome

    pool = ThreadPoolExecutor(jobs)
    try:
        return Counter(pool.map(judge, enumerate(changes)))
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        for runner in runners:
            runner.close()
        pool.shutdown()


def conclude(room: Room, counts: Counter[str], known: int, seed: int) -> int:
    """Print the score on one line, and return the code of the process."""
    killed = counts["killed"] + counts["timeout"]
    tried = counts.total()
    score = 100 * killed / max(tried, 1)
    print(
        f"{room.name}: {killed} of {tried} changes were noticed ({score:.1f} %, wanted "
        f"{room.least:g} %; {counts['timeout']} by time); {counts['survived']} survived, "
        f"{counts['unreached']} are reached by no test; {known} equivalent ones left out; "
        f"seed {seed}"
    )
    return int(score < room.least)


if __name__ == "__main__":
    raise SystemExit(main())
