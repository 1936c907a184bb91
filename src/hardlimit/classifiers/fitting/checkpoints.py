"""Checkpoints: what a run has learnt so far, from which a killed one goes on to the same bits.

A checkpoint is a model file: it predicts, and is read like any other, without pickles. A note in
its metadata says how far the run was, and what it learns from. Streams and runs in shards have
notes of their own (:mod:`.streamed.position`, :mod:`hardlimit.distributed.checkpoint`).
"""

from __future__ import annotations

import contextlib
import copy
import math
import os
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from hardlimit.classifiers import files
from hardlimit.classifiers.model.combination import Combination
from hardlimit.classifiers.model.compatibility import check_asked
from hardlimit.classifiers.model.model import Model, freeze
from hardlimit.exceptions import FileError, Given, HardlimitWarning, InputError, mask
from hardlimit.foundation import progress, storage
from hardlimit.foundation.atomic_file import check_folder
from hardlimit.foundation.file_lock import find_holder, holding
from hardlimit.foundation.package import VERSION, caller_stacklevel
from hardlimit.foundation.parameters import as_float

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    from hardlimit.classifiers.model.choices import Choices
    from hardlimit.foundation.types import PathLike

WHO = "checkpoint"
FIX = "name another file, or remove this one to begin anew"
Found = TypeVar("Found")


def check_resumable(combination: Combination, every: float) -> None:
    """Refuse checkpoints of a run that could not go on from them to the same bits."""
    if not 0 <= as_float(every) < math.inf:
        raise InputError(parameter="every", got=every, wanted="minutes, 0 or more")
    check_asked(combination)


class RunCheckpoints(Generic[Found]):
    """Writes a checkpoint every so many minutes, and finds the one of a run that was killed.

    Parameters
    ----------
    path : of the file
    minutes : between two of them; 0: whenever there may be one
    """

    key: ClassVar[str]  # of the note in the metadata
    what: ClassVar[str]  # the file is, in messages
    in_stores: ClassVar[bool] = False  # whether it may lie at a URI

    def __init__(self, path: PathLike, minutes: float) -> None:
        self.path = os.fspath(path)
        if storage.is_remote(self.path) and not self.in_stores:
            raise InputError(
                "rows of the first pass lie beside it",
                parameter=WHO,
                got=self.path,
                wanted="a file of the disk",
            )
        self._seconds = 60 * minutes
        self._written, self._failed = time.monotonic(), False
        check_folder(self.path)

    def parse(self, stored: dict[str, Any], model: Model) -> Found:
        """Return what the note says; `TypeError`, `ValueError` of what nobody has written."""
        raise NotImplementedError

    def describe_way_on(self) -> str:
        """Say from where the same run goes on after this one was ended."""
        try:
            there = storage.exists(self.path)
        except Exception as error:  # a store that is away: the end of a run waits for nobody
            return (
                f"whether there is a checkpoint {mask(self.path)} is not known: {mask(str(error))}"
            )
        if there:
            return f"run the same again to go on from the checkpoint {mask(self.path)}"
        return f"there is no checkpoint {mask(self.path)} yet: run the same again to begin anew"

    def refuse_another(self) -> None:
        """Say that another run is using it, and which."""
        holder = find_holder(self.path)
        raise InputError(
            "another run is using it" + (f", {holder}" if holder else ""),
            who=WHO,
            parameter=WHO,
            got=Given(self.path),
            fix="wait for its end, or name another one",
        )

    def warn_of_no_lock(self, error: OSError) -> None:
        """Say that nothing keeps another run away."""
        warnings.warn(
            HardlimitWarning(
                f"no lock can be had beside {self.path} ({error.strerror or error}): see to it "
                "that no other run uses this checkpoint",
                topic="no-lock",
            ),
            stacklevel=caller_stacklevel(),
        )

    def read(self) -> tuple[Any, Found] | None:
        """Return the model and the note of the run that was broken off; None without one.

        Raises
        ------
        InputError
            Another file, or a checkpoint of another version.
        """
        if not storage.exists(self.path):
            return None
        from hardlimit.classifiers import load  # a circle: it knows the classifiers

        model = load(self.path).fitted
        stored = model.metadata.pop(self.key, None)
        if not isinstance(stored, dict):
            raise self.refusal(f"a model file, and no {self.what}")
        if stored.get("version") != VERSION:
            raise self.refusal(f"of hardlimit {stored.get('version')}, and this is {VERSION}")
        try:
            return model, self.parse(stored, model)
        except (TypeError, ValueError) as error:
            raise self.refusal(f"damaged: {error}") from None

    def compare_choices(self, model: Model, mine: Choices) -> None:
        """Refuse to go on by other choices."""
        from hardlimit.classifiers.files.header import write_parameters  # start-up

        stored = model.choices
        if (stored.text is None) != (mine.text is None):
            raise self.refusal("of another kind of classifier")
        classes = list(model.classes.numbers)
        before = write_parameters(stored, classes, True)
        now = write_parameters(mine, classes, True)
        for name in {**before, **now}:
            if before.get(name) != now.get(name):
                raise self.refusal(
                    f"of a run with {name}={before.get(name)!r}, and this one has {now.get(name)!r}"
                )

    def refusal(self, why: str) -> InputError:
        """Return the error that this file is another one than wanted."""
        return InputError(
            f"the file is {why}", who=WHO, parameter=WHO, got=Given(self.path), fix=FIX
        )

    def look(self, model: Model, note: Callable[[], DataclassInstance]) -> None:
        """Write a checkpoint where it is time; one that cannot be written ends no run."""
        if time.monotonic() - self._written < self._seconds:
            return
        try:
            self.write(model, note())
        except FileError as error:
            self._written = time.monotonic()
            if not self._failed:
                self._failed = True
                warnings.warn(
                    HardlimitWarning(
                        f"the checkpoint was not written ({error}); learning goes on, and a run "
                        "that is broken off now loses what it learnt since the one before",
                        topic="checkpoint-lost",
                    ),
                    stacklevel=caller_stacklevel(),
                )

    def write(self, model: Model, note: DataclassInstance) -> None:
        """Write a checkpoint of this moment, in which nobody learns."""
        progress.report(f"writing the checkpoint {self.path}")
        training, model = model.state, copy.copy(model)
        model.outcome = copy.copy(model.outcome)
        model.outcome.stop_reason = "interrupted"
        model.frozen, model.version = freeze(training, training.choices), training.version
        model.metadata = {**model.metadata, self.key: asdict(note)}
        files.write(model, self.path, True)
        self._written, self._failed = time.monotonic(), False

    def finish(self) -> None:
        """Remove what a run that came to its end does not need any more."""
        if storage.exists(self.path):
            storage.remove(self.path)


@contextlib.contextmanager
def held(checkpoints: RunCheckpoints[Any] | None) -> Iterator[None]:
    """Keep other runs away, which would take this one's files for their own.

    The lock ends with the process. In a store there is none. A signal that ends the run gets a note
    that says from where the same run goes on.

    Raises
    ------
    InputError
        Another run is using it.
    """
    if checkpoints is None:
        yield
        return
    try:  # around the lock, too: a signal may come as soon as others see it
        with holding(checkpoints.path, checkpoints.refuse_another, checkpoints.warn_of_no_lock):
            yield
    except BaseException as ended:
        if not isinstance(ended, Exception):
            ended.add_note(checkpoints.describe_way_on())
        raise
