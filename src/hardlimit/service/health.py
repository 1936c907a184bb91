"""What is wrong beside the files: a full disk, entries that cannot be written, requests that hang.

It is looked at once a second, whether or not somebody asks for ``/health``, and nothing is written
for it.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import time
from collections.abc import Callable

from hardlimit.exceptions import HardlimitError
from hardlimit.foundation.formatting import format_bytes
from hardlimit.live.file_ledger import FileLedger
from hardlimit.live.model import LiveModel
from hardlimit.service.limits import Room
from hardlimit.service.problems import sentence_of
from hardlimit.service.watching import Rounds
from hardlimit.service.work import Work

DISK, ENTRIES, REQUESTS = "disk", "entries", "requests"
SECONDS = 1.0
# Entries are a few hundred bytes each, and some dozens of them are moved into the database at once.
LEAST_SPACE = 1 << 20
# A correction takes milliseconds, a look at the disk less.
PATIENCE = 10.0
# How long a failed entry is told, if no other entry is written meanwhile.
MEMORY = 60.0


class HealthWatch(Rounds):
    """Keeps the troubles of a service up to date."""

    def __init__(self, work: Work, room: Room, now: Callable[[], float] = time.monotonic) -> None:
        super().__init__(SECONDS)
        self._work, self._room, self._now = work, room, now
        # Of the last failure: how many entries there were, and when.
        self._failed = 0, 0.0
        self._asked: asyncio.Task[int | None] | None = None

    async def stop(self) -> None:
        """Look no more, and wait for no disk."""
        await super().stop()
        if self._asked is not None:
            self._asked.cancel()
            await asyncio.gather(self._asked, return_exceptions=True)

    def note(self, error: HardlimitError) -> None:
        """Take an entry that could not be written."""
        if getattr(error, "topic", "") != "busy":  # then another process is writing
            self._failed = self._work.live.n_entries, self._now()
            self._work.troubles[ENTRIES] = f"an entry was not written: {sentence_of(error)}"

    async def look(self) -> None:
        """Look once."""
        troubles = self._work.troubles
        entries, since = self._failed
        if self._work.live.n_entries != entries or self._now() - since > MEMORY:
            troubles.pop(ENTRIES, None)
        slow = f"a request has been under way for more than {PATIENCE:g} seconds"
        self._note(REQUESTS, slow if self._room.longest() > PATIENCE else "")
        self._note(DISK, await self._look_at_disk())

    def _note(self, subject: str, trouble: str) -> None:
        """Tell a trouble, or none any more."""
        self._work.troubles.pop(subject, None)
        if trouble:
            self._work.troubles[subject] = trouble

    async def _look_at_disk(self) -> str:
        if self._asked is None:  # else it still waits for the last look
            self._asked = asyncio.ensure_future(self._work.look(free_space))
        done, _ = await asyncio.wait({self._asked}, timeout=PATIENCE)
        if not done:
            return "the disk of the ledger does not answer"
        asked, self._asked = self._asked, None
        free = asked.result()
        if free is not None and free < LEAST_SPACE:
            return f"the disk of the ledger has less than {format_bytes(LEAST_SPACE)} left"
        return ""


def free_space(live: LiveModel) -> int | None:
    """Return how many bytes the disk of a ledger has left; None if nothing is written there."""
    if live.read_only or not isinstance(live.ledger, FileLedger):
        return None
    try:
        return shutil.disk_usage(os.path.dirname(os.path.abspath(live.ledger.where))).free
    except OSError:
        return None
