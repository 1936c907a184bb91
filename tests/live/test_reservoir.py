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
                memory.note(["lunch"] * 4)
            return live.base.row(*words)

    memory.settle(Busy(), live._state.overlay, False, lock)
    wanted = {*memory._sample, *memory._recent}
    assert set(memory.texts) <= wanted and len(memory.watch) == len(memory.texts)
    memory.settle(live.base, live._state.overlay, False, lock)
    assert set(memory.texts) == {*memory._sample, *memory._recent}
    assert {one.number for one in memory.added} - set(memory.removed) == set(memory.texts)
