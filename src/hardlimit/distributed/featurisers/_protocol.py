"""What a featuriser is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, NamedTuple

from hardlimit.classifiers.model.choices import Choices
from hardlimit.classifiers.model.model import Model
from hardlimit.classifiers.targets import ONE_LABEL, Targets
from hardlimit.distributed.recipes import Shard
from hardlimit.foundation.types import Array

# Asks all shards a question; their answers, by shard.
Ask = Callable[[Any], list[Any]]
# Which rows of a shard are there, by its number (ascending); None: all.
Kept = Callable[[int], Array | None]
Chosen = dict[str, Any]


class Examples(NamedTuple):
    """Examples as they were read, and the labels of each."""

    examples: Any
    labels: list[Any]


class Featuriser:
    """Makes rows of examples; it is pickled for the workers as it is.

    fix : what helps where scores overflow.    targets : of which kind the labels are, and how
    they are learnt.
    """

    kind: type[Model]
    targets: Targets = ONE_LABEL
    fix: ClassVar[str] = "use norm='l2'"

    def survey(self, choices: Choices, shards: Sequence[Shard], ask: Ask) -> None:
        """Find out what must be known of all rows, also of those that are left out."""

    def choose(self, choices: Choices, shards: Sequence[Shard], kept: Kept) -> Chosen:
        """Settle what is chosen by the first rows.

        kept : the rows of a shard that are there, by its number.    Returns the parameters of the
        classifier that workers need in place of those given.
        """
        raise NotImplementedError

    def measure(self, choices: Choices, ask: Ask) -> None:
        """Learn what must be known of all rows; called by the driver.

        ask : gives what :meth:`answer` says to a question, of each shard in their order.
        """
        raise NotImplementedError

    def read(self, shard: Shard, kept: Array | None) -> Examples:
        """Return the examples of a shard; ``kept`` names those that are wanted, None all."""
        raise NotImplementedError

    def answer(self, question: Any, number: int, found: Examples) -> Any:
        """Answer a question about the examples of the shard of this number, on a worker."""
        raise NotImplementedError

    def keys(self, examples: Any, of_model: bool) -> list[str | bytes] | None:
        """Return texts that are equal where examples are; None where nobody compares.

        of_model : whether examples are equal where a model sees no difference, or where all is.
        """
        raise NotImplementedError

    def pack(self, found: Examples) -> Examples:
        """Return examples that can be pickled, for :meth:`join`."""
        return Examples(found.examples, self.targets.plain(found.labels))

    def join(self, parts: list[Examples]) -> Examples:
        """Return the packed examples of all shards as examples of one."""
        raise NotImplementedError

    @property
    def n_columns(self) -> int:
        """Columns of all rows."""
        raise NotImplementedError

    def rows(self, examples: Any, bias: float) -> tuple[Any, int]:
        """Return examples as rows of the engine, and the bytes that they take."""
        raise NotImplementedError

    @property
    def of_model(self) -> dict[str, Any]:
        """What a model holds besides its weights."""
        raise NotImplementedError

    def to_json(self) -> dict[str, Any]:
        """Return what was measured and a model file does not hold, as plain JSON."""
        return {}

    def restore(self, model: Model, stored: dict[str, Any]) -> None:
        """Take what was measured from a model of a run that was broken off, and :meth:`to_json`.

        Raises
        ------
        TypeError, ValueError
            What nobody has stored.
        """
        raise NotImplementedError


def take(items: list[Any], kept: Array | None) -> list[Any]:
    """Return some of the items."""
    return items if kept is None else [items[place] for place in kept.tolist()]


def join_labels(parts: list[Examples]) -> list[Any]:
    """Return the labels of all parts."""
    return [label for part in parts for label in part.labels]


def size_of(*arrays: Array) -> int:
    """Return the bytes of arrays."""
    return sum(array.nbytes for array in arrays)
