"""The latest texts that a live model was asked about, with what it said and what became of them."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from hardlimit.live.answer import Answer
from hardlimit.live.base import Kept
from hardlimit.live.kinds import NEW


class Recent(NamedTuple):
    """A recent text.

    Attributes
    ----------
    number : as receipts name it
    time : when it was last asked about, UTC
    text : str or bytes
    answer : what was said then; in a queue what would be said now
    state : "new", "confirmed" or "corrected"
    id : of the entry that confirms or corrects it
    times : how often it was asked about since it is here
    """

    number: int
    time: str
    text: str | bytes
    answer: Answer
    state: str = NEW
    id: int | None = None
    times: int = 1


@dataclass(slots=True)
class _Item:
    number: int
    time: str
    answer: Answer
    times: int
    mark: tuple[int, str] | None = None


class Inbox:
    """The last ``size`` different texts, in memory. Cost: O(1) a text.

    Equal texts are one, at the place of the latest of them.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        # The one that was asked about last is the last.
        self._items: OrderedDict[str | bytes, _Item] = OrderedDict()
        self._by_number: dict[int, str | bytes] = {}

    def __len__(self) -> int:
        return len(self._items)

    def note(self, time: str, texts: Sequence[str | bytes], answers: Sequence[Answer]) -> None:
        """Take texts that were asked about; equal ones have equal answers."""
        if not self.size:
            return
        if len(texts) == 1:
            self._note(time, texts[0], answers[0], 1)
            return
        times, said = Counter(texts), dict(zip(texts, answers, strict=True))
        # By the last place of each; those before the last ``size`` would not stay.
        latest = list(dict.fromkeys(reversed(texts)))[: self.size]
        for text in reversed(latest):
            self._note(time, text, said[text], times[text])

    def _note(self, time: str, text: str | bytes, answer: Answer, times: int) -> None:
        number, item = answer.number, self._items.get(text)
        if number is None:
            return
        if answer.more is not None:
            answer = answer.without_more()
        if item is None:
            if len(self._items) >= self.size:
                self._release(*self._items.popitem(last=False))
            self._items[text] = _Item(number, time, answer, times)
        else:
            self._release(text, item)
            item.number, item.time, item.answer = number, time, answer
            item.times += times
            self._items.move_to_end(text)
        self._by_number[number] = text

    def _release(self, text: str | bytes, item: _Item) -> None:
        """Find a text no more by its number, which may be another one's by now.

        Another process numbers its texts by itself, and they come with its entries.
        """
        if self._by_number.get(item.number) == text:
            del self._by_number[item.number]

    def mark(self, text: Kept, entry: int, state: str) -> None:
        """Note what a text is since an entry tells its label."""
        item = None if text is None else self._items.get(text)
        if item is not None:
            item.mark = entry, state

    def find(self, number: int) -> Kept:
        """Return a text; None where it is not there any more."""
        return self._by_number.get(number)

    @property
    def last(self) -> int | None:
        """The number of the text that was asked about last."""
        text = next(reversed(self._items), None)
        return None if text is None else self._items[text].number

    def newest(self, gone: set[int]) -> Iterator[Recent]:
        """Yield all, the latest first; ``gone``: entries that do not hold."""
        for text, item in reversed(self._items.items()):
            state, entry = NEW, None
            if item.mark is not None and item.mark[0] not in gone:
                entry, state = item.mark
            yield Recent(item.number, item.time, text, item.answer, state, entry, item.times)
