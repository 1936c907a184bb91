"""Remembered texts: a sample of fixed size of all that the model was asked, and the last ones.

After each correction the model says which of them changed sides. A text costs nothing until the
next correction, which makes rows of those that came since.
"""

from __future__ import annotations

import math
import random
from collections import deque
from collections.abc import Sequence
from threading import Lock
from typing import Any

from hardlimit.live.base import Base
from hardlimit.live.compiled import LiveRow, Overlay, Watch
from hardlimit.live.entry import Entry
from hardlimit.live.guards import Part
from hardlimit.live.ledger import Remembered

# Beyond it JSON's numbers are not exact.
_MOST_NUMBER = 2**53 - 1


class Reservoir:
    """A sample without replacement (Li's Algorithm L, ACM TOMS 20, 1994), and the last texts.

    size : of the sample. last : how many of the latest texts are remembered beside it.
    """

    def __init__(self, size: int, last: int) -> None:
        self.size, self._last = size, last
        self.watch = Watch()
        self.texts: dict[int, Any] = {}
        self.seen = 0
        # Any seed will do; the same one, so that a run can be repeated.
        self._random = random.Random(0)
        self._sample: list[int] = []
        self._sampled: set[int] = set()  # the same, to look one up
        self._weight = 1.0
        self._next = 0
        self._recent: deque[int] = deque()
        self._waiting: dict[int, Any] = {}
        self.added: list[Remembered] = []
        self.removed: list[int] = []
        # Why texts of the ledger are not remembered any more; "" if they are.
        self.trouble = ""

    def __len__(self) -> int:
        return len(self.watch) + len(self._waiting)

    def note(self, texts: Sequence[Any]) -> int:
        """Look at texts that were predicted; return the number of the first.

        Cost: O(those that are taken).
        """
        first, self.seen = self.seen + 1, self.seen + len(texts)
        if not self.size and not self._last:
            return first
        while self._next <= self.seen - 1 and self.size:
            number = max(self._next + 1, first)
            self._take(number, texts[number - first])
            self._skip()
        for number in range(max(first, self.seen - self._last + 1), self.seen + 1):
            self._waiting.setdefault(number, texts[number - first])
            self._recent.append(number)
        while len(self._recent) > self._last:
            gone = self._recent.popleft()
            if gone not in self._sampled:
                self._drop(gone)
        return first

    def _take(self, number: int, text: Any) -> None:
        self._place(number)
        self._waiting[number] = text

    def _place(self, number: int) -> None:
        """Put a text into the sample, in place of any one where it is full."""
        self._sampled.add(number)
        if len(self._sample) < self.size:
            self._sample.append(number)
            return
        place = self._random.randrange(self.size)
        gone, self._sample[place] = self._sample[place], number
        self._sampled.remove(gone)
        if not self.is_wanted(gone):
            self._drop(gone)

    def is_wanted(self, number: int) -> bool:
        """Tell whether a text that was noted is in the sample or among the last."""
        return number in self._sampled or bool(self._recent) and number >= self._recent[0]

    def _skip(self) -> None:
        """Set the place of the next text to take."""
        self._next += 1
        if len(self._sample) < self.size:
            return
        self._weight *= math.exp(math.log(1 - self._random.random()) / self.size)
        if self._weight < 1:
            self._next += int(math.log(1 - self._random.random()) / math.log1p(-self._weight))

    def _drop(self, number: int) -> None:
        if self._waiting.pop(number, None) is None and number in self.texts:
            del self.texts[number]
            self.watch.remove(number)
            self.removed.append(number)

    def settle(self, base: Base, overlay: Overlay, private: bool, lock: Lock) -> None:
        """Make rows of the texts that came since the last correction.

        lock : of whoever notes texts; held for moments only, so that readers go on.
        """
        with lock:
            waiting, self._waiting = self._waiting, {}
        for number, text in waiting.items():
            row = base.row(overlay, text, False)
            kept = text if isinstance(text, str | bytes) and not private else None
            features = row.to_bytes(overlay)
            with lock:
                # Readers may have asked so much meanwhile that it is not to be remembered any more.
                if self.is_wanted(number):
                    self._follow(overlay, number, kept, row, features)

    def _follow(
        self, overlay: Overlay, number: int, text: str | bytes | None, row: LiveRow, features: bytes
    ) -> None:
        """Follow a row; it is stored with the next entry."""
        self.texts[number] = text
        self.watch.add(overlay, number, row)
        self.added.append(Remembered(number, text, features))

    def offer(self, overlay: Overlay, entry: Entry, row: LiveRow) -> None:
        """Look at a text that was corrected, whose row is at hand."""
        self.seen += 1
        if self._next <= self.seen - 1 and self.size:
            self._place(self.seen)
            self._follow(overlay, self.seen, entry.text, row, entry.features)
            self._next = self.seen - 1
            self._skip()

    def restore(self, overlay: Overlay, stored: Sequence[Remembered]) -> None:
        """Take up what a ledger remembers; of damaged texts none, since no answer needs them."""
        self.watch = Watch()
        self.texts.clear()
        try:
            for one in stored[-self.size - self._last :]:
                if not 0 < one.number <= _MOST_NUMBER:
                    raise ValueError("a number that no text has")
                self.watch.add(overlay, one.number, overlay.row_of_bytes(one.features))
                self.texts[one.number] = one.text
        except (RuntimeError, TypeError, ValueError) as error:
            self.watch = Watch()
            self.texts.clear()
            self.removed += [one.number for one in stored]
            self.trouble = f"the remembered texts were damaged and are forgotten ({error})"
        self.seen = max([self.seen, *self.texts])
        self._sample = list(self.texts)[: self.size]
        self._sampled = set(self._sample)
        self._next = max(self._next, self.seen)

    def changes(self, overlay: Overlay, parts: Sequence[Part]) -> list[tuple[int, int, int]]:
        """Follow a change; return number, class before and class of now of those that flipped."""
        for part in parts:
            self.watch.move(overlay, part.row, part.steps)
        return self.watch.changes(overlay)

    def stored(self) -> tuple[list[Remembered], list[int]]:
        """Return what is to be stored since the last time."""
        added, removed = self.added, self.removed
        self.added, self.removed = [], []
        return added, removed
