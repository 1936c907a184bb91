"""Writing of a live model: alone, knowing what others wrote, all of it or nothing."""

from __future__ import annotations

import contextlib
from collections.abc import Hashable, Iterator, Sequence
from typing import Any, Self

from hardlimit._native import LiveRow
from hardlimit.exceptions import (
    CorrectionError,
    FileError,
    HardlimitError,
    LedgerError,
    PythonFace,
)
from hardlimit.foundation import names
from hardlimit.live import rebuilding
from hardlimit.live.answer import Flip, Receipt, Standing
from hardlimit.live.answering import Answering
from hardlimit.live.base import Kept
from hardlimit.live.effect import Effect
from hardlimit.live.entry import Entry, check_label, label_to_text
from hardlimit.live.kinds import KINDS
from hardlimit.live.labels import builtin, check_known
from hardlimit.live.scoring import Said
from hardlimit.live.state import OverlayState

# Entries between two snapshots, at least.
BETWEEN = 512


class Writing(Answering):
    """One writer at a time; what is returned is on disk."""

    def close(self) -> None:
        """Let go of the ledger, whose tail moves into the database.

        Where that is not possible it stays, and is read when the ledger is opened again.
        """
        with self.writer:
            if not self.read_only and self._until is None:
                with contextlib.suppress(OSError, LedgerError):
                    self._settle()
            self.ledger.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextlib.contextmanager
    def _writing(self, dry_run: bool = False) -> Iterator[None]:
        """Write alone, knowing all that others wrote.

        An error leaves the state before, or that of the ledger where it has the entry after all,
        or one that is in doubt.
        """
        if self.read_only or self._until is not None:
            raise CorrectionError("this model was opened read-only", topic="read-only")
        with self.writer:
            before, committing = None, False
            kept = contextlib.nullcontext() if dry_run else self.ledger.writing()
            try:
                with kept:
                    self._catch_up()
                    before = self._last, self._fingerprint
                    yield
                    committing = True
            except BaseException as error:
                if before is None:
                    raise
                written = self._last, self._fingerprint
                self._last, self._fingerprint = before
                if committing:
                    self._doubt = self._make_doubt("whether the ledger has stored a change", error)
                has_it = self._doubt is not None and self._resolve(*written)
                if not (committing and isinstance(error, Exception)):
                    raise
                if self._doubt is not None:
                    raise self._doubt.replaced() from error
                if not has_it:
                    raise
            self._take_snapshot()

    def accepted_label(
        self, label: Hashable | None, who: str, new_class: bool = False
    ) -> Hashable | None:
        """Return a label, checked by :mod:`hardlimit.live.labels` before anything is written.

        None, where the answer of now is meant, is not refused.
        """
        label = builtin(label)
        check_label(label)
        if label is not None and label not in self._known_state.numbers:
            self.refresh()  # another process may have brought it
            check_known(label, self.state.labels, who=who, new_class=new_class)
        return label

    def _make_doubt(self, what: str, error: BaseException) -> FileError:
        reason = PythonFace().text(error.reason) if isinstance(error, HardlimitError) else ""
        return FileError(
            f"it is not known {what} ({reason or type(error).__name__})",
            where=self.ledger.where,
            topic="unknown",
            fix="try again: the model answers once the ledger can be read",
        )

    def _resolve(self, number: int, fingerprint: str) -> bool:
        """Read the ledger, and return whether it has an entry; what cannot be read is in doubt."""
        doubt = self._doubt
        try:
            self._reload()
            return any(one.after == fingerprint for one in self.ledger.entries(number, number))
        except Exception:  # the first error is the one to tell
            self._doubt = doubt
            return False

    @contextlib.contextmanager
    def _moving(self) -> Iterator[OverlayState]:
        """Move the weights while nobody reads them; what was moved by halves is in doubt."""
        state = self.state
        with self._lock:
            try:
                yield state
            except BaseException as error:
                self._doubt = self._make_doubt("how much of a change was made", error)
                raise

    def _write(self, entry: Entry, effect: Effect, told: dict[str, Any]) -> None:
        """Append an entry, with what it did; it gets both fingerprints."""
        entry.details = told
        entry.chain(self._fingerprint)
        self.ledger.append(entry, effect)
        added, removed = self.memory.stored()
        if added or removed:
            self.ledger.remember(added, removed)
        self._last, self._fingerprint = entry.id, entry.after
        self.limits.note(entry.author, entry.time)

    def _learn_row(self, text: object) -> LiveRow:
        """Return the row of a text, with the terms that nobody knew until now."""
        with self._lock:
            return self.base.row(self.state.overlay, text, True)

    def row_of(self, entry: Entry) -> LiveRow:
        """Return the row of an entry."""
        with self._lock:  # one that does not hold may have terms that no other has
            return self.state.row_of(entry)

    def _catch_up(self) -> None:
        if self._doubt is not None:
            return self._reload()
        last, fingerprint = self.ledger.last()
        if (last, fingerprint) == (self._last, self._fingerprint):
            return
        entries = []
        if last > self._last:
            fresh = self.ledger.entries(self._last + 1, last)
            entries = list(rebuilding.checked(fresh, self._fingerprint, self._last + 1))
            for entry in entries:
                self.limits.note(entry.author, entry.time)
        with self._moving() as state:
            moved = bool(entries) and rebuilding.catch_up(state, self.ledger, entries)
            if moved:
                self._last, self._fingerprint = last, fingerprint
        if not moved:
            self._reload()
        self.memory.watch.refresh(self.state.overlay)

    def _reload(self) -> None:
        """Take the state that the ledger has; readers go on meanwhile."""
        self.ledger.last()  # what is on disk now, whatever was done by halves
        state, last, fingerprint = rebuilding.load(self.base, self.ledger, self._until)
        remembered = self.ledger.remembered()
        with self._lock:
            self.state, self._last, self._fingerprint = state, last, fingerprint
            with self.noting:
                self.memory.restore(state.overlay, remembered)

    def _take_snapshot(self) -> None:
        """Store the weights now and then, so that a ledger opens at once."""
        passed = self._last - self._snapshot
        if not self.ledger.lasting or passed < BETWEEN or passed * 16 < self._snapshot:
            return
        # What is acknowledged is on disk by now: that nothing more can be stored is no error.
        with contextlib.suppress(OSError, LedgerError), self.ledger.writing():
            self._catch_up()  # others may have written meanwhile
            taken = rebuilding.take_snapshot(self.state, self._last, self._fingerprint)
            self.ledger.put_snapshot(taken)
        self._snapshot = self._last

    def _settle(self) -> None:
        """Bring the tail of the ledger into its database."""
        if not self.ledger.has_tail:
            return
        with self.ledger.writing():
            self._catch_up()
            self.ledger.settle()

    def count_recent(self) -> None:
        """Count the latest entries of each author, for their rates."""
        for entry in self.ledger.entries(max(1, self._last - 10_000)):
            self.limits.note(entry.author, rebuilding.whole(entry).time)

    def refresh(self) -> int:
        """See the entries of other processes; return the number of the last one.

        A state that is in doubt is read from the ledger.
        """
        with self.writer:
            if self._until is None:
                self._catch_up()
            return self._last

    def _entry(
        self,
        kind: str,
        time: str,
        by: str,
        *,
        text: Kept = None,
        row: LiveRow | None = None,
        label: Hashable = None,
        target: int | None = None,
    ) -> Entry:
        if target is None:  # else the label is that of an entry that is stored
            check_label(label)
        return Entry(
            self._last + 1,
            kind,
            time,
            by,
            label,
            target=target,
            text=None if self.private else text,
            features=b"" if row is None else row.to_bytes(self.state.overlay),
            before=self._fingerprint,
        )

    def _said(
        self, row: LiveRow, before: Standing, label: Hashable, learnt: LiveRow
    ) -> dict[str, Any]:
        """Return what an entry tells of the answer before its label was learnt.

        A label that is a new class has no probability, for no answer could have been it.
        ``learnt``: the row with the words that nobody knew.
        """
        state = self.state
        y = state.numbers.get(label)
        if y is None:
            said: Said = {"right": False}
        elif state.overlay.n_outputs == 1:
            said = state.scoring.say_two(before.margin, before.label == label)
        else:
            said = state.scoring.say_many(state.overlay.scores(row), state.numbers[before.label], y)
        if learnt.n_words:
            said["unknown"] = [learnt.n_unknown, learnt.n_words]
        return {"said": said}

    def _mark(self, text: object, receipt: Receipt) -> None:
        """Note in the inbox that an entry has the label of a text."""
        if receipt.id is not None and len(self._inbox):
            with self.noting:
                self._inbox.mark(self.base.keep(text), receipt.id, KINDS[receipt.kind].text_state)

    def _flips(self, changes: Sequence[tuple[int, int, int]], own: int | None) -> tuple[Flip, ...]:
        """Return the other texts that changed sides; ``own``: the number of the text itself."""
        labels = self.state.labels
        return tuple(Flip(n, labels[a], labels[b]) for n, a, b in changes if n != own)

    def _count_others(self, own: int | None) -> int:
        return len(self.memory) - (own is not None)

    def _forget_terms(self, n_terms: int) -> None:
        with self._lock:
            self.state.overlay.forget_terms(n_terms)

    def _take_back(self, entry: Entry, effect: Effect) -> None:
        with self._lock:
            self.state.take_back(entry, effect)
        for _ in self.memory.watch.refresh(self.state.overlay):
            pass


def check_answer(now: Standing, label: Hashable | None, *, who: str, topic: str, fix: str) -> None:
    """Refuse a text whose answer is another label than the one that it has to be."""
    if label is not None and now.label != label:
        told = f"its answer now is {now.label!r} (margin {now.margin:.2f})"
        raise CorrectionError(told, who=who, parameter="label", got=label, topic=topic, fix=fix)


def check_author(by: object) -> None:
    """Refuse what is no name; nobody needs to say who they are."""
    names.check_name(by, "by", empty=True)


def details(
    before: Standing,
    after: Standing,
    effect: Effect | None = None,
    flips: Sequence[Flip] = (),
    n_remembered: int = 0,
) -> dict[str, Any]:
    """Return what an entry says of what it did."""
    return {
        "after": [label_to_text(after.label), after.margin],
        "before": [label_to_text(before.label), before.margin],
        "flagged": list(effect.flagged) if effect else [],
        "flips": [
            [one.number, label_to_text(one.before), label_to_text(one.after)] for one in flips
        ],
        "guards": list(effect.in_the_way) if effect else [],
        "remembered": n_remembered,
        "size": effect.size if effect else 0.0,
    }
