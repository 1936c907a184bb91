"""What is asked of a cluster that answers: the model, and the files."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, cast

from hardlimit.distributed.engines import Part, part_of_file
from hardlimit.foundation import storage

SHARDS = 16  # where nobody says how many


@contextmanager
def model_file(model: Any) -> Iterator[str]:
    """Give the file of a model, which may be in memory."""
    if isinstance(model, str | os.PathLike):
        yield os.fspath(model)
        return
    with tempfile.TemporaryDirectory(prefix="hardlimit-model-") as folder:
        path = os.path.join(folder, "model")
        model.save(path)
        yield path


def list_paths(sources: str | os.PathLike[str] | Sequence[str | os.PathLike[str]]) -> list[str]:
    """Return the paths of one file or several.

    >>> list_paths("a.csv")
    ['a.csv']
    """
    given: Any = [sources] if isinstance(sources, str | os.PathLike) else sources
    return [os.fspath(one) for one in given]


def part_of_model(path: str) -> Part:
    """Return a model file as workers get it."""
    if storage.is_remote(path):
        with storage.open_seekable(path) as file:
            return Part.of(file.read())
    # Whoever sends it needs its bytes; others open the file.
    return cast(Part, part_of_file(storage.local_path(path)))
