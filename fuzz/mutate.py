"""Fuzz without libFuzzer: ``python -m fuzz.mutate [TARGET ...] [--seconds 60] [--seed 0]``.

For builds with sanitizers, into which atheris cannot be loaded. Seeds and kept inputs are changed
at random; nothing is learnt from what they reach, so that it finds less in the same time. The
input under way lies in ``build/fuzz/TARGET/last``, also where it ended the process; run it again
with ``python -m fuzz.run TARGET --input FILE``.
"""

import argparse
import faulthandler
import importlib
import random
import resource
import sys
import time

from fuzz.harness import HERE, corpus
from fuzz.run import TARGETS, WORK

SECONDS = 20  # of one input; sanitizers are slow
MOST_MEMORY = 2 << 30  # bytes, as libFuzzer bounds them


def words_of(target: str) -> list[bytes]:
    """Return the words of the target's dictionary, where it has one."""
    path = HERE / f"{target}.dict"
    if not path.exists():
        return []
    quoted = [line.partition('"')[2].rpartition('"')[0] for line in path.read_text().splitlines()]
    return [word.encode().decode("unicode_escape").encode("latin-1") for word in quoted if word]


def change(data: bytes, others: list[bytes], words: list[bytes], draw: random.Random) -> bytes:
    """Change an input in a few places."""
    made = bytearray(data)
    for _ in range(draw.choice((1, 1, 2, 4, 16))):
        at, kind = draw.randrange(len(made) + 1), draw.randrange(7)
        size = min(draw.choice((1, 2, 8, 64)), len(made) - at)
        if kind == 0 and at < len(made):
            made[at] ^= 1 << draw.randrange(8)
        elif kind == 1 and at < len(made):
            made[at] = draw.choice((0, 1, 127, 128, 254, 255, draw.randrange(256)))
        elif kind == 2:
            del made[at : at + size]
        elif kind == 3:
            made[at:at] = draw.randbytes(size)
        elif kind == 4:
            made[at:at] = made[at : at + size]
        elif kind == 5:
            other = draw.choice(others)
            begin = draw.randrange(len(other) + 1)
            made[at:] = other[begin:]
        elif words:
            made[at : at + draw.choice((0, size))] = draw.choice(words)
    return bytes(made[:20_000])


def fuzz(target: str, seconds: float, seed: int) -> int:
    """Run changed inputs for so long; how many."""
    module = importlib.import_module(f"fuzz.{target}")
    inputs, words = [*module.SEEDS, *corpus(target)], words_of(target)
    draw, folder = random.Random(seed), WORK / target
    folder.mkdir(parents=True, exist_ok=True)
    ends, n = time.monotonic() + seconds, 0
    while time.monotonic() < ends:
        data = change(draw.choice(inputs), inputs, words, draw)
        (folder / "last").write_bytes(data)
        run_bounded(module, data)
        n += 1
    return n


def run_bounded(module: object, data: bytes) -> None:
    """Run one input; what takes too long ends the process, and too much memory is a find."""
    faulthandler.dump_traceback_later(SECONDS, exit=True, file=sys.__stderr__)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    try:
        module.run(data)
    finally:
        faulthandler.cancel_dump_traceback_later()
    taken = 1024 * (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
    assert taken <= MOST_MEMORY, f"one input took {taken:,} bytes"


def main() -> None:
    """Fuzz the targets in turn; the first find ends it with a traceback or a report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("targets", nargs="*", default=[*TARGETS])
    parser.add_argument("--seconds", type=float, default=60, help="of each target")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    for target in given.targets:
        n = fuzz(target, given.seconds, given.seed)
        print(f"{target}: {n:,} inputs, nothing found", flush=True)


if __name__ == "__main__":
    main()
