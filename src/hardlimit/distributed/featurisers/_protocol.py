"""What a featuriser is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, ClassVar, NamedTuple

from hardlimit.classifiers.model.choices import Choices
from hardlimit.classifiers.model.model import Model
from hardlimit.distributed.recipes import Shard
from hardlimit.foundation.types import Array

# Asks all shards a question; their answers, by shard.
Ask = Callable[[Any], list[Any]]


class Examples(NamedTuple):
    """Examples as they were read, the labels of each, and what each weighs; None: all 1."""

    examples: Any
    labels: list[Any]
    weights: Array | None = None


class Featuriser:
    """Makes rows of examples; it is pickled for the workers as it is.

    fix : what helps where scores overflow.
    """

    kind: ClassVar[type[Model]]
    fix: ClassVar[str] = "use norm='l2'"

    def choose(self, choices: Choices, shards: Sequence[Shard], ask: Ask) -> dict[str, Any]:
        """Settle what is chosen by the first rows, or by a look at all of them.

        Returns the parameters of the classifier that workers need in place of those given.
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

    @property
    def n_columns(self) -> int:
        """Columns of all rows."""
        raise NotImplementedError

    def rows(self, examples: Any, bias: float) -> Any:
        """Return examples as rows of the engine."""
        raise NotImplementedError

    @property
    def of_model(self) -> dict[str, Any]:
        """What a model holds besides its weights."""
        raise NotImplementedError

    def restore(self, model: Model) -> None:
        """Take what was measured from a model of a run that was broken off."""
        raise NotImplementedError


def take(items: list[Any], kept: Array | None) -> list[Any]:
    """Return some of the items."""
    return items if kept is None else [items[place] for place in kept.tolist()]


def kept_rows(shards: Sequence[Shard], kept: Callable[[int], Array | None]) -> Iterator[Any]:
    """Yield the rows of all shards that are wanted."""
    for shard in shards:
        wanted = kept(shard.number)
        if wanted is None:
            yield from shard.rows()
            continue
        numbers = set(wanted.tolist())
        yield from (row for at, row in enumerate(shard.rows()) if at in numbers)
