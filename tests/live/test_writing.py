"""Changes that fail: the state before, or one in doubt that answers nothing until it is known."""

import contextlib
import random

import pytest

import hardlimit as hl
from hardlimit.exceptions import CorrectionError, FileError
from hardlimit.live.state import OverlayState

from .messages import TEXTS

WORDS = "win prize lunch noon zebra tram paper match".split()


def act(live, draw):
    """Do something at random; what is refused is left."""
    text = " ".join(draw.choices(WORDS, k=3))
    kind = draw.choice(["correct"] * 4 + ["guard", "unguard", "undo", "undo", "confirm", "dry"])
    numbers = range(1, live.n_entries + 1)
    with contextlib.suppress(CorrectionError):
        if kind == "correct":
            policy = draw.choice(["refuse", "solve", "flag"])
            label = draw.choice(["ham", "spam", "new", "other"])
            live.correct(text, label, guards=policy, new_class=True)
        elif kind == "guard":
            live.add_guard(text)
        elif kind == "unguard":
            guards = [entry.id for entry, _ in live.guards()]
            live.remove_guard(draw.choice(guards or [1]))
        elif kind in ("undo", "dry") and numbers:
            live.undo(draw.choice(numbers), dry_run=kind == "dry")
        elif kind == "confirm":
            live.confirm(text)


@pytest.mark.parametrize("seed", range(6))
def test_an_entry_that_cannot_be_stored_leaves_the_bits_of_before(two, many, seed):
    live, draw = hl.open_live((two, many)[seed % 2], ledger=None), random.Random(seed)
    append = live.ledger.append

    def fail(*entry):
        raise FileError("the disk is full")

    for _ in range(40):
        state = draw.getstate()
        before = live.digest(), live.fingerprint, live.n_entries
        live.ledger.append = fail
        with contextlib.suppress(FileError):
            act(live, draw)
        live.ledger.append = append
        assert (live.digest(), live.fingerprint, live.n_entries) == before
        assert live.doubt is None
        draw.setstate(state)
        act(live, draw)
    assert live.verify() == live.n_entries > 10


def test_what_was_moved_by_halves_is_read_anew(two, monkeypatch):
    live = hl.open_live(two, ledger=None)
    for number, text in enumerate(TEXTS[:3]):
        live.correct(text, ["ham", "spam"][number % 2])
    before, calls, real = live.digest(), [], OverlayState.take_back

    def take_back(self, entry, effect, guard=None):
        calls.append(entry.id)
        if len(calls) == 2:
            raise MemoryError
        real(self, entry, effect, guard)

    monkeypatch.setattr(OverlayState, "take_back", take_back)
    with pytest.raises(MemoryError):
        live.undo(1)
    assert live.doubt is None and live.digest() == before
    # Where it cannot be read, nothing is answered, and the first error is the one that is told.
    calls.clear()
    last = live.ledger.last
    monkeypatch.setattr(live.ledger, "last", unreadable(last, 1))
    with pytest.raises(MemoryError):
        live.undo(1)
    assert live.doubt.topic == "unknown" and "how much" in str(live.doubt)
    for ask in (live.predict, live.scores, live.queue, lambda _: live.classes, live.standing):
        with pytest.raises(FileError, match="how much"):
            ask(TEXTS[0:1] if ask != live.queue else 1)
    monkeypatch.setattr(live.ledger, "last", last)
    assert live.correct("zebra win", "ham").id == 4 and live.doubt is None
    assert live.verify() == 4


def unreadable(last, n):
    """Return a function that answers n times, and then fails."""
    left = [None] * n

    def fail():
        if left:
            left.pop()
            return last()
        raise FileError("the disk is gone")

    return fail
