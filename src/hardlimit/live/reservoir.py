"""Remembered texts, and the inbox of the latest ones.

Remembered are a sample of fixed size of all that the model was asked, and the last texts.

After each correction the model says which of them changed sides. A text costs nothing until the
next correction, which makes rows of those that came since.

Equal texts are one remembered text with one number, however often it is asked about or corrected.
Of rows, and where texts are not kept, those with equal features are one.

The inbox has the latest texts that were asked about, with what was said and what became of them.
"""

from __future__ import annotations

import copy
import math
import random
from collections import Counter, OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Any, NamedTuple

from hardlimit._native import LiveRow, Overlay, Watch
from hardlimit.live.answer import Answer
from hardlimit.live.base import Base, Kept
from hardlimit.live.entry import Entry
from hardlimit.live.guards import RowMove
from hardlimit.live.kinds import NEW
from hardlimit.live.ledger import Remembered

# Beyond it JSON's numbers are not exact.
_MOST_NUMBER = 2**53 - 1


class Reservoir:
    """A sample without replacement (Li's Algorithm L, ACM TOMS 20, 1994), and the last texts.

    size : of the sample. last : how many of the latest texts are remembered beside it, those that
        were asked about again counted once.
    """

    def __init__(self, size: int, last: int) -> None:
        self.size, self.last = size, last
        self.watch = Watch()
        self.texts: dict[int, Any] = {}
        self.seen = 0
        # Any seed will do; the same one, so that a run can be repeated.
        self._random = random.Random(0)
        self._sample: list[int] = []
        self._sampled: set[int] = set()  # the same, to look one up
        self._weight = 1.0
        self._next = 0
        self._recent: OrderedDict[int, None] = OrderedDict()
        self._waiting: dict[int, Any] = {}
        # The number of each text, and what it is looked up by: the text, the features, or both.
        self._numbers: dict[Any, int] = {}
        self.keys_of_each: dict[int, list[Any]] = {}
        self.added: list[Remembered] = []
        self.removed: list[int] = []
        # Why texts of the ledger are not remembered any more; "" if they are.
        self.trouble = ""

    def __len__(self) -> int:
        return len(self.watch) + len(self._waiting)

    def note(self, texts: Sequence[Any]) -> list[int]:
        """Look at texts that were predicted; return the number of each.

        Cost: O(those that are taken), and a look for each.
        """
        first, self.seen = self.seen + 1, self.seen + len(texts)
        if not self.size and not self.last:
            return list(range(first, self.seen + 1))
        while self._next <= self.seen - 1 and self.size:
            number = max(self._next + 1, first)
            self._place(self._take(number, texts[number - first]))
            self._skip()
        for place in last_distinct(texts, self.last):
            taken = self._take(first + place, texts[place])
            self._recent[taken] = None
            self._recent.move_to_end(taken)
        found = [self._numbers.get(text, number) for number, text in enumerate(texts, first)]
        while len(self._recent) > self.last:
            gone, _ = self._recent.popitem(last=False)
            if gone not in self._sampled:
                self._drop(gone)
        return found

    def _take(self, number: int, text: object) -> int:
        """Return the number of a text: this one, if it is remembered under no other."""
        taken = self._numbers.get(text)
        if taken is None:
            taken = number
            self._know(number, text)
            self._waiting[number] = text
        return taken

    def _know(self, number: int, key: object) -> None:
        """Find a number by a text or by features, unless another one has them."""
        if key not in self._numbers:
            self._numbers[key] = number
            self.keys_of_each.setdefault(number, []).append(key)

    def find(self, text: Kept, features: bytes) -> int | None:
        """Return the number of the remembered text that is equal to one; None if there is none."""
        found = self._numbers.get(text)
        return self._numbers.get((features,)) if found is None else found

    def _place(self, number: int) -> None:
        """Put a text into the sample, in place of any one where it is full."""
        if number in self._sampled:
            return
        self._sampled.add(number)
        if len(self._sample) < self.size:
            self._sample.append(number)
            return
        place = self._random.randrange(self.size)
        gone, self._sample[place] = self._sample[place], number
        self._sampled.remove(gone)
        if not self._is_wanted(gone):
            self._drop(gone)

    def _is_wanted(self, number: int) -> bool:
        """Tell whether a text that was noted is in the sample or among the last."""
        return number in self._sampled or number in self._recent

    def _skip(self) -> None:
        """Set the place of the next text to take."""
        self._next += 1
        if len(self._sample) < self.size:
            return
        self._weight *= math.exp(math.log(1 - self._random.random()) / self.size)
        if self._weight < 1:
            self._next += int(math.log(1 - self._random.random()) / math.log1p(-self._weight))

    def _drop(self, number: int) -> None:
        """Remember a text no more that is neither in the sample nor among the last."""
        for key in self.keys_of_each.pop(number, ()):
            del self._numbers[key]
        if self._waiting.pop(number, None) is None and number in self.texts:
            del self.texts[number]
            self.watch.remove(number)
            self.removed.append(number)

    def forget(self, number: int) -> None:
        """Remember a text no more, wherever it is."""
        if number in self._sampled:
            self._sampled.remove(number)
            self._sample.remove(number)
        self._recent.pop(number, None)
        self._drop(number)

    def settle(self, base: Base[Any], overlay: Overlay, private: bool, lock: Lock) -> None:
        """Make rows of the texts that came since the last correction.

        lock : of whoever notes texts; held for moments only, so that readers go on.
        """
        with lock:
            waiting, self._waiting = self._waiting, {}
        for number, text in waiting.items():
            row = base.row(overlay, text, False)
            kept = None if private else text
            features = row.to_bytes(overlay)
            with lock:
                # Readers may have asked so much meanwhile that it is not to be remembered any more.
                if self._is_wanted(number):
                    self._follow(overlay, number, kept, row, features)

    def _follow(
        self, overlay: Overlay, number: int, text: Kept, row: LiveRow, features: bytes
    ) -> None:
        """Follow a row; it is stored with the next entry."""
        if text is None:
            twin = self._numbers.get((features,), number)
            if twin != number:  # of which the same is kept
                self.forget(number)
                return
            self._know(number, (features,))
        self.texts[number] = text
        self.watch.add(overlay, number, row)
        self.added.append(Remembered(number, text, features))

    def offer(self, overlay: Overlay, text: Kept, entry: Entry, row: LiveRow) -> int | None:
        """Look at a text that was corrected, whose row is at hand.

        Return its number if it was not remembered before and is now. The row of one that was may
        have more terms than it had.
        """
        known = self.find(text, entry.features)
        number = known
        if self.size:
            self.seen += 1
            if self._next <= self.seen - 1:
                number = self.seen if known is None else known
                self._place(number)
                self._next = self.seen - 1
                self._skip()
        if number is None:
            return None
        if known is None and text is not None:
            self._know(number, text)
        self._waiting.pop(number, None)
        self._follow(overlay, number, entry.text, row, entry.features)
        return number if known is None else None

    def restore(self, overlay: Overlay, stored: Sequence[Remembered]) -> None:
        """Take up what a ledger remembers; of damaged texts none, since no answer needs them.

        Of equal texts, which ledgers of earlier releases may have, the latest is taken up.
        """
        self.watch = Watch()
        self.texts.clear()
        self._numbers, self.keys_of_each = {}, {}
        try:
            self._restore(overlay, stored)
        except (RuntimeError, TypeError, ValueError) as error:
            self.watch = Watch()
            self.texts.clear()
            self._numbers, self.keys_of_each = {}, {}
            self.removed += [one.number for one in stored]
            self.trouble = f"the remembered texts were damaged and are forgotten ({error})"
        for number, text in [*self._waiting.items()]:
            # The same text, or the number that another process gave to one.
            if text in self._numbers or number in self.texts:
                del self._waiting[number]
            else:
                self._know(number, text)
        self.seen = max([self.seen, *self.texts])
        self._sample = list(self.texts)[: self.size]
        self._sampled = set(self._sample)
        self._next = max(self._next, self.seen)

    def _restore(self, overlay: Overlay, stored: Sequence[Remembered]) -> None:
        latest = {_key_of(one): one.number for one in stored}
        kept = [one for one in stored if latest[_key_of(one)] == one.number]
        self.removed += [one.number for one in stored if latest[_key_of(one)] != one.number]
        for one in kept[max(0, len(kept) - self.size - self.last) :]:
            if not 0 < one.number <= _MOST_NUMBER:
                raise ValueError("a number that no text has")
            self.watch.add(overlay, one.number, overlay.row_of_bytes(one.features))
            self.texts[one.number] = one.text
            self._know(one.number, _key_of(one))

    def copy(self, overlay: Overlay, stored: Sequence[Remembered]) -> Reservoir:
        """Return one that goes on as this one does; ``stored``: its texts with their features."""
        made = Reservoir(self.size, self.last)
        made.restore(overlay, stored)
        for name in ("seen", "_sample", "_sampled", "_weight", "_next", "_recent", "_waiting",
                     "_numbers", "_random"):  # fmt: skip
            setattr(made, name, copy.copy(getattr(self, name)))
        made.keys_of_each = {number: [*keys] for number, keys in self.keys_of_each.items()}
        return made

    def changes(self, overlay: Overlay, parts: Sequence[RowMove]) -> list[tuple[int, int, int]]:
        """Follow a change; return number, class before and class of now of those that flipped."""
        for part in parts:
            self.watch.move(overlay, part.row, part.steps)
        return self.watch.changes(overlay)

    def stored(self) -> tuple[list[Remembered], list[int]]:
        """Return what is to be stored since the last time."""
        added = [one for one in self.added if one.number in self.texts]
        removed, self.added, self.removed = self.removed, [], []
        return added, removed


def last_distinct(texts: Sequence[Any], most: int) -> list[int]:
    """Return where the latest texts are, in their order; of equal ones the last is taken.

    >>> last_distinct(["a", "b", "a", "c"], 2), last_distinct(["a", "b", "a"], 9)
    ([2, 3], [1, 2])
    """
    places = {text: place for place, text in enumerate(texts)}
    return sorted(places.values())[max(0, len(places) - most) :]


def _key_of(one: Remembered) -> Any:
    return (one.features,) if one.text is None else one.text


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
