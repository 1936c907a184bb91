"""From a ledger to a state: loading, catching up, and taking back an entry with what follows."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from typing import Any

from hardlimit.exceptions import LedgerError
from hardlimit.live.base import Base
from hardlimit.live.effect import HOLDS, UNDONE, Effect, StoredEffect, read_effect, refuse_effect
from hardlimit.live.entry import Entry, fingerprint_of, genesis
from hardlimit.live.guards import RowMove
from hardlimit.live.kinds import guards_removed, is_applied, kind_of, undos_of
from hardlimit.live.ledger import Ledger, Snapshot
from hardlimit.live.state import OverlayState, undone_entries


def checked(entries: Iterable[Entry], before: str, first: int) -> Iterator[Entry]:
    """Yield entries whose numbers and fingerprints continue a chain.

    Raises
    ------
    LedgerError
        At the first that does not.
    """
    for number, entry in enumerate(entries, first):
        if entry.id != number:
            raise LedgerError(f"entry {number} is missing", topic="edited")
        if entry.before != before:
            raise _refuse_entry(entry)
        before = entry.after
        yield whole(entry)


def whole(entry: Entry) -> Entry:
    """Return an entry; one that its fingerprint does not belong to is refused.

    Raises
    ------
    LedgerError
    """
    if fingerprint_of(entry) != entry.after:
        raise _refuse_entry(entry)
    return entry


def _refuse_entry(entry: Entry) -> LedgerError:
    return LedgerError(
        f"entry {entry.id} is not the one that was written: its fingerprint does not continue the "
        "chain",
        topic="edited",
        fix="take the ledger from a backup",
    )


def load(
    base: Base[Any], ledger: Ledger, until: int | None = None
) -> tuple[OverlayState, int, str]:
    """Return the state of a ledger, the number of its last entry, and the fingerprint.

    Cost: the latest snapshot, and the entries after it.
    """
    state = OverlayState(base)
    number, fingerprint = 0, genesis(base.digest)
    snapshot = ledger.snapshot(until)
    if snapshot is not None:
        _restore(state, ledger, snapshot)
        number, fingerprint = snapshot.id, snapshot.fingerprint
    tail = list(checked(ledger.entries(number + 1, until), fingerprint, number + 1))
    gone = undone_entries(state.undos | undos_of(tail))
    if snapshot is not None and any(one <= number for one in gone - undone_entries(state.undos)):
        # The later entries take back some that the snapshot has: only `until` asks for that.
        tail = list(checked(ledger.entries(1, until), genesis(base.digest), 1))
        state = OverlayState(base)
        gone = undone_entries(undos_of(tail))
    for entry in tail:
        if is_applied(entry, gone):
            ledger.note_effect(entry, state.apply(entry))
    return (state, tail[-1].id, tail[-1].after) if tail else (state, number, fingerprint)


def _restore(state: OverlayState, ledger: Ledger, snapshot: Snapshot) -> None:
    """Take the state of a snapshot, whose digest was compared; one that was made up is refused."""
    try:
        plain = json.loads(snapshot.plain)
        state.restore(plain, snapshot.weights, ledger.pick(plain["guards"]))
    except LedgerError:
        raise
    except (RuntimeError, LookupError, TypeError, ValueError, AttributeError) as error:
        raise LedgerError(
            f"the snapshot after entry {snapshot.id} cannot be read ({error!r})", topic="damaged"
        ) from None


def catch_up(state: OverlayState, ledger: Ledger, entries: Iterable[Entry]) -> bool:
    """Apply entries of other writers; False where one of them takes something back."""
    entries = list(entries)
    if undos_of(entries):
        return False
    for entry in entries:
        ledger.note_effect(entry, state.apply(entry))
    return True


class Move:
    """A state with another set of undos, and the way back.

    Making one reads all that it takes from the ledger: the entries since the earliest one that
    begins or ceases to hold. Moving there and back asks nobody, so neither ends halfway.
    """

    def __init__(self, state: OverlayState, ledger: Ledger, undos: dict[int, int]) -> None:
        self._state, self._undos, self._before = state, dict(undos), dict(state.undos)
        self._gone, self._gone_before = undone_entries(undos), undone_entries(state.undos)
        changed = {
            one for one in self._gone_before ^ self._gone
            if one not in undos and one not in state.undos
        }  # fmt: skip
        found = list(ledger.entries_back(min(changed))) if changed else []
        self._entries = [one for one, _ in found if not kind_of(one).takes_back][::-1]
        self._stored = _read_effects(state.base, ledger, found, self._gone_before)
        targets = guards_removed(self._entries)
        self._guards = {guard.id: guard for guard in ledger.pick(targets)}
        self._effects: dict[int, Effect] = {}

    def make(self) -> dict[int, Effect]:
        """Move; return what each entry does now that did otherwise."""
        before, state = self._gone_before, self._state
        state.undos = dict(self._undos)
        for entry in reversed(self._entries):
            if entry.id not in before:
                self._take_back(entry, _effect_of(state, entry, self._stored[entry.id]), before)
        self._effects = self._apply(self._gone)
        return self._effects

    def take_back(self) -> None:
        """Move back, to the last bit."""
        for entry in reversed(self._entries):
            if entry.id not in self._gone:
                self._take_back(entry, self._effects[entry.id], self._gone)
        self._state.undos = dict(self._before)
        self._apply(self._gone_before)

    def _take_back(self, entry: Entry, effect: Effect, gone: set[int]) -> None:
        guard = None if entry.target in gone else self._guards.get(entry.target or 0)
        self._state.take_back(entry, effect, guard)

    def _apply(self, gone: set[int]) -> dict[int, Effect]:
        """Do what all entries say but those that are undone."""
        state = self._state
        effects = {
            entry.id: Effect(UNDONE) if entry.id in gone else state.apply(entry)
            for entry in self._entries
        }
        if self._entries:
            state.guards.refresh(state.overlay)
        return effects


def _read_effects(
    base: Base[Any], ledger: Ledger, found: list[tuple[Entry, bytes]], gone: set[int]
) -> dict[int, StoredEffect]:
    """Return the stored effects of entries, from the last one down, each known to be whole."""
    replayed = _Replayed(base, ledger, found[-1][0].id if found else 0)
    effects = {}
    for entry, data in found:
        if kind_of(entry).takes_back or entry.id in gone:
            continue
        stored = effects[entry.id] = read_effect(entry.id, data)
        if not stored.is_sealed:
            replayed.check(entry.id, stored)
    return effects


class _Replayed:
    """What a replay says that entries from ``first`` on do; for effects without a digest."""

    def __init__(self, base: Base[Any], ledger: Ledger, first: int) -> None:
        self._base, self._ledger, self._first = base, ledger, first
        self._effects: dict[int, Effect] | None = None

    def check(self, number: int, stored: StoredEffect) -> None:
        """Refuse an effect that is not that of a replay. Cost of the first: all entries."""
        if self._effects is None:
            done = replay_effects(OverlayState(self._base), self._ledger, None)
            self._effects = {i: effect for i, effect in done if i >= self._first}
        whole = read_effect(number, self._effects[number].to_bytes(number))
        if whole.content != stored.content:
            raise refuse_effect(number)


def _effect_of(state: OverlayState, entry: Entry, stored: StoredEffect) -> Effect:
    """Return a stored effect with the rows of its parts."""
    head, values = stored.content
    try:
        effect = Effect(head["status"], new_class=head["new_class"], influence=head["influence"])
        if effect.status != HOLDS:
            return effect
        at = 0
        for source, pairs in head["parts"]:
            own = source == entry.id
            row = state.row_of(entry) if own else state.guards.guards[source].row
            steps = [(int(k), float(step)) for k, step in pairs]
            size = 8 * len(row.keys) * len(steps)
            effect.parts.append(RowMove(source, row, steps, values[at : at + size]))
            at += size
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise refuse_effect(entry.id, error) from None
    return effect


def take_snapshot(state: OverlayState, number: int, fingerprint: str) -> Snapshot:
    """Return the state after the last entry, to be stored."""
    plain, weights = state.to_snapshot()
    return Snapshot(number, fingerprint, plain, weights)


def digest_of_snapshot(snapshot: Snapshot) -> str:
    """Return what tells whether a snapshot was edited."""
    head = f"{snapshot.id}\n{snapshot.fingerprint}\n{snapshot.plain}\n".encode()
    return hashlib.sha256(head + snapshot.weights).hexdigest()


def replay(base: Base[Any], ledger: Ledger, until: int) -> OverlayState:
    """Return the state from the first entry on, without snapshots."""
    state = OverlayState(base)
    for _ in replay_effects(state, ledger, until):
        pass
    return state


def replay_effects(
    state: OverlayState, ledger: Ledger, until: int | None
) -> Iterator[tuple[int, Effect]]:
    """Apply all entries to the state of the base; yield what each that holds does."""
    chain = genesis(state.base.digest)
    gone = undone_entries(undos_of(ledger.entries(1, until)))
    for entry in checked(ledger.entries(1, until), chain, 1):
        if is_applied(entry, gone):
            yield entry.id, state.apply(entry)


def check_alike(replayed: OverlayState, live: OverlayState) -> None:
    """Refuse a ledger whose entries give other weights than its snapshots and effects."""
    same = replayed.scoring.is_alike(live.scoring)
    if not same or replayed.digest() != live.digest():
        raise LedgerError(
            "replaying the entries gives other weights than the snapshots and effects beside them",
            topic="edited",
            fix="take the ledger from a backup",
        )
