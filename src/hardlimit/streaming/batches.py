"""What a user streams from: batches of examples with their labels, once or several times."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from hardlimit.exceptions import Given, InputError, KindError

WANTED = "an iterable of batches (examples, labels), or a function that returns one"
ONCE = (
    "give a list, an object whose iterator begins anew, or a function without arguments that "
    "returns the batches from their beginning"
)


class RowBatch(NamedTuple):
    """Some examples, a label for each, and their weights or None."""

    examples: Any
    labels: Any
    weights: Any = None


class BatchSource:
    """Batches that are gone through once, or as often as wanted where they can be.

    >>> source = BatchSource([(["a text"], ["ham"])])
    >>> source.repeats, [batch.labels for batch in source], [batch.labels for batch in source]
    (True, [['ham']], [['ham']])
    >>> BatchSource(iter([])).repeats
    False
    """

    def __init__(self, batches: object) -> None:
        self._make: Callable[[], Iterable[Any]] | None = None
        self._items: Iterable[Any] | None = None
        if callable(batches) and not hasattr(batches, "__iter__"):
            self._make = batches
        elif isinstance(batches, str | bytes | dict) or not hasattr(batches, "__iter__"):
            got = Given(f"a value of type {type(batches).__name__}")
            raise KindError(parameter="batches", got=got, wanted=WANTED)
        else:
            self._items = batches
        self.repeats = self._make is not None or iter(batches) is not batches
        self._used = False

    def require_repeats(self, why: str) -> None:
        """Refuse batches that come once where they are needed again."""
        if not self.repeats:
            raise InputError(
                f"the batches come once, and are needed twice: {why}",
                parameter="batches",
                got=Given("an iterator"),
                fix=ONCE,
                topic="one-pass",
            )

    def __iter__(self) -> Iterator[RowBatch]:
        items = self._items if self._make is None else self._make()
        if items is None or not hasattr(items, "__iter__"):
            got = Given(f"a function that returned a value of type {type(items).__name__}")
            raise KindError(parameter="batches", got=got, wanted=WANTED)
        for number, item in enumerate(items):
            yield _as_batch(item, number)


def _as_batch(item: object, number: int) -> RowBatch:
    if isinstance(item, tuple | list) and len(item) in (2, 3):
        return RowBatch(*item)
    raise KindError(
        parameter=f"batches[{number}]",
        got=Given(f"a value of type {type(item).__name__}"),
        wanted="a pair (examples, labels), or (examples, labels, weights)",
    )
