"""The state of a live model: a pure function of its base and of the entries that hold.

An entry holds unless an undo that holds takes it back. Applying is deterministic, so that a ledger
that is replayed gives the bits of the model that wrote it.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import math
from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import Any

from hardlimit._native import LiveRow, Overlay
from hardlimit.exceptions import LedgerError
from hardlimit.live.base import Base
from hardlimit.live.effect import REFUSED, Effect
from hardlimit.live.entry import FLAG, SOLVE, Entry, label_of_text, label_to_text, threshold_of
from hardlimit.live.guards import (
    GuardBook,
    GuardedText,
    Infeasible,
    RowMove,
    solve_together,
    take_back,
)
from hardlimit.live.kinds import kind_of
from hardlimit.live.scoring import Scoring


def undone_entries(undos: Mapping[int, int]) -> set[int]:
    """Return the entries that do not hold, from the targets of all undos.

    >>> undone_entries({3: 1}), undone_entries({3: 1, 4: 3})
    ({1}, {3})
    """
    gone: set[int] = set()
    for number in sorted(undos, reverse=True):
        if number not in gone:
            gone.add(undos[number])
    return gone


class OverlayState:
    """Weights, classes, guards and influences, and how entries move them."""

    def __init__(self, base: Base[Any]) -> None:
        self.base = base
        self.overlay = Overlay(len(base.classes), base.threshold, base.bias)
        self.labels: list[Hashable] = list(base.classes)
        self.numbers = {label: number for number, label in enumerate(self.labels)}
        self.guards = GuardBook()
        self.influence: dict[str, float] = {}
        self.undos: dict[int, int] = {}
        self.scoring = Scoring(base.confidence)

    def row_of(self, entry: Entry) -> LiveRow:
        """Return the row of an entry."""
        try:
            return self.overlay.row_of_bytes(entry.features)
        except RuntimeError as error:
            raise LedgerError(f"entry {entry.id} has {error}", topic="damaged") from None

    def known_row_of(self, entry: Entry) -> LiveRow:
        """Return the row of an entry without the new terms that this state does not know."""
        try:
            return self.overlay.known_row_of_bytes(entry.features)
        except RuntimeError as error:
            raise LedgerError(f"entry {entry.id} has {error}", topic="damaged") from None

    def apply(self, entry: Entry, row: LiveRow | None = None) -> Effect:
        """Do what an entry says; its row is read from it unless it is given."""
        self.scoring.add(entry)
        return kind_of(entry).apply(self, entry, row)

    def take_back(self, entry: Entry, effect: Effect, guard: Entry | None = None) -> None:
        """Undo the last entry that was applied, bit for bit; of an unguard its guard's entry."""
        self.scoring.take(entry)
        kind_of(entry).take_back(self, entry, effect, guard)

    @contextlib.contextmanager
    def _deciding_as(self, entry: Entry) -> Iterator[None]:
        """Decide by the threshold that an entry was made with, as whoever wrote it did."""
        wanted = threshold_of(entry, self.base.own_threshold)
        if wanted == self.overlay.threshold:
            yield
            return
        own = self.overlay.threshold
        self._set_threshold(wanted)
        try:
            yield
        finally:
            self._set_threshold(own)

    def _set_threshold(self, threshold: float) -> None:
        self.overlay.threshold = threshold
        self.guards.refresh(self.overlay)

    def guard(self, entry: Entry, row: LiveRow | None = None) -> None:
        """Guard the row of an entry; one of a class that is gone guards nothing."""
        y = self.numbers.get(entry.label)
        if y is not None:
            row = self.row_of(entry) if row is None else row
            guard = GuardedText(entry.id, row, entry.features, y, entry.label, entry.margin)
            self.guards.add(self.overlay, guard)

    def correct(self, entry: Entry, row: LiveRow | None = None) -> Effect:
        """Move the weights until the row of an entry has its label, by the entry's threshold."""
        row = self.row_of(entry) if row is None else row
        with self._deciding_as(entry):
            return self._correct(entry, row)

    def _correct(self, entry: Entry, row: LiveRow) -> Effect:
        effect = Effect(new_class=self._ensure(entry.label), influence=self._of(entry.author))
        y = self.numbers[entry.label]
        try:
            self._move(entry, row, y, effect)
        except Infeasible as proof:
            effect.status = REFUSED
            effect.multipliers = tuple(
                (0 if source == entry.id else source, str(u)) for source, u in proof.multipliers
            )
            effect.in_the_way = tuple(sorted({i for i, _ in effect.multipliers if i}))
        except (ValueError, OverflowError):
            effect.status = REFUSED
        if effect.status == REFUSED:
            if effect.new_class:
                self._forget_class()
            effect.new_class = False
        else:
            effect.size = _size(effect.parts)
            if effect.size:
                self.influence[entry.author] = (effect.influence or 0.0) + effect.size
        return effect

    def _of(self, author: str) -> float:
        return self.influence.get(author, 0.0)

    def _move(self, entry: Entry, row: LiveRow, y: int, effect: Effect) -> None:
        """Move the weights by the smallest change, or by one that the guards allow."""
        steps, before = self.overlay.correct(row, y, entry.margin)
        parts = [RowMove(entry.id, row, steps, before)] if steps else []
        effect.parts = parts
        flipped = self.guards.follow(self.overlay, parts)
        if not flipped:
            return
        effect.in_the_way = tuple(flipped)
        if entry.policy == FLAG:
            effect.flagged = tuple(flipped)
            return
        take_back(self.overlay, self.guards, parts)
        effect.parts = []
        if entry.policy != SOLVE:
            effect.status = REFUSED
            return
        effect.parts = solve_together(self.overlay, self.guards, entry.id, row, y, entry.margin)

    def _ensure(self, label: Hashable) -> bool:
        """Add a class that is not there."""
        if label in self.numbers:
            return False
        self.numbers[label] = len(self.labels)
        self.labels.append(label)
        self.overlay.n_classes = len(self.labels)
        self.guards.refresh(self.overlay)
        return True

    def _forget_class(self) -> None:
        del self.numbers[self.labels.pop()]
        self.overlay.n_classes = len(self.labels)
        self.guards.refresh(self.overlay)

    def take_correction_back(self, entry: Entry, effect: Effect) -> None:
        """Undo the last correction, bit for bit."""
        take_back(self.overlay, self.guards, effect.parts)
        if effect.new_class:
            self._forget_class()
        if effect.influence:
            self.influence[entry.author] = effect.influence
        else:
            self.influence.pop(entry.author, None)

    # Snapshots

    def to_snapshot(self) -> tuple[str, bytes]:
        """Return what is small as JSON, and the weights as bytes."""
        plain = {
            "labels": [label_to_text(label) for label in self.labels],
            "guards": sorted(self.guards.guards),
            "influence": self.influence,
            "undos": sorted(self.undos.items()),
            "scoring": self.scoring.to_json(),
        }
        return json.dumps(plain, sort_keys=True), self.overlay.dump()

    def restore(self, plain: Mapping[str, Any], weights: bytes, guards: Iterable[Entry]) -> None:
        """Take the state of a snapshot."""
        labels = [label_of_text(text) for text in plain["labels"]]
        if labels[: len(self.labels)] != self.labels:
            raise LedgerError("a snapshot with other classes than the base", topic="damaged")
        for label in labels[len(self.labels) :]:
            assert label is not None  # a label has a kind
            self._ensure(label)
        self.overlay.restore(weights)
        self.influence = {str(author): float(one) for author, one in plain["influence"].items()}
        self.undos = {int(number): int(target) for number, target in plain["undos"]}
        if "scoring" in plain:  # ledgers of before confirmations have none
            self.scoring.restore(plain["scoring"])
        for entry in guards:
            self.guard(entry)

    def digest(self) -> str:
        """Return a digest of classes, weights, guards and influences, down to the last bit."""
        digest = hashlib.sha256()
        for label in self.labels:
            digest.update(f"{label_to_text(label)}\n".encode("utf-8", "surrogatepass"))
        named = sorted((self.key_name(key), k, w.hex()) for key, k, w in self.overlay.weights())
        digest.update(repr(named).encode())
        digest.update(repr(sorted(self.guards.guards)).encode())
        digest.update(repr(sorted(self.influence.items())).encode())
        return digest.hexdigest()

    def key_name(self, key: int) -> str:
        """Return a name of a weight that does not depend on the order of new terms.

        ``c`` and the number of a column, ``t`` and a new term, or ``b`` for the bias.
        """
        if key >> 33:
            return "b"
        return f"t{self.overlay.term(key & 0xFFFFFFFF)}" if key >> 32 else f"c{key}"


def _size(parts: Iterable[RowMove]) -> float:
    """Return the Euclidean length of a change: of rows that share columns an upper bound."""
    lengths = [
        math.sqrt(sum(step * step for _, step in part.steps) * part.row.squared_length)
        for part in parts
    ]
    return math.fsum(lengths)
