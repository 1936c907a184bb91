"""Model files that came as bytes, each opened once a process."""

from __future__ import annotations

import contextlib
import os
import tempfile
import threading
from typing import Any

from hardlimit.distributed.engines import FilePart, Part
from hardlimit.predictions import judges
from hardlimit.predictions.judges import Judge, Tabular

_LOCK = threading.Lock()
_OPEN: dict[str, Judge] = {}
_OWN = threading.local()


def open_model(part: Part) -> Judge:
    """Return the judge of a model file, opened once a process, or by threads that must be alone."""
    own: dict[str, Judge] = _OWN.__dict__.setdefault("judges", {})
    if part.name in own:
        return own[part.name]
    with _LOCK:
        found = _OPEN.get(part.name)
        if found is None:
            found = _open(part)
            if isinstance(found, Tabular):  # it remembers what it did not know in the last rows
                own.clear()
                own[part.name] = found
                return found
            _OPEN.clear()  # one model at a time
            _OPEN[part.name] = found
    return found


def lend(part: Part, judge: Judge) -> None:
    """Let this process use a model that is open already."""
    if not isinstance(judge, Tabular):
        with _LOCK:
            _OPEN.clear()
            _OPEN[part.name] = judge


def forget() -> None:
    """Let go of all models."""
    with _LOCK:
        _OPEN.clear()
    _OWN.__dict__.clear()


def _open(part: Any) -> Judge:
    if isinstance(part, FilePart):  # on this machine: mapped, and shared by its processes
        return judges.open_judge(part.path)
    descriptor, path = tempfile.mkstemp(prefix="hardlimit-model-")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(part.data)
        return judges.open_judge(path)
    finally:
        # What is open stays until nobody has it any more; Windows keeps its name too.
        with contextlib.suppress(OSError):
            os.unlink(path)
