"""Model files on workers: opened where they are, or sent; each once a process.

A worker that sees the model under the driver's name maps it there, and nothing is sent. It is told
by the digest in its header, whatever the name. Where a worker does not see it, or sees another, all
get its bytes.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
import threading
from collections.abc import Callable, Sequence
from typing import Any, cast

from hardlimit import model_file
from hardlimit.distributed.engines import Engine, Part
from hardlimit.distributed.running import run_shards
from hardlimit.exceptions import FileError, InputError, ModelFileError
from hardlimit.foundation import storage
from hardlimit.foundation.temporary_folder import naming_folder
from hardlimit.predictions import answerers
from hardlimit.predictions.answerers import Answerer

UNSEEN = "unseen-model"  # topic of the error of a worker that does not see the file
_AT = "at-"  # begins the names of parts that say where a model is
_LOCK = threading.Lock()
_OPEN: dict[str, Answerer] = {}
_OWN = threading.local()


def open_model(part: Part) -> Answerer:
    """Return the answerer of a model file, opened once a process, or by threads that are alone."""
    own: dict[str, Answerer] = _OWN.__dict__.setdefault("answerers", {})
    if part.name in own:
        return own[part.name]
    with _LOCK:
        found = _OPEN.get(part.name)
        if found is None:
            found = _open(part)
            if found.form.remembers:  # it remembers what it did not know in the last rows
                own.clear()
                own[part.name] = found
                return found
            _OPEN.clear()  # one model at a time
            _OPEN[part.name] = found
    return found


def lend(model: SentModel, answerer: Answerer) -> None:
    """Let this process use a model that is open already."""
    if not answerer.form.remembers:
        with _LOCK:
            _OPEN.clear()
            _OPEN[model.reference.name] = answerer


def forget() -> None:
    """Let go of all models."""
    with _LOCK:
        _OPEN.clear()
    _OWN.__dict__.clear()


def _open(part: Part) -> Answerer:
    if part.name.startswith(_AT):
        return _open_there(**json.loads(part.data))
    folder = tempfile.gettempdir()
    with naming_folder(folder):
        descriptor, path = tempfile.mkstemp(prefix="hardlimit-model-")
    try:
        with naming_folder(folder), os.fdopen(descriptor, "wb") as file:
            file.write(part.data)
        return answerers.open_answerer(path)
    finally:
        # What is open stays until nobody has it any more; Windows keeps its name too.
        with contextlib.suppress(OSError):
            os.unlink(path)


def _open_there(path: str, digest: str) -> Answerer:
    found = ""
    with contextlib.suppress(FileError, ModelFileError, OSError):
        found = model_file.open(path).digest
    if found != digest:
        what = "is not there" if not found else "is another one"
        raise FileError(f"the model {what}", where=path, topic=UNSEEN)
    return answerers.open_answerer(path)


class SentModel:
    """A model file, as the driver has it.

    sha256 : of the file.    reference : the part that says where it is.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        with storage.open_seekable(path) as file:
            self.sha256 = hashlib.file_digest(cast(Any, file), "sha256").hexdigest()
        there = path if storage.is_remote(path) else os.path.abspath(storage.local_path(path))
        data = json.dumps({"path": there, "digest": model_file.open(path).digest}).encode()
        self.reference = Part(_AT + Part.of(data).name, data)

    def whole(self) -> Part:
        """Return the part that has its bytes."""
        with storage.open_seekable(self._path) as file:
            part = Part.of(file.read())
        if part.name != self.sha256:
            raise InputError("the model file changed meanwhile", where=self._path)
        return part

    def run(
        self,
        engine: Engine,
        function: Callable[[tuple[Part, ...], Any], Any],
        settings: bytes,
        jobs: Sequence[Any],
    ) -> list[Any]:
        """Return what a function of the model, of settings and of a job gives for each job."""
        rest = Part.of(settings)
        try:
            return _run(engine, function, [self.reference, rest], jobs)
        except FileError as error:
            if error.topic != UNSEEN:
                raise
        return _run(engine, function, [self.whole(), rest], jobs)


def _run(
    engine: Engine,
    function: Callable[[tuple[Part, ...], Any], Any],
    parts: list[Part],
    jobs: Sequence[Any],
) -> list[Any]:
    def tally(place: int, one: Any) -> tuple[int, None]:
        return one.rows, None

    return run_shards(engine, function, parts, jobs, "predicting", tally=tally)
