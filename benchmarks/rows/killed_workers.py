"""Trainings in which a worker is killed at a random moment, beside an undisturbed one."""

from __future__ import annotations

import contextlib
import hashlib
import os
import random
import shutil
import signal
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from benchmarks.corpora import load
from benchmarks.harness import Figure, Settings
from benchmarks.two_workers import write

TITLE = "Workers that are killed"
RUNS = 10
CHOICES: dict[str, Any] = {"shards": 8, "max_iter": 10, "words": (1, 2), "chars": None}


def figures(settings: Settings, skipped: list[str]) -> Iterator[Figure]:
    """Yield for each engine how many of ten runs end with the digest of the serial run."""
    corpus = load("sms_spam")
    runs = 2 if settings.quick else RUNS
    engines = {"processes": _Processes, "dask": _Dask, "spark": _Spark}
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        path = write(os.path.join(folder, "texts.csv"), corpus.texts, corpus.labels, 2)
        wanted = digest(path, "threads:1")
        for name, engine in engines.items():
            try:
                with engine() as cluster:
                    yield killed(name, cluster, path, wanted, runs)
            except ImportError as error:
                skipped.append(f"{name}: {error}")


def digest(path: str, cluster: Any) -> str:
    """Train; SHA-256 of the model file."""
    from hardlimit.distributed import train

    with tempfile.TemporaryDirectory() as folder:
        model = os.path.join(folder, "model")
        train(path, cluster=cluster, **CHOICES).save(model)
        return hashlib.sha256(Path(model).read_bytes()).hexdigest()


def killed(name: str, engine: Any, path: str, wanted: str, runs: int) -> Figure:
    """Return the figure of an engine: as many runs, a worker killed in each."""
    digest(path, engine.cluster)
    began = time.perf_counter()
    digest(path, engine.cluster)
    lasts = time.perf_counter() - began
    draw = random.Random(0)
    same = hit = 0
    for _ in range(3 * runs):  # some are over, or have no worker yet, when the moment comes
        if hit == runs:
            break
        victims: list[int] = []

        def kill(victims: list[int] = victims) -> None:
            alive = engine.workers()
            if alive:
                victims.append(draw.choice(sorted(alive)))
                with contextlib.suppress(ProcessLookupError):
                    os.kill(victims[0], signal.SIGKILL)

        timer = threading.Timer(draw.uniform(0, 0.8 * lasts), kill)
        timer.start()
        is_same = digest(path, engine.cluster) == wanted
        timer.cancel()
        timer.join()
        hit += bool(victims)
        same += is_same and bool(victims)
    return Figure(
        f"runs with a worker killed, the SHA-256 of the serial run: {name}",
        same,
        "",
        runs,
        ">=",
        f"{same} of {hit}",
        remark=f"at a random moment of about {lasts:.1f} s",
    )


def _children(of: Callable[[str], bool]) -> set[int]:
    """Return descendants of this process whose command line is such."""
    parents: dict[int, int] = {}
    for entry in os.scandir("/proc"):
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                fields = Path(entry.path, "stat").read_text().rpartition(")")[2].split()
                parents[int(entry.name)] = int(fields[1])
    found, level = set[int](), {os.getpid()}
    while level:
        level = {child for child, parent in parents.items() if parent in level}
        found |= level
    chosen = set()
    for child in found:
        with contextlib.suppress(OSError):
            words = Path(f"/proc/{child}/cmdline").read_bytes().replace(b"\0", b" ").decode()
            if of(words):
                chosen.add(child)
    return chosen


class _Processes:
    """Processes of this program."""

    cluster: Any = "processes:2"

    def __enter__(self) -> _Processes:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def workers(self) -> set[int]:
        """Return the processes that may be killed."""
        return _children(lambda words: "spawn_main" in words)


class _Dask:
    """A scheduler in this process, and two workers."""

    def __enter__(self) -> _Dask:
        import distributed

        self._all = contextlib.ExitStack()
        self._local = self._all.enter_context(
            distributed.LocalCluster(
                n_workers=2, threads_per_worker=1, dashboard_address=None, host="127.0.0.1"
            )
        )
        self.cluster = self._all.enter_context(distributed.Client(self._local))
        return self

    def __exit__(self, *_: object) -> None:
        self._all.close()

    def workers(self) -> set[int]:
        """Return the processes that may be killed."""
        nannies = self._local.workers.values()
        return {nanny.pid for nanny in nannies if nanny.pid}


class _Spark:
    """A master of Spark in its own process, and two workers with an executor each."""

    def __enter__(self) -> _Spark:
        if shutil.which("java") is None:
            raise ImportError("Spark needs Java")
        os.environ |= {
            "SPARK_LOCAL_IP": "127.0.0.1",
            "PYSPARK_PYTHON": sys.executable,
            "PYSPARK_SUBMIT_ARGS": "--conf spark.ui.enabled=false pyspark-shell",
        }
        from pyspark.sql import SparkSession

        self.cluster: Any = SparkSession.builder.master("local-cluster[2,1,1024]").getOrCreate()
        self.cluster.sparkContext.setLogLevel("OFF")
        return self

    def __exit__(self, *_: object) -> None:
        self.cluster.stop()

    def workers(self) -> set[int]:
        """Return the executors."""
        return _children(lambda words: "CoarseGrainedExecutorBackend" in words)
