"""The times of this checkout divided by those of an earlier one, to find what became slower.

``HARDLIMIT_BEFORE`` names the other one (:mod:`benchmarks.earlier`). Every turn is a process of its
own on each side, since where memory happens to lie decides a few percent.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks.corpora import Missing, load
from benchmarks.earlier import PLACE, earlier_python, run_module
from benchmarks.harness import Figure, Settings, format_seconds, time_by_turns, time_each_call

TITLE = "Beside an earlier checkout"
TURNS = 9
MOST = 1.03  # what one run differs from the next
CORPUS = "sms_spam"


def figures(settings: Settings, skipped: list[str]) -> Iterator[Figure]:
    """Yield what each case costs now over what it cost before."""
    other = earlier_python()
    if not other:
        raise Missing(f"before: {PLACE} names no other checkout")
    turns = max(TURNS, settings.repetitions)
    for group in GROUPS:
        size = "quick" if settings.quick else "full"
        now, before = [], []
        for number in range(turns):
            sides = [(other, before), (sys.executable, now)]
            for python, side in sides if number % 2 else reversed(sides):
                side.append(turn(python, group, size))
        yield from compared(now, before)


def compared(now: list[dict[str, float]], before: list[dict[str, float]]) -> Iterator[Figure]:
    """Yield a figure for each case: the ratio of the medians."""
    for case in now[0]:
        new, old = (statistics.median(one[case] for one in side) for side in (now, before))
        yield Figure(
            case,
            new / old,
            target=MOST,
            sense="<=",
            ours=format_seconds(new),
            theirs=f"before {format_seconds(old)}",
            remark=f"median of {len(now)} processes on each side",
        )


def turn(python: str, group: str, size: str) -> dict[str, float]:
    """Return the seconds of each case of a group, in a fresh process of that Python."""
    return run_module(python, "benchmarks.rows.before", group, size)


def epochs(quick: bool) -> dict[str, float]:
    """Return the seconds of an epoch of each case."""
    from benchmarks.generators import mnist, zipf_rows
    from benchmarks.rows.epoch import DIGIT, epoch_seconds, ours

    n_rows = 20_000 if quick else 100_000
    near, far = zipf_rows(n_rows, scattered=False), zipf_rows(n_rows, scattered=True)
    averaged = ("last", "averaged")
    X, y = far.matrix(), far.y
    fifth = n_rows // 5
    cases = {
        "epoch: CSR float32, commonest columns first": ours(near.matrix(), near.y),
        "epoch: CSR float32, columns scattered": ours(X, y),
        "epoch: CSR float32, columns scattered, keeping the average": ours(X, y, keep=averaged),
        "epoch: CSR float32, 20 classes": ours(X[:fifth], far.y[:fifth] * 10 + tens(fifth)),
    }
    try:
        digits, labels = mnist()
        cases["epoch: dense float32, MNIST"] = ours(digits, labels == DIGIT)
    except Missing:
        pass
    times = epoch_seconds(cases, 3)
    return {case: min(times.seconds[case]) for case in cases}


def tens(n_rows: int):
    """Return ten classes in turns."""
    import numpy as np

    return np.arange(n_rows) % 10


def rows(quick: bool) -> dict[str, float]:
    """Return the seconds of one row, of many rows, and of a fit of four."""
    from benchmarks.generators import zipf_rows
    from benchmarks.rows import one_row, prediction
    from hardlimit import LinearClassifier

    work: dict[str, tuple[Callable[[], object], int]] = {}
    for n_classes in (2, 20):
        model, matrices, labels = one_row.stream(n_classes, one_row.N_COLUMNS)
        for verb in ("partial_fit", "predict"):
            pairs = iter(list(zip(matrices, labels, strict=True)) * 200)
            call = one_row.call(getattr(model, verb), verb, pairs)
            work[f"one row: {verb}, {n_classes} classes"] = call, 20 * len(matrices)
    many = zipf_rows(10_000 if quick else 50_000, n_columns=prediction.N_COLUMNS)
    X = many.matrix()
    for n_classes in (2, 20):
        fitted = LinearClassifier(until=None, max_iter=1).fit(X, prediction.labels(many, n_classes))
        work[f"{X.shape[0]:,} rows: predict, {n_classes} classes"] = (
            (lambda model=fitted: model.predict(X)),
            1,
        )
    four, targets = [[-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0], [1.0, 1.0]], [0, 1, 1, 1]
    work["four rows: fit"] = (lambda: LinearClassifier().fit(four, targets)), 500
    return {case: least(call, calls) for case, (call, calls) in work.items()}


def least(call: Callable[[], object], calls: int) -> float:
    """Return the best of five times of one call, after one call that is not timed."""
    call()
    return min(time_each_call(call, calls) for _ in range(5))


def texts(quick: bool) -> dict[str, float]:
    """Return the seconds of a fit, of predictions and of a correction on short messages."""
    from hardlimit import TextClassifier
    from hardlimit import load as load_model

    train, test = load(CORPUS).split()
    model = TextClassifier().fit(train.texts, train.labels)
    work = {
        "texts: fit": (lambda: TextClassifier().fit(train.texts, train.labels), 1),
        "texts: predict": (lambda: model.predict(test.texts), 1),
        "texts: one text, predict": (lambda: model.predict(test.texts[:1]), 500),
    }
    seconds = {case: least(call, calls) for case, (call, calls) in work.items()}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model"
        seconds["texts: save"] = least(lambda: model.save(path), 1)
        seconds["texts: load and predict"] = least(
            lambda: load_model(path).predict(["a prize"]), 20
        )
    hashed = TextClassifier(words=(1, 1), chars=None, hash_bits=18, idf=None)
    hashed.fit(train.texts, train.labels)
    one, label = test.texts[:1], test.labels[:1]
    seconds["texts: one text, partial_fit"] = least(lambda: hashed.partial_fit(one, label), 200)
    return seconds


def starts(quick: bool) -> dict[str, float]:
    """Return the seconds of whole processes: the help, and one prediction."""
    from hardlimit import TextClassifier

    command = str(Path(sys.executable).with_name("hardlimit"))
    train, _ = load(CORPUS).split()
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "model")
        TextClassifier().fit(train.texts, train.labels).save(path, training_state=False)
        runs = {
            "start: hardlimit --help": [command, "--help"],
            "start: hardlimit predict, one message": [command, "predict", path],
            "start: import LinearClassifier": [
                sys.executable,
                "-c",
                "import hardlimit; hardlimit.LinearClassifier",
            ],
        }
        times = time_by_turns({case: process(words) for case, words in runs.items()}, 5)
    return {case: min(times.seconds[case]) for case in runs}


def process(words: list[str]) -> Callable[[], object]:
    """Return a call that runs a command to its end, away from this folder."""
    return lambda: subprocess.run(
        words, input=b"win a prize now\n", capture_output=True, check=True, cwd="/"
    )


GROUPS = {"epochs": epochs, "rows": rows, "texts": texts, "starts": starts}

if __name__ == "__main__":
    print(json.dumps(GROUPS[sys.argv[1]](sys.argv[2] == "quick")))
