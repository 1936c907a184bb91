"""Who does the work of the shards: one engine a file, found by discovery.

>>> names()
['dask', 'processes', 'spark', 'threads']
>>> with open_engine("threads:2") as engine:
...     engine.map_ordered(_example, [Part.of(b"ab")], [1, 2, 3])
[b'ab', b'abab', b'ababab']
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from hardlimit.distributed.engines._protocol import LOST, Engine, FilePart, Part, part_of_file
from hardlimit.exceptions import InputError
from hardlimit.foundation.discovery import file_names, import_members

__all__ = ["LOST", "Engine", "FilePart", "Part", "names", "open_engine", "part_of_file"]


def names() -> list[str]:
    """Names of all engines."""
    return list(file_names(__name__))


@contextmanager
def open_engine(cluster: object) -> Iterator[Engine]:
    """Give the engine of ``"threads"``, of an address like ``"dask://host:8786"``, or of a client.

    Raises
    ------
    InputError
        There is no such engine, or nobody answers.
    """
    for module in import_members(__name__, list(__path__)):
        if module.accepts(cluster):
            engine: Engine = module.open_engine(cluster)
            try:
                yield engine
            finally:
                engine.close()
            return
    wanted = (
        "threads:N, processes:N, dask://HOST:PORT, spark://HOST:PORT, sc://HOST:PORT, "
        "a client of dask.distributed, or a SparkSession"
    )
    raise InputError(parameter="cluster", got=cluster, wanted=wanted)


def _example(parts: tuple[Part, ...], times: int) -> bytes:
    return parts[0].data * times
