"""The kinds of entries: one class each. A new kind is one more class, and one more word.

Entries of a kind that nobody knows, of a later release, move nothing.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import Protocol

from hardlimit._native import LiveRow
from hardlimit.foundation.formatting import format_label, plural
from hardlimit.live.effect import HOLDS, Effect
from hardlimit.live.entry import Entry
from hardlimit.live.guards import GuardBook

CORRECT, CONFIRM, UNDO = "correct", "confirm", "undo"
GUARD, UNGUARD, BAKE = "guard", "unguard", "bake"
# Of a text in the inbox: what an entry made of it.
NEW, CONFIRMED, CORRECTED = "new", "confirmed", "corrected"


class Moved(Protocol):
    """What entries move: the state of a live model."""

    guards: GuardBook
    undos: dict[int, int]

    def correct(self, entry: Entry, row: LiveRow | None) -> Effect:
        """Move the weights until the row of an entry has its label."""

    def take_correction_back(self, entry: Entry, effect: Effect) -> None:
        """Undo the last correction."""

    def guard(self, entry: Entry, row: LiveRow | None = None) -> None:
        """Guard the row of an entry."""


class EntryKind:
    """What is peculiar to one kind of entries; of this one, which nobody knows, nothing.

    name : as the ledger has it.
    takes_back : whether it takes another entry back. It is applied even if it is undone itself: two
        undos cancel out by :func:`hardlimit.live.state.undone_entries`.
    removes_guard : whether its target is a guard that is removed.
    is_guard : whether its text is guarded from then on.
    is_note : whether it notes what happened outside the model, which nothing takes back.
    confirms : whether it says that an answer was right.
    text_state : what a text in the inbox is by it.
    """

    name = ""
    takes_back = removes_guard = is_guard = is_note = confirms = False
    text_state = CORRECTED

    def apply(self, state: Moved, entry: Entry, row: LiveRow | None) -> Effect:
        """Do what an entry says."""
        return Effect()

    def take_back(self, state: Moved, entry: Entry, effect: Effect, guard: Entry | None) -> None:
        """Undo what an entry did; ``guard``: the entry of the guard that comes back."""

    def wants_answer(self, entry: Entry, guards: Container[int]) -> bool:
        """Whether a model file that is written should give its text its label, if it holds."""
        return False

    def tell(self, entry: Entry) -> str:
        """Say in few words what an entry did."""
        return entry.kind


class Correction(EntryKind):
    """A text got its right label."""

    name = CORRECT

    def apply(self, state: Moved, entry: Entry, row: LiveRow | None) -> Effect:
        """Make the smallest change that the guards allow."""
        return state.correct(entry, row)

    def take_back(self, state: Moved, entry: Entry, effect: Effect, guard: Entry | None) -> None:
        """Put the weights of before back."""
        if effect.status == HOLDS:
            state.take_correction_back(entry, effect)

    def wants_answer(self, entry: Entry, guards: Container[int]) -> bool:
        """Return True."""
        return True

    def tell(self, entry: Entry) -> str:
        """Say what the text was before, and how many others changed sides."""
        label, margin = entry.details["before"]
        flips = len(entry.details["flips"])
        told = f"{_quoted(entry)}, was '{str(label).partition(':')[2]}' {margin:.2f}"
        return f"{told}, {plural(flips, 'flip')}" if flips else told


class Confirmation(EntryKind):
    """An answer was right."""

    name, confirms, text_state = CONFIRM, True, CONFIRMED

    def tell(self, entry: Entry) -> str:
        """Say which label was right."""
        return f"confirmed {_quoted(entry)}"


class Undo(EntryKind):
    """Another entry was taken back."""

    name, takes_back = UNDO, True

    def apply(self, state: Moved, entry: Entry, row: LiveRow | None) -> Effect:
        """Note which."""
        if entry.target is not None:
            state.undos[entry.id] = entry.target
        return Effect()

    def take_back(self, state: Moved, entry: Entry, effect: Effect, guard: Entry | None) -> None:
        """Note it no more."""
        state.undos.pop(entry.id, None)

    def tell(self, entry: Entry) -> str:
        """Say which."""
        return f"undid #{entry.target}"


class Guard(EntryKind):
    """No correction may flip a text from then on."""

    name, is_guard = GUARD, True

    def apply(self, state: Moved, entry: Entry, row: LiveRow | None) -> Effect:
        """Guard it."""
        state.guard(entry, row)
        return Effect()

    def take_back(self, state: Moved, entry: Entry, effect: Effect, guard: Entry | None) -> None:
        """Guard it no more, unless its class was gone."""
        if entry.id in state.guards.guards:
            state.guards.remove(entry.id)

    def wants_answer(self, entry: Entry, guards: Container[int]) -> bool:
        """Return whether it is among the guards that hold."""
        return entry.id in guards

    def tell(self, entry: Entry) -> str:
        """Say which label the text keeps."""
        return f"guard {_quoted(entry)}"


class Unguard(EntryKind):
    """A guard was removed."""

    name, removes_guard = UNGUARD, True

    def apply(self, state: Moved, entry: Entry, row: LiveRow | None) -> Effect:
        """Remove it, unless it is gone already."""
        if entry.target in state.guards.guards:
            state.guards.remove(entry.target)
        return Effect()

    def take_back(self, state: Moved, entry: Entry, effect: Effect, guard: Entry | None) -> None:
        """Add it again."""
        if guard is not None:
            state.guard(guard)

    def tell(self, entry: Entry) -> str:
        """Say which."""
        return f"removed guard #{entry.target}"


class Bake(EntryKind):
    """Model and corrections were written as a model file."""

    name, is_note = BAKE, True

    def tell(self, entry: Entry) -> str:
        """Say so."""
        return "wrote a model file"


def _quoted(entry: Entry) -> str:
    return f"'{format_label(entry.label)}'"


KINDS: dict[str, EntryKind] = {kind.name: kind() for kind in EntryKind.__subclasses__()}
_UNKNOWN = EntryKind()


def kind_of(entry: Entry) -> EntryKind:
    """Return the kind of an entry."""
    return KINDS.get(entry.kind, _UNKNOWN)


def undos_of(entries: Iterable[Entry]) -> dict[int, int]:
    """Return what each undo among some entries takes back, by the number of the undo."""
    return {
        one.id: one.target for one in entries if one.target is not None and kind_of(one).takes_back
    }


def guards_removed(entries: Iterable[Entry]) -> list[int]:
    """Return the numbers of the guards that entries remove."""
    return [one.target for one in entries if one.target and kind_of(one).removes_guard]


def is_applied(entry: Entry, gone: Container[int]) -> bool:
    """Whether an entry does something: one that nothing took back, and any that takes back."""
    return entry.id not in gone or kind_of(entry).takes_back
