"""What goes by in a stream: chunks of examples, their digest, how far a run is, its checkpoints.

All other modules of the room stand above this one.
"""

from __future__ import annotations

import hashlib
import itertools
import warnings
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from hardlimit.classifiers.files.header import check_count
from hardlimit.classifiers.fitting.checkpoints import RunCheckpoints
from hardlimit.classifiers.model.choices import Choices
from hardlimit.classifiers.model.labels import as_list
from hardlimit.exceptions import FileError, HardlimitWarning
from hardlimit.foundation import storage
from hardlimit.foundation.package import VERSION, caller_stacklevel

if TYPE_CHECKING:
    from hardlimit.classifiers.model.model import Model
    from hardlimit.foundation.types import Array, Labels, PathLike


@dataclass(frozen=True)
class Chunk:
    """Examples of texts or tables, a label for each, and weights or None; none of weight 0.

    ends : whether the last of them is the last of a block of rows.
    """

    texts: list[Any]
    labels: list[Any]
    weights: Any
    ends: bool = False

    @property
    def examples(self) -> list[Any]:
        """The texts, or rows of tables."""
        return self.texts

    def part(self, begin: int, end: int) -> Chunk:
        """Return the texts begin .. end - 1."""
        weights = None if self.weights is None else self.weights[begin:end]
        return Chunk(self.texts[begin:end], self.labels[begin:end], weights)


class RunningDigest:
    """A digest of the examples that went by, in their order.

    >>> digest = RunningDigest()
    >>> digest.add(["a text"], ["ham"], None)
    >>> len(digest.now)
    32
    """

    def __init__(self) -> None:
        self._hashed = hashlib.blake2b(digest_size=16)

    def add(self, texts: Iterable[Any], labels: Iterable[Any], weights: Array) -> None:
        """Add texts; each with its length, so that none can pass for two.

        How they are cut into calls changes nothing.
        """
        weighted = itertools.repeat(b"") if weights is None else (w.tobytes() for w in weights)
        for text, label, weight in zip(texts, labels, weighted, strict=weights is not None):
            octets = _octets(text)
            self._hashed.update(b"%d %r " % (len(octets), repr(label).encode()))
            self._hashed.update(octets)
            self._hashed.update(weight)

    def add_rows(self, arrays: Iterable[Any], labels: Iterable[Any], weights: Any) -> None:
        """Add rows of numbers."""
        for array in arrays:
            self._hashed.update(b"%d " % array.nbytes)
            self._hashed.update(array.tobytes())
        self._hashed.update(repr(list(labels)).encode())
        if weights is not None:
            self._hashed.update(weights.tobytes())

    @property
    def now(self) -> str:
        """The digest so far, in hexadecimal."""
        return self._hashed.copy().hexdigest()


def _octets(example: object) -> bytes:
    """Return the bytes of a text; those of several texts, or of a row, as Python writes them."""
    if isinstance(example, bytes):
        return example
    text = example if isinstance(example, str) else repr(example)
    return text.encode("utf-8", "surrogatepass")


@dataclass
class Position:
    """How far a run was.

    epoch, blocks : the epoch under way, from 1, and the blocks of it that were learnt.
    shown, tally : rows of the epoch so far, and what its neurons counted.
    n_rows, n_blocks, digest : of the first pass, as far as it went.
    largest : the squared length of the longest row, in hexadecimal.
    weighted, has_weights : whether an example weighed other than 0 and 1; whether batches have
        weights.
    classes : those that were named, as they are written.    start : a digest of the weights at
    the start; empty where there were none.    resting : neurons that have reached their aim.
    """

    epoch: int
    blocks: int
    shown: int
    tally: list[list[int]]
    n_rows: int
    n_blocks: int
    digest: str
    largest: str
    weighted: bool = False
    has_weights: bool = False
    manifest: Any = None
    classes: list[str] | None = None
    start: str = ""
    resting: list[int] = field(default_factory=list)
    version: str = VERSION


class StreamCheckpoints(RunCheckpoints[Position]):
    """Checkpoints of a stream, between two blocks.

    The digest of the rows that were learnt is compared when they come by again.

    manifest : plain JSON that names what is learnt from: files and their sizes
    classes : all classes, where they are named
    start : a digest of the weights at the start
    """

    key, what = "stream", "checkpoint"

    def __init__(
        self,
        path: PathLike,
        minutes: float,
        manifest: object = None,
        classes: Labels | None = None,
        start: str = "",
    ) -> None:
        super().__init__(path, minutes)
        self._manifest, self._start = manifest, start
        self._classes = None if classes is None else sorted(set(map(repr, as_list(classes))))

    @property
    def cache_path(self) -> str:
        """Where the rows of the first pass lie meanwhile."""
        return f"{self.path}.rows"

    def find(self, choices: Choices) -> tuple[Any, Position] | None:
        """Return the model and the position of the run that was broken off; None without one.

        Raises
        ------
        InputError
            A checkpoint of another input, of other choices or of another version.
        """
        found = self.read()
        if found is None:
            return None
        model, position = found
        if (model.choices.text is None) != (choices.text is None):
            raise self.refusal("of another kind of classifier")
        self.compare_choices(model, choices)
        if position.manifest != self._manifest:
            raise self.refusal("of other files: their names or sizes differ")
        if position.classes != self._classes:
            raise self.refusal("of a run for which other classes were named")
        if position.start != self._start:
            raise self.refusal("of a run that began at other weights")
        return model, position

    def parse(self, stored: dict[str, Any], model: Model) -> Position:
        """Return the position that was stored."""
        position = Position(**stored)
        for number in (position.epoch, position.blocks, position.shown, position.n_rows):
            check_count(number)
        check_count(position.n_blocks)
        position.tally = [[check_count(n) for n in counts] for counts in position.tally]
        position.resting = [check_count(neuron) for neuron in position.resting]
        if any(neuron >= len(model.state.state.resting) for neuron in position.resting):
            raise ValueError("there is no such neuron")
        float.fromhex(position.largest)
        return position

    def describe(self, position: Position, weighted: bool) -> Position:
        """Return a position with what this run was given; ``weighted``: batches have weights."""
        return replace(
            position,
            has_weights=weighted,
            manifest=self._manifest,
            classes=self._classes,
            start=self._start,
        )

    def check_digest(self, position: Position, found: str) -> None:
        """Refuse rows that are not those that the checkpoint has learnt."""
        if found != position.digest:
            raise self.refusal("of other rows: those that it has learnt are not the first ones")

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

    def finish(self) -> None:
        """Remove the rows of the first pass too."""
        super().finish()
        if storage.exists(self.cache_path):
            storage.remove(self.cache_path)
