"""Answers of a live model: those of its base plus the corrections that hold."""

from __future__ import annotations

import struct
import threading
from collections.abc import Hashable, Sequence
from typing import Any

from hardlimit._native import LiveRow, ModelLock
from hardlimit.exceptions import FileError
from hardlimit.live import rebuilding
from hardlimit.live.answer import Standing, margin_of
from hardlimit.live.base import Base
from hardlimit.live.ledger import Ledger
from hardlimit.live.limits import AuthorLimits
from hardlimit.live.reservoir import Inbox, Reservoir
from hardlimit.live.state import OverlayState


class Answering:
    """The state of a live model, and the side of it that only asks."""

    def __init__(
        self,
        base: Base[Any],
        ledger: Ledger,
        *,
        private: bool = False,
        read_only: bool = False,
        remember: int = 500,
        recent: int = 100,
        limits: AuthorLimits | None = None,
        abstain: float | None = None,
        until: int | None = None,
    ) -> None:
        self.base, self.ledger = base, ledger
        self.private, self.read_only = private, read_only
        self.path = base.path
        self.limits = limits or AuthorLimits(None, None)
        # Locks: `writer` for writers of this process, one at a time; `reading` for readers, who
        # wait only while the weights move; `noting` for what is remembered.
        self.writer = threading.RLock()
        self._lock = ModelLock()
        self.reading = self._lock.reading
        self.noting = threading.Lock()
        self._doubt: FileError | None = None
        self.memory = Reservoir(remember, recent)
        self._inbox = Inbox(recent)
        self.abstain = abstain
        self._until = until
        self.state, self._last, self._fingerprint = rebuilding.load(base, ledger, until)
        self.memory.restore(self.state.overlay, ledger.remembered())
        snapshot = ledger.snapshot()
        self._snapshot = 0 if snapshot is None else snapshot.id

    # The state

    @property
    def doubt(self) -> FileError | None:
        """Why the state is not known; None if it is.

        A ledger that failed while it stored a change may have it or not. Until that can be read
        there, whatever needs the weights raises this error; :meth:`refresh` reads it.
        """
        return self._doubt

    @property
    def state(self) -> OverlayState:
        """The weights and guards of now; raises where they are in doubt."""
        if self._doubt is not None:
            raise self._doubt.replaced()
        return self._known_state

    @state.setter
    def state(self, state: OverlayState) -> None:
        self._known_state, self._doubt = state, None

    # Answers

    @property
    def classes(self) -> list[Hashable]:
        """All labels: those of the base, then those that corrections brought, in their order."""
        return list(self.state.labels)

    @property
    def threshold(self) -> float:
        """With two classes, a score above it means the second."""
        return self.base.threshold

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the model after its last entry."""
        return self._fingerprint

    @property
    def n_entries(self) -> int:
        """The number of the last entry."""
        return self._last

    @property
    def troubles(self) -> dict[str, str]:
        """What people should know though the model answers, by subject: mostly nothing."""
        found = dict(self.ledger.troubles)
        if self.memory.trouble:
            found["remembered"] = self.memory.trouble
        return found

    def scores(self, texts: object) -> list[tuple[float, ...]]:
        """Scores of texts (or of rows of numbers): one of two classes, else one a class."""
        return self.scores_and_known(texts)[0]

    def scores_and_known(
        self, texts: object
    ) -> tuple[list[tuple[float, ...]], Sequence[int | None]]:
        """Scores of texts, and how many terms of each the base or a correction knows.

        None of a row of numbers, whose columns are the same in every row.
        """
        batch = self.base.batch(texts)
        with self.reading:
            return self._score(batch)

    def _score(self, batch: object) -> tuple[list[tuple[float, ...]], Sequence[int | None]]:
        overlay = self.state.overlay
        data, known = self.base.scores(overlay, batch)
        return list(struct.iter_unpack(f"={overlay.n_outputs}d", data)), known

    def predict(self, texts: Sequence[object], *, remember: bool = True) -> list[Hashable]:
        """The label of each text; a tie goes to the first class.

        ``remember``: whether corrections tell later which of these texts they flipped.
        """
        batch = self.base.batch(texts)
        with self.reading:
            # A copy: an undo takes the label of a new class from the list.
            (scores, _), labels = self._score(batch), self.classes
        answers = [labels[margin_of(one, self.base.threshold)[0]] for one in scores]
        if remember and not self.read_only and (kept := self.base.kept(batch)):
            with self.noting:
                self.memory.note(kept)
        return answers

    def standing(self, text: object) -> Standing:
        """The answer to one text, and by how much it beats the best rival."""
        with self.reading:
            return self._standing(self.base.row(self.state.overlay, text, False))

    def _standing(self, row: LiveRow) -> Standing:
        chosen, margin = margin_of(self.state.overlay.scores(row), self.base.threshold)
        return Standing(self.state.labels[chosen], margin)
