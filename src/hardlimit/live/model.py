"""The live model: a base, its corrections, and the ledger that holds them."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Hashable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from hardlimit.exceptions import CorrectionError, KindError
from hardlimit.live import rebuilding
from hardlimit.live.answer import Standing
from hardlimit.live.effect import Effect
from hardlimit.live.entry import BAKED, Entry
from hardlimit.live.following import Following
from hardlimit.live.guarding import Guarding
from hardlimit.live.kinds import BAKE, CORRECT, GUARD, kind_of
from hardlimit.live.limits import utc_now
from hardlimit.live.state import undone_entries
from hardlimit.live.undoing import Undoing
from hardlimit.live.why import Span, Why, explain, find_spans, term_name
from hardlimit.live.writing import check_author, details

if TYPE_CHECKING:
    from hardlimit.live.bake import Baked


class Moved(NamedTuple):
    """The weight of a term for a class, in two models; 0.0 where one does not know it."""

    term: str
    label: Hashable
    before: float
    after: float


class LiveModel(Guarding, Following, Undoing):
    """A model that is corrected while it answers; :func:`hardlimit.open_live` makes it.

    Answers are those of the base plus the corrections that hold. Threads may share one: many ask
    while one corrects. Several processes may open one ledger; each sees the others' corrections
    when it corrects itself, and after :meth:`refresh`.

    Attributes
    ----------
    path : of the model file, which is never written
    ledger : what holds the entries
    read_only : whether corrections are refused
    private : whether only the features of texts are kept
    """

    def why(self, text: object, top: int = 10) -> Why:
        """Why a text gets its class: its terms, and the corrections that pushed it most.

        Cost: all corrections.
        """
        return explain(self, text, top)

    def spans(self, text: str, most: int = 2000) -> list[Span]:
        """Where in a text the terms are that made its answer: :mod:`hardlimit.live.why`.

        Cost: a row for each word.
        """
        if not isinstance(text, str) or not self.base.words_in_a_row:
            raise KindError(who="spans", parameter="text", wanted="a text, of a model of one text")
        return find_spans(self, self.state, text, most)

    def moved_weights(self) -> list[Moved]:
        """All weights that corrections moved, by term and label, with those of the base."""
        state, found = self.state, []
        with self.reading:
            moved, two = state.overlay.weights(), state.overlay.n_outputs == 1
        for key, output, weight in moved:
            before = self._base_weight(key, output)
            name = term_name(self, state, key)
            unit = self.base.bias if key >> 33 else 1.0
            label = state.labels[1 if two else output]
            found.append(Moved(name, label, before, before + weight * unit))
        return found

    def _base_weight(self, key: int, output: int) -> float:
        """Return the base's weight of a column and a class; 0.0 of what it does not know."""
        if key >> 32 and not key >> 33:
            return 0.0
        weights = self.base.intercept if key >> 33 else self.base.weights_of(key)
        place = output - 1 if len(self.base.classes) == 2 else output
        return weights[place] if 0 <= place < len(weights) else 0.0

    def bake(self, path: str | os.PathLike[str], *, by: str = "") -> Baked:
        """Write a new model file of the base and all corrections that hold.

        It has no training state, and its weights of texts are single precision. New terms count in
        the length of a text there, so that scores of texts with such terms differ. The answers to
        all corrections and guards that hold are compared afterwards. That it was written is an
        entry of the ledger, except of a model that is read-only.
        """
        # Late: a process that only corrects needs no numpy.
        from hardlimit.live import bake

        check_author(by)
        with self.writer:
            bake.refuse_own_files(path, self.base.path, self.ledger)
            bake.write_baked(self.base, self.state, path)
            through = self._last
            asked, kept = self._kept()
            changed = bake.compare_answers(os.fspath(path), asked)
            if not self.read_only and self._until is None:
                with self._writing():
                    entry = self._entry(BAKE, utc_now(), by)
                    now = Standing(None, 0.0)
                    told = {BAKED: bake.digest_of(path), "through": through}
                    self._write(entry, Effect(), details(now, now) | told)
                self._settle()  # so that the ledger can be set aside as one file
        return bake.Baked(os.fspath(path), kept[CORRECT], kept[GUARD], changed)

    def _kept(self) -> tuple[list[tuple[int, Any, Hashable]], Counter[str]]:
        """Return the texts whose answers a new file should keep; how many entries of each kind."""
        gone, guards = self.undone(), self.state.guards.guards
        asked, kept = [], Counter[str]()
        for entry in self.ledger.entries(1, self._last):
            if entry.id in gone or not kind_of(entry).wants_answer(entry, guards):
                continue
            kept[entry.kind] += 1
            row = self.row_of(entry)
            text = self.base.read_again(entry.text, row)
            if text is not None:
                asked.append((entry.id, text, self._standing(row).label))
        return asked, kept

    def log(self, first: int = 1, last: int | None = None) -> Iterator[Entry]:
        """Yield the entries, each checked against its fingerprint."""
        for entry in self.ledger.entries(first, last):
            yield next(rebuilding.checked([entry], entry.before, entry.id))

    def undone(self) -> set[int]:
        """Return the numbers of the entries that do not hold."""
        return undone_entries(self.state.undos)

    def verify(self) -> int:
        """Check the whole chain, and that a replay from the first entry gives this model.

        Return the number of entries. Cost: all entries.
        """
        with self.writer:
            self._catch_up()
            whole = rebuilding.replay(self.base, self.ledger, self._last)
            rebuilding.check_alike(whole, self.state)
            return self._last

    def digest(self) -> str:
        """Return a digest of classes, weights and guards, down to the last bit."""
        with self.reading:
            return self.state.digest()

    def replay(self, until: int) -> LiveModel:
        """Return the model as it was after entry ``until``, read-only."""
        if not 0 <= until <= self._last:
            raise CorrectionError(
                f"there is no entry #{until}; the last one is #{self._last}",
                who="replay",
                topic="no-such-entry",
            )
        return LiveModel(self.base, self.ledger, read_only=True, remember=0, recent=0, until=until)
