"""The latest texts that a live model was asked about, with what it said and what became of them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from hardlimit.live.entry import CONFIRM


class Answer(NamedTuple):
    """What a live model says of a text.

    Attributes
    ----------
    number : of the text among the recent ones, as receipts name it; None of one that is not kept
    label : the class
    margin : by how much it beats the best rival
    probability : of the label, by the live slope (:mod:`hardlimit.live.confidence`)
    abstained : whether the probability is below ``abstain``
    fitted : the probability by the slope of the model file; None where it has none
    """

    number: int | None
    label: Hashable
    margin: float
    probability: float
    abstained: bool
    fitted: float | None


NEW, CONFIRMED, CORRECTED = "new", "confirmed", "corrected"


class Recent(NamedTuple):
    """A recent text.

    Attributes
    ----------
    number : as receipts name it
    time : when it was asked about, UTC
    text : str or bytes
    answer : what was said; in a queue what would be said now
    state : "new", "confirmed" or "corrected"
    id : of the entry that confirms or corrects it
    """

    number: int
    time: str
    text: Any
    answer: Answer
    state: str = NEW
    id: int | None = None


@dataclass(slots=True)
class _Item:
    time: str
    text: Any
    answer: Answer
    mark: tuple[int, str] | None = None


class Inbox:
    """The last ``size`` texts, in memory; equal ones are one text. Cost: O(1) a text or a mark."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._items: OrderedDict[int, _Item] = OrderedDict()
        self._numbers: dict[Any, int] = {}

    def __len__(self) -> int:
        return len(self._items)

    def note(self, time: str, text: Any, answer: Answer) -> None:
        """Take a text that was asked about; one that is there becomes the newest, with its mark."""
        if not self.size or answer.number is None:
            return
        mark = self._items.pop(self._numbers[text]).mark if text in self._numbers else None
        if len(self._items) >= self.size:
            _, gone = self._items.popitem(last=False)
            del self._numbers[gone.text]
        self._items[answer.number] = _Item(time, text, answer, mark)
        self._numbers[text] = answer.number

    def mark(self, text: Any, entry: int, kind: str) -> None:
        """Note that an entry tells the label of a text."""
        if isinstance(text, str | bytes) and text in self._numbers:
            self._items[self._numbers[text]].mark = entry, kind

    def find(self, number: int) -> Any:
        """Return a text; None where it is not there any more."""
        item = self._items.get(number)
        return None if item is None else item.text

    @property
    def last(self) -> int | None:
        """The number of the newest text."""
        return next(reversed(self._items), None)

    def newest(self, gone: set[int]) -> Iterator[Recent]:
        """Yield all, the newest first; ``gone``: entries that do not hold."""
        for number, item in reversed(self._items.items()):
            state, entry = NEW, None
            if item.mark is not None and item.mark[0] not in gone:
                entry, state = item.mark[0], CONFIRMED if item.mark[1] == CONFIRM else CORRECTED
            yield Recent(number, item.time, item.text, item.answer, state, entry)
