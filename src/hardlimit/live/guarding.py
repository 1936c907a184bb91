"""Guards of a live model: adding, removing and checking texts that must not flip."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any

from hardlimit.exceptions import CorrectionError, KindError
from hardlimit.live.answer import Standing
from hardlimit.live.base import check_row
from hardlimit.live.correcting import Correcting, check_settings
from hardlimit.live.effect import Effect
from hardlimit.live.entry import REFUSE, Entry
from hardlimit.live.guards import MARGIN
from hardlimit.live.kinds import GUARD, UNGUARD
from hardlimit.live.limits import utc_now
from hardlimit.live.writing import check_answer, check_author, details


class Guarding(Correcting):
    """What guards texts."""

    def add_guard(
        self, text: object, label: Hashable | None = None, *, by: str = "", margin: float = MARGIN
    ) -> int:
        """Guard a text: no correction may flip it. Return the guard's id.

        ``label``: the answer that it must keep, which it has to have now; None for that of now.
        ``margin``: what a correction that is solved with the guards leaves it at least.
        """
        return self.add_guards([(text, label)], by=by, margin=margin)[0]

    def add_guards(
        self,
        texts: Iterable[tuple[Any, Hashable | None]],
        *,
        by: str = "",
        margin: float = MARGIN,
    ) -> list[int]:
        """Guard several texts, all or none of them."""
        check_settings(margin, REFUSE, by)
        pairs = list(texts)
        if not all(isinstance(pair, tuple | list) and len(pair) == 2 for pair in pairs):
            raise KindError(who="guard", parameter="texts", wanted="pairs (text, label)")
        pairs = [(text, self.accepted_label(label, "guard")) for text, label in pairs]
        with self._writing():
            done: list[Entry] = []
            try:
                for text, label in pairs:
                    done.append(self._guard(text, label, by, margin))
            except BaseException:
                with self._lock:
                    for entry in reversed(done):
                        self.state.take_back(entry, Effect())
                raise
        return [entry.id for entry in done]

    def _guard(self, text: object, label: Hashable | None, by: str, margin: float) -> Entry:
        kept = self.base.keep(text)
        # With the terms that nobody knows: later corrections may give them weights.
        row = self._learn_row(text)
        check_row(row, text)
        now = self._standing(row)
        fix = "correct it first, then guard it"
        check_answer(now, label, who="guard", topic="guard-does-not-hold", fix=fix)
        entry = self._entry(GUARD, utc_now(), by, text=kept, row=row, label=now.label)
        entry.margin = float(margin)
        self._write(entry, Effect(), details(now, now))
        with self._lock:
            self.state.apply(entry, row)
        return entry

    def remove_guard(self, number: int, *, by: str = "") -> int:
        """Guard a text no more; return the number of the entry."""
        check_author(by)
        with self._writing():
            guard = self.state.guards.guards.get(number)
            if guard is None:
                raise CorrectionError(
                    f"there is no guard #{number}", who="guard", topic="no-such-entry"
                )
            entry = self._entry(UNGUARD, utc_now(), by, target=number, label=guard.label)
            now = self._standing(guard.row)
            self._write(entry, Effect(), details(now, now))
            with self._lock:
                self.state.apply(entry)
        return entry.id

    def guards(self) -> list[tuple[Entry, Standing]]:
        """Return the entries of all guards, with the answer that each has now."""
        with self.writer:
            guards = [guard for _, guard in sorted(self.state.guards.guards.items())]
            entries = self.ledger.pick([guard.id for guard in guards])
            answers = [self._standing(guard.row) for guard in guards]
            return list(zip(entries, answers, strict=True))

    def check_guards(self) -> list[int]:
        """Return the guards that do not hold now: a flag or an undo may flip one."""
        found = self.guards()
        return [entry.id for entry, now in found if now.label != entry.label]
