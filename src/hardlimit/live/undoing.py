"""Taking back entries: the model is as if they had never been, to the last bit."""

from __future__ import annotations

from dataclasses import replace

from hardlimit._native import LiveRow
from hardlimit.exceptions import CorrectionError, InputError
from hardlimit.live import rebuilding
from hardlimit.live.answer import Receipt, Standing
from hardlimit.live.effect import REFUSED, Effect
from hardlimit.live.entry import Entry
from hardlimit.live.kinds import UNDO, kind_of
from hardlimit.live.limits import utc_now
from hardlimit.live.state import undone_entries
from hardlimit.live.writing import Writing, check_author, details


class Undoing(Writing):
    """What takes entries back."""

    def undo_last(self, *, by: str = "", dry_run: bool = False) -> Receipt:
        """Take back the last entry that holds, other than an undo or a file that was written.

        Asked again, it takes back the one before. See :meth:`undo`.
        """
        return self._undo(None, by, dry_run)

    def undo(self, number: int, *, by: str = "", dry_run: bool = False) -> Receipt:
        """Take back an entry: the weights are as if it had never been, to the last bit.

        Later corrections are made anew on the weights without it. A guard stays, whatever made its
        answer right when it was added: the receipt names those that hold no more as ``flagged``.
        The entry itself stays in the ledger, text and features too. An undo is an entry too, and
        can itself be undone. Cost: the entries since ``number``.
        """
        if type(number) is not int:
            raise InputError(who="undo", parameter="number", got=number, wanted="a whole number")
        return self._undo(number, by, dry_run)

    def _undo(self, number: int | None, by: str, dry_run: bool) -> Receipt:
        check_author(by)
        with self._writing(dry_run):
            target = self._last_holding() if number is None else self._undoable(number)
            number = target.id
            entry = self._entry(UNDO, utc_now(), by, target=number, label=target.label)
            undos = {**self.state.undos, entry.id: number}
            behind = self._entry_behind(target)
            row = self.row_of(behind) if behind.features else None
            own = self.memory.find(behind.text, behind.features) if row else None
            was = self._standing(row) if row else Standing(None, 0.0)
            move = rebuilding.Move(self.state, self.ledger, undos)
            broken = self.state.guards.broken()
            with self._moving():
                effects = move.make()
            try:
                lost = tuple(sorted(self.state.guards.broken().keys() - broken.keys()))
                receipt = self._undone(entry, row, own, was, effects, dry_run, lost)
                if not dry_run:
                    flips, after = receipt.flips, receipt.after
                    effect = Effect(flagged=lost)
                    told = details(was, after, effect, flips, receipt.n_remembered)
                    self._write(entry, Effect(), told)
                    self._store_effects(effects, entry.id)
            except BaseException:
                self._move_back(move)
                raise
            if dry_run:
                self._move_back(move)
                return replace(receipt, id=None, fingerprint=self._fingerprint)
        return replace(receipt, fingerprint=entry.after)

    def _store_effects(self, effects: dict[int, Effect], number: int) -> None:
        """Store what entries do since the undo of this number."""
        self.ledger.change_effects(effects)
        first = min(effects, default=number)
        self.ledger.drop_snapshots(first)
        if first <= self._snapshot:
            self._snapshot = self.ledger.snapshot_before(first)

    def _move_back(self, move: rebuilding.Move) -> None:
        with self._moving():
            move.take_back()
        self.memory.watch.refresh(self.state.overlay)

    def _entry_behind(self, entry: Entry) -> Entry:
        """Return an entry, or the one that it took back, and so on."""
        while entry.target is not None:
            entry = self.ledger.pick([entry.target])[0]
        return entry

    def _undone(
        self,
        entry: Entry,
        row: LiveRow | None,
        own: int | None,
        was: Standing,
        effects: dict[int, Effect],
        dry_run: bool,
        flagged: tuple[int, ...],
    ) -> Receipt:
        overlay, labels = self.state.overlay, self.state.labels
        changes = self.memory.watch.refresh(overlay)
        known = range(len(labels))
        flips = self._flips([one for one in changes if one[1] in known and one[2] in known], own)
        return Receipt(
            entry.id,
            UNDO,
            entry.label,
            was,
            self._standing(row) if row else was,
            flips=flips,
            n_remembered=self._count_others(own),
            flagged=flagged,
            target=entry.target,
            refused=tuple(i for i, one in effects.items() if one.status == REFUSED),
            dry_run=dry_run,
        )

    def _last_holding(self) -> Entry:
        """Return the last entry that holds, other than an undo or a file that was written."""
        gone = undone_entries(self.state.undos)
        for number in range(self._last, 0, -1):
            if number in gone or number in self.state.undos:
                continue
            entry = self.ledger.pick([number])[0]
            if not kind_of(entry).is_note:
                return entry
        raise CorrectionError(
            "the ledger has no entry that holds" if self._last else "the ledger has no entry",
            who="undo",
            topic="no-such-entry",
        )

    def _undoable(self, number: int) -> Entry:
        if not 1 <= number <= self._last:
            raise CorrectionError(
                f"there is no entry #{number}; "
                + (f"the last one is #{self._last}" if self._last else "the ledger has none"),
                who="undo",
                topic="no-such-entry",
            )
        gone = undone_entries(self.state.undos)
        if number in gone:
            undo = next(u for u, t in self.state.undos.items() if t == number and u not in gone)
            raise CorrectionError(
                f"entry #{number} is undone already, by #{undo}",
                who="undo",
                topic="already-undone",
                fix=f"undo #{undo} to make it hold again",
            )
        entry = self.ledger.pick([number])[0]
        if kind_of(entry).is_note:
            raise CorrectionError(
                f"entry #{number} says that a file was written, which cannot be taken back",
                who="undo",
                topic="no-such-entry",
            )
        return entry
