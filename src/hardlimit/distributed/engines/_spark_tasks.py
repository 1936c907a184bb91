"""What a Python worker of Spark does with the jobs that reach it."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any, cast

from hardlimit.foundation.version import VERSION

# What comes back of a job: rows of its number, what they are, and bytes. Results are cut, since
# the Java processes hold each value of a row in one array.
SCHEMA = "number long, kind string, data binary"
RESULT, ERROR, UNFIT, MORE = "result", "error", "unfit", "more"
LARGEST = 1 << 25

Held = dict[str, Any]  # broadcast variables by the names of parts; None: a file of the session


def make_task(
    function: Callable[..., Any], held: Held, prefix: str, jobs: dict[int, Any]
) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """Return what Spark applies to the numbers of jobs.

    It travels by value, since it is made inside a function: a worker that has no hardlimit, or
    another version, can say so.
    """
    wanted = VERSION
    packed = {number: pickle.dumps((function, job), protocol=5) for number, job in jobs.items()}

    def task(batches: Iterator[Any]) -> Iterator[Any]:
        import platform

        import pyarrow

        reason = ""
        try:
            from hardlimit.foundation.version import VERSION as FOUND

            if wanted != FOUND:
                reason = f"has hardlimit {FOUND}, and the work is of {wanted}"
        except ImportError as error:
            reason = f"has no hardlimit ({error})"
        for batch in batches:
            for number in batch.column(0).to_pylist():
                if reason:
                    found = iter([("unfit", f"{platform.node()} {reason}".encode())])
                else:
                    from hardlimit.distributed.engines._spark_tasks import do_job

                    found = do_job(packed[number], held, prefix)
                for kind, data in found:
                    columns = {"number": [number], "kind": [kind], "data": [data]}
                    yield pyarrow.RecordBatch.from_pydict(columns)

    return task


def do_job(packed: bytes, held: Held, prefix: str) -> Iterator[tuple[str, bytes]]:
    """Yield what comes back of a job, in pieces."""
    try:
        function, job = pickle.loads(packed)
        parts = tuple(HeldPart(name, variable, prefix) for name, variable in held.items())
        data, kind = pickle.dumps(function(parts, job), protocol=5), RESULT
    except Exception as error:
        data, kind = _pack_error(error), ERROR
    view = memoryview(data)
    while len(view) > LARGEST:
        yield MORE, bytes(view[:LARGEST])
        view = view[LARGEST:]
    yield kind, bytes(view)


def _pack_error(error: Exception) -> bytes:
    try:
        data = pickle.dumps(error)
        pickle.loads(data)
    except Exception:  # not of those that can travel
        return pickle.dumps(RuntimeError(f"{type(error).__name__}: {error}"))
    return data


class HeldPart:
    """A part whose bytes are read when they are asked for: a worker needs few of them again."""

    def __init__(self, name: str, variable: Any, prefix: str) -> None:
        self.name, self._variable, self._prefix = name, variable, prefix

    @property
    def data(self) -> bytes:
        """The bytes."""
        if self._variable is None:
            # By its name: Spark is an extra, which a check of types may be without.
            files = import_module("pyspark").SparkFiles
            with open(files.get(self._prefix + self.name), "rb") as file:
                return file.read()
        data = cast(bytes, self._variable.value)
        # It would keep them for as long as the worker lives.
        vars(self._variable).pop("_value", None)
        return data

    def __eq__(self, other: object) -> bool:
        return isinstance(other, HeldPart) and other.name == self.name

    def __hash__(self) -> int:
        return hash(self.name)
