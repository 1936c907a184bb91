"""Seconds from Ctrl-C to KeyboardInterrupt in the caller, with the training so far kept.

The signal is sent a third of a second into a fit that would run for minutes; the longest of several
tries counts.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator

from benchmarks.generators import zipf_rows
from benchmarks.harness import Figure, Settings

TITLE = "From Ctrl-C to KeyboardInterrupt"
TARGET = 0.1
DELAY = 0.33


def figures(settings: Settings, skipped: list[str]) -> Iterator[Figure]:
    """Yield the longest wait of each kind of loop."""
    rows = zipf_rows(20_000 if settings.quick else 100_000, scattered=False)
    X, y = rows.matrix(), rows.y
    works = {
        "sparse, two classes": lambda: fit(X, y, "passive-aggressive"),
        "sparse, 20 classes, coupled": lambda: fit(X, [i % 20 for i in range(len(y))]),
        "sparse, a rule written in Python": lambda: fit(X, y, python_rule()),
        "dense, 1,000 columns": lambda: fit(X[:20_000, :1000].toarray(), y[:20_000]),
    }
    for name, work in works.items():
        yield Figure(
            name,
            max(wait(work) for _ in range(settings.repetitions)),
            unit="s",
            target=TARGET,
            sense="<=",
            remark="the answer is frozen meanwhile",
        )


def fit(X, y, rule="perceptron"):
    """Train for minutes."""
    from hardlimit import LinearClassifier

    LinearClassifier(rule, until=None, max_iter=100_000).fit(X, y)


def python_rule():
    """Return the perceptron without a compiled twin."""
    from hardlimit import rules

    class Plain(rules.AdditiveRule):
        required = 0

        def tau(self):
            return 1

    return Plain()


def wait(work: Callable[[], object]) -> float:
    """Interrupt the work, and return the seconds until it stops."""
    sent = []
    signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in the background of a shell

    def interrupt() -> None:
        time.sleep(DELAY)
        sent.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=interrupt).start()
    try:
        work()
    except KeyboardInterrupt:
        return time.perf_counter() - sent[0]
    return float("nan")
