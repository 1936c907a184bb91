"""Remembered texts, while readers ask on."""

import threading

import hardlimit as hl
from hardlimit.live.reservoir import Reservoir


def test_texts_that_come_while_rows_are_made_leave_no_trace_of_those_they_push_out(two):
    live = hl.open_live(two, ledger=None)
    memory, lock = Reservoir(3, 2), threading.Lock()
    memory.note([f"win {k}" for k in range(6)])

    class Busy:
        """A base under which readers ask on."""

        def row(self, *words):
            with lock:
                memory.note([f"lunch {memory.seen} {k}" for k in range(4)])
            return live.base.row(*words)

    memory.settle(Busy(), live.state.overlay, False, lock)
    wanted = {*memory._sample, *memory._recent}
    assert set(memory.texts) <= wanted and len(memory.watch) == len(memory.texts)
    memory.settle(live.base, live.state.overlay, False, lock)
    assert set(memory.texts) == {*memory._sample, *memory._recent}
    assert {one.number for one in memory.added} - set(memory.removed) == set(memory.texts)


def test_flips_are_those_of_all_remembered_texts_however_many_came_and_went(two):
    live = hl.open_live(two, ledger=None, remember=20, recent=10)
    words = "win prize cheap pills now lunch noon meeting minutes see you at the".split()
    n_flips = 0
    for turn in range(120):
        texts = [" ".join(words[(turn * 7 + k * j) % 13] for j in range(1, 5)) for k in range(12)]
        live.answer(texts)
        kept = dict(live.memory.texts) | dict(live.memory._waiting)
        before = dict(zip(kept, live.predict(list(kept.values()), remember=False), strict=True))
        flips = live.correct(texts[turn % 12], ("ham", "spam")[turn % 2]).flips
        after = dict(zip(kept, live.predict(list(kept.values()), remember=False), strict=True))
        own = live.memory.find(texts[turn % 12], b"")
        wanted = {(n, before[n], after[n]) for n in kept if before[n] != after[n] and n != own}
        assert {(one.number, one.before, one.after) for one in flips} == wanted
        n_flips += len(flips)
    assert n_flips > 100
