"""What a Python worker of Spark does with the jobs that reach it."""

from __future__ import annotations

import contextlib
import gc
import os
import pickle
import sys
from collections.abc import Callable, Iterator
from typing import Any, cast

# What comes back: the number of a job, what the bytes are, and the bytes.
SCHEMA = "number long, kind string, data binary"
RESULT, UNFIT, MORE = "result", "unfit", "more"
# Results are cut, since the Java processes hold each value of a row in one array.
LARGEST = 1 << 25

Held = dict[str, Any]  # broadcast variables by the names of parts; None: a file of the session


def make_task(
    function: Callable[..., Any], held: Held, prefix: str, jobs: dict[int, Any]
) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """Return what Spark applies to the numbers of jobs.

    It travels by value, since it is made inside a function: a worker without hardlimit can say so.
    Names of files that are relative mean there what they mean here.
    """
    folder = os.getcwd()
    packed = {number: pickle.dumps((function, job), protocol=5) for number, job in jobs.items()}

    def task(batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow

        try:
            from hardlimit.distributed.engines._spark_tasks import do_job
        except ImportError as error:
            import socket
            import sys

            said = (
                f"the worker on {socket.gethostname()} has no hardlimit of this version in "
                f"{sys.executable}: {error}"
            )

            def do_job(
                packed: bytes, held: Held, prefix: str, folder: str
            ) -> Iterator[tuple[str, bytes]]:
                yield "unfit", said.encode()

        for batch in batches:
            for number in batch.column(0).to_pylist():
                if number not in packed:
                    continue
                for kind, data in do_job(packed[number], held, prefix, folder):
                    columns = {"number": [number], "kind": [kind], "data": [data]}
                    yield pyarrow.RecordBatch.from_pydict(columns)

    return task


def do_job(packed: bytes, held: Held, prefix: str, folder: str) -> Iterator[tuple[str, bytes]]:
    """Yield what comes back of a job, done in a folder where that is there, in pieces."""
    try:
        function, job = pickle.loads(packed)
        parts = tuple(HeldPart(name, variable, prefix) for name, variable in held.items())
        # A worker has one thread, and its folder is of its own making.
        with contextlib.chdir(folder) if os.path.isdir(folder) else contextlib.nullcontext():
            data, kind = pickle.dumps(function(parts, job), protocol=5), RESULT
    except Exception as error:
        said = f"a worker cannot do the work: {type(error).__name__}: {error}"
        data, kind = said.encode(), UNFIT
    _spare_modules()
    view = memoryview(data)
    while len(view) > LARGEST:
        yield MORE, bytes(view[:LARGEST])
        view = view[LARGEST:]
    yield kind, bytes(view)


class HeldPart:
    """A part whose bytes are read when they are asked for: a worker needs few of them again."""

    def __init__(self, name: str, variable: Any, prefix: str) -> None:
        self.name, self._variable, self._prefix = name, variable, prefix

    @property
    def data(self) -> bytes:
        """The bytes."""
        if self._variable is None:
            from pyspark import SparkFiles

            with open(SparkFiles.get(self._prefix + self.name), "rb") as file:
                return file.read()
        data = cast(bytes, self._variable.value)
        # It would keep them for as long as the worker lives.
        vars(self._variable).pop("_value", None)
        return data

    def __eq__(self, other: object) -> bool:
        return isinstance(other, HeldPart) and other.name == self.name

    def __hash__(self) -> int:
        return hash(self.name)


_spared = 0  # modules


def _spare_modules() -> None:
    """Have the garbage collector leave out what modules are made of.

    A worker of Spark collects all garbage after each task: 25 ms of looking at modules.
    """
    global _spared
    if len(sys.modules) != _spared:
        _spared = len(sys.modules)
        gc.collect()
        gc.freeze()
