"""Memory of several processes that serve one model file, on Linux.

Each process loads the file and predicts the held-out texts. Then its memory is read from
``/proc``: what is private to it, and its share of what it has in common with the others (the
proportional set size, which adds up to what all of them take together).
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.corpora import Corpus, Missing, load
from benchmarks.harness import Figure, Grid, Settings, format_megabytes

TITLE = "Memory of processes that share a model file"
WORKERS = 8
PRIVATE = "Private_Dirty"  # what a process wrote: nobody else can use these pages
HEAD = ("processes that serve", "resident in each", "private to each", "all together")
SERVE = """\
import sys
import hardlimit
model = hardlimit.load(sys.argv[1])
with open(sys.argv[2], encoding="utf-8") as texts:
    for text in texts:
        model.predict([text])
print("ready", flush=True)
sys.stdin.read()
"""
IDLE = "import hardlimit, numpy, sys; print('ready', flush=True); sys.stdin.read()"


def figures(settings: Settings, skipped: list[str]) -> Iterator[Figure | Grid]:
    """Yield what one process takes, and what each of several does."""
    if not Path("/proc/self/smaps_rollup").exists():
        skipped.append("only Linux tells what processes share")
        return
    try:
        corpus = load("sms_spam" if settings.quick else "20newsgroups")
    except Missing as missing:
        skipped.append(str(missing))
        return
    with tempfile.TemporaryDirectory() as folder:
        words = _written(corpus, Path(folder))
        size = Path(words[0]).stat().st_size
        [idle] = serve(1, IDLE, [])
        [alone] = serve(1, SERVE, words)
        several = serve(WORKERS, SERVE, words)
    together = sum(one["Pss"] for one in several)
    yield Figure(
        f"{WORKERS} processes together, over one",
        together / alone["Pss"],
        ours=format_megabytes(together),
        theirs=f"one {format_megabytes(alone['Pss'])}",
        remark=f"proportional set sizes; model file of {format_megabytes(size)}",
    )
    runs = {"none, hardlimit and numpy imported": [idle], "1": [alone], str(WORKERS): several}
    lines = tuple(line(name, processes) for name, processes in runs.items())
    yield Grid(f"MB, a model file of {format_megabytes(size)}", HEAD, lines)


def line(name: str, processes: list[dict[str, int]]) -> tuple[str, ...]:
    """Return the means of each kind of memory, and the sum of all shares."""
    means = (sum(one[kind] for one in processes) / len(processes) for kind in ("Rss", PRIVATE))
    together = sum(one["Pss"] for one in processes)
    return name, *(f"{value / 1e6:.1f}" for value in (*means, together))


def _written(corpus: Corpus, folder: Path) -> list[str]:
    """Train a model, and write it and the held-out texts."""
    from hardlimit import TextClassifier

    train, test = corpus.split()
    model, texts = folder / "model", folder / "texts"
    TextClassifier().fit(train.texts, train.labels).save(model, training_state=False)
    texts.write_text("".join(f"{text}\n" for text in test.texts), encoding="utf-8")
    return [str(model), str(texts)]


def serve(n: int, code: str, words: list[str]) -> list[dict[str, int]]:
    """Start so many processes, wait until all have predicted, and read their memory."""
    command = [sys.executable, "-c", code, *words]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    running = [subprocess.Popen(command, **pipes) for _ in range(n)]
    try:
        for one in running:
            if one.stdout.readline() != "ready\n":
                raise RuntimeError("a process that serves the model failed")
        return [memory_of(one.pid) for one in running]
    finally:
        for one in running:
            one.communicate()


def memory_of(process: int) -> dict[str, int]:
    """Return the memory of a process by kind, in bytes."""
    lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()[1:]
    return {
        kind.rstrip(":"): int(amount) * 1024
        for kind, amount, *_ in map(str.split, lines)
        if kind.endswith(":")
    }
