"""Learning from files in shards, on the cores of one machine or on several machines.

::

    from hardlimit.distributed import train

    clf = train(["a.csv", "b.jsonl"], cluster="processes:2", shards=16)

Shards are recipes (which bytes of which files, and how they are read) and not data: whoever learns
one reads it again, or has it still from the epoch before. The terms of all texts are counted
shard by shard and merged; then every shard learns each epoch from the same weights, and what they
moved is mixed (:mod:`hardlimit.engine.mixing`). All work is a pure function of a recipe and of
bytes that never change, so that an engine may repeat it wherever and as often as it likes: the
model depends on the files, the choices and the number of shards, and not on the engine, on the
number of workers, nor on what became of them. One shard is ``fit`` on the same texts, bit for bit.

The engines are the files of :mod:`hardlimit.distributed.engines`.
"""

from typing import Any

from hardlimit.distributed.progress import Progress

_LATE = {"Scored": "scoring", "evaluate": "evaluating", "score": "scoring", "train": "training"}

__all__ = ["Progress", "Scored", "evaluate", "score", "train"]


def __getattr__(name: str) -> Any:
    if name not in _LATE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module  # start-up: numpy

    return getattr(import_module(f"{__name__}.{_LATE[name]}"), name)
