"""Checkpoints: what a run has learnt so far, from which a killed one goes on to the same bits.

A checkpoint is a model file: it predicts, and is read like any other, without pickles. Its metadata
say how far the run was (:class:`Position`), and what it learns from: the digest of the rows that
were learnt is compared when they come by again.
"""

from __future__ import annotations

import contextlib
import copy
import os
import time
import warnings
from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from hardlimit.classifiers.files.header import check_count, write_parameters
from hardlimit.classifiers.fitting.streamed.position import Position
from hardlimit.classifiers.model.choices import Choices
from hardlimit.classifiers.model.labels import as_list
from hardlimit.classifiers.model.model import Model, freeze
from hardlimit.exceptions import FileError, Given, HardlimitWarning, InputError, mask
from hardlimit.foundation import progress, storage
from hardlimit.foundation.atomic_file import check_folder
from hardlimit.foundation.file_lock import find_holder, holding
from hardlimit.foundation.package import VERSION, caller_stacklevel

if TYPE_CHECKING:
    from hardlimit.classifiers.fitting.streamed.pieces import StreamedExamples

STREAM = "stream"  # of the metadata
WHO = "checkpoint"
FIX = "name another file, or remove this one to begin anew"


class Checkpoints:
    """Writes a checkpoint every so many minutes, and finds the one of a run that was killed.

    Parameters
    ----------
    path : of the file
    minutes : between two of them; 0 after each block
    manifest : plain JSON that names what is learnt from: files and their sizes
    classes : all classes, where they are named
    """

    in_stores = False  # whether it may lie at a URI

    def __init__(
        self, path: Any, minutes: float, manifest: Any = None, classes: Any = None
    ) -> None:
        self.path = os.fspath(path)
        if storage.is_remote(self.path) and not self.in_stores:
            raise InputError(
                "rows of the first pass lie beside it",
                parameter=WHO,
                got=self.path,
                wanted="a file of the disk",
            )
        self._classes = None if classes is None else sorted(set(map(repr, as_list(classes))))
        self._seconds, self._manifest = 60 * minutes, manifest
        self._written, self._failed = time.monotonic(), False
        check_folder(self.path)
        self.model: Model | None = None
        self.has_weights = False

    @property
    def cache_path(self) -> str:
        """Where the rows of the first pass lie meanwhile."""
        return f"{self.path}.rows"

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

    def find(self, choices: Choices) -> tuple[Any, Position] | None:
        """Return the model and the position of the run that was broken off; None without one.

        Raises
        ------
        InputError
            A checkpoint of another input, of other choices or of another version.
        """
        if not storage.exists(self.path):
            return None
        from hardlimit.classifiers import load  # a circle: it knows the classifiers

        model = load(self.path).fitted
        stored = model.metadata.pop(STREAM, None)
        if not isinstance(stored, dict):
            raise self._refusal("a model file, and no checkpoint")
        if stored.get("version") != VERSION:
            raise self._refusal(f"of hardlimit {stored.get('version')}, and this is {VERSION}")
        position = self._read(stored)
        self._compare_choices(model.choices, choices, model)
        if position.manifest != self._manifest:
            raise self._refusal("of other files: their names or sizes differ")
        if position.classes != self._classes:
            raise self._refusal("of a run for which other classes were named")
        return model, position

    def _read(self, stored: dict[str, Any]) -> Position:
        try:
            position = Position(**stored)
            for number in (position.epoch, position.blocks, position.shown, position.n_rows):
                check_count(number)
            check_count(position.n_blocks)
            position.tally = [[check_count(n) for n in counts] for counts in position.tally]
            float.fromhex(position.largest)
        except (TypeError, ValueError) as error:
            raise self._refusal(f"damaged: {error}") from None
        return position

    def _compare_choices(self, stored: Choices, mine: Choices, model: Model) -> None:
        if (stored.text is None) != (mine.text is None):
            raise self._refusal("of another kind of classifier")
        classes = list(model.classes.numbers)
        before = write_parameters(stored, classes, True)
        now = write_parameters(mine, classes, True)
        for name in {**before, **now}:
            if before.get(name) != now.get(name):
                raise self._refusal(
                    f"of a run with {name}={before.get(name)!r}, and this one has {now.get(name)!r}"
                )

    def _refusal(self, why: str) -> InputError:
        return InputError(
            f"the file is {why}", who=WHO, parameter=WHO, got=Given(self.path), fix=FIX
        )

    def check_digest(self, position: Position, found: str) -> None:
        """Refuse rows that are not those that the checkpoint has learnt."""
        if found != position.digest:
            raise self._refusal("of other rows: those that it has learnt are not the first ones")

    def look(self, examples: StreamedExamples) -> None:
        """Write a checkpoint where it is time; one that cannot be written ends no run."""
        if time.monotonic() - self._written < self._seconds:
            return
        try:
            self.write(examples)
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

    def warn_of_rows(self, error: FileError) -> None:
        """Say that the rows of the first pass lie elsewhere; that ends no run either."""
        warnings.warn(
            HardlimitWarning(
                f"the rows of the first pass are kept elsewhere ({error}); learning goes on, and a "
                "run that goes on from the checkpoint reads its input once more",
                topic="checkpoint-rows-lost",
            ),
            stacklevel=caller_stacklevel(),
        )

    def write(self, examples: StreamedExamples) -> None:
        """Write a checkpoint of this moment, between two blocks."""
        model = copy.copy(self.model)
        assert model is not None and model.training is not None
        progress.report(f"writing the checkpoint {self.path}")
        training = model.training
        model.outcome = copy.copy(model.outcome)
        model.outcome.stop_reason = "interrupted"
        model.outcome.progressive = examples.progressive
        position = examples.position
        position.manifest, position.has_weights = self._manifest, self.has_weights
        position.classes = self._classes
        model.frozen, model.version = freeze(training, training.choices), training.version
        model.metadata = {**model.metadata, STREAM: asdict(position)}
        codec_of(model).write(model, self.path, True)
        self._written, self._failed = time.monotonic(), False

    def finish(self) -> None:
        """Remove what a run that came to its end does not need any more."""
        for path in (self.path, self.cache_path):
            if storage.exists(path):
                storage.remove(path)


@contextlib.contextmanager
def held(checkpoints: Checkpoints | None) -> Iterator[None]:
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
    with holding(checkpoints.path, checkpoints.refuse_another, checkpoints.warn_of_no_lock):
        try:
            yield
        except BaseException as ended:
            if not isinstance(ended, Exception):
                ended.add_note(checkpoints.describe_way_on())
            raise


def codec_of(model: Model) -> Any:
    """Return the module that writes models of this kind."""
    from hardlimit.classifiers.files import linear, tables, text, text_columns  # start-up

    settings = model.choices.text
    if settings is None:
        return linear
    if settings.table is not None:
        return tables
    return text if settings.text_columns is None else text_columns
