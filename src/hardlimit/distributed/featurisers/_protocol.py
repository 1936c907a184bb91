"""What a featuriser is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, NamedTuple

from hardlimit.classifiers.model.choices import Choices
from hardlimit.classifiers.model.model import Model
from hardlimit.classifiers.targets import ONE_LABEL, Targets
from hardlimit.examples._protocol import Examples
from hardlimit.foundation.types import Array
from hardlimit.sources.pieces import Shard

# Asks all shards a question; their answers, by shard.
Ask = Callable[[Any], list[Any]]
# Which rows of a shard are there, by its number (ascending); None: all.
Kept = Callable[[int], Array | None]
Chosen = dict[str, Any]


class ShardRows(NamedTuple):
    """Examples as they were read, and the labels of each."""

    examples: Examples
    labels: list[Any]

    def kept(self, rows: Array | None) -> ShardRows:
        """Return some of them; None: all."""
        if rows is None:
            return self
        places = rows.tolist()
        return ShardRows(self.examples.take(places), [self.labels[place] for place in places])


class Look(NamedTuple):
    """The question for what a pass of the features sees."""

    number: int
    absent: frozenset[Any] = frozenset()  # labels that weigh 0, whose rows are not looked at


class Featuriser:
    """Makes rows of examples; it is pickled for the workers as it is.

    fix : what helps where scores overflow.    targets : of which kind the labels are, and how
    they are learnt.
    """

    kind: type[Model]
    targets: Targets[Any] = ONE_LABEL
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

    def read(self, shard: Shard, kept: Array | None) -> ShardRows:
        """Return the examples of a shard; ``kept`` names those that are wanted, None all."""
        raise NotImplementedError

    def answer(self, question: Any, number: int, found: ShardRows) -> Any:
        """Answer a question about the examples of the shard of this number, on a worker."""
        raise NotImplementedError

    def keys(self, examples: Examples, of_model: bool) -> Sequence[str | bytes] | None:
        """Return what is equal where examples are; None where nobody compares.

        of_model : whether examples are equal where a model sees no difference, or as hold-outs
        tell them apart.
        """
        found: Sequence[str | bytes] = examples.keys() if of_model else examples.hold_out_keys()
        return found

    def pack(self, found: ShardRows) -> ShardRows:
        """Return rows to travel, for :meth:`join`."""
        return ShardRows(found.examples, self.targets.plain(found.labels))

    def join(self, parts: list[ShardRows]) -> ShardRows:
        """Return the packed rows of all shards as rows of one."""
        examples = parts[0].examples.joined([part.examples for part in parts])
        return ShardRows(examples, [label for part in parts for label in part.labels])

    @property
    def n_columns(self) -> int:
        """Columns of all rows."""
        raise NotImplementedError

    def rows(self, examples: Examples, bias: float) -> tuple[Any, int]:
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


def size_of(*arrays: Array) -> int:
    """Return the bytes of arrays."""
    return sum(array.nbytes for array in arrays)
