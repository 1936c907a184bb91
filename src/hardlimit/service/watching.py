"""What a running service looks at: its files, its disk, and requests that hang.

Once in a while the model file is looked at. Where it is another one, it is opened aside and takes
the place of the old one in a single step; where it is refused, the old one goes on answering, and
``/health`` says so. Entries that other processes wrote into the ledger are read at the same time.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import time
from collections.abc import Callable

from hardlimit.exceptions import HardlimitError, ModelFileError
from hardlimit.foundation.formatting import format_bytes
from hardlimit.live.file_ledger import FileLedger
from hardlimit.live.model import LiveModel
from hardlimit.service.limits import Room
from hardlimit.service.logs import Log
from hardlimit.service.problems import Problem, sentence_of
from hardlimit.service.work import AFTERLIFE, BASE, LEDGER, Work


class Rounds:
    """Looks again and again, with so many seconds in between."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._task: asyncio.Task[None] | None = None

    async def look(self) -> None:
        """Look once."""
        raise NotImplementedError

    def start(self) -> None:
        """Look from now on."""
        self._task = asyncio.get_running_loop().create_task(self._watch())

    async def stop(self) -> None:
        """Look no more."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(self._seconds)
            await self.look()


class Watcher(Rounds):
    """Keeps the model of a service like its files."""

    def __init__(self, work: Work, log: Log) -> None:
        super().__init__(work.settings.watch_seconds)
        self._work, self._log = work, log
        self._stamp = stamp_of(work.live.path)

    async def look(self) -> None:
        """Look once: at the model file, then at the ledger."""
        path = self._work.live.path
        stamp = await self._work.look(lambda _: stamp_of(path))
        if stamp is not None and stamp != self._stamp:
            self._stamp = stamp
            try:
                await self.reload()
            except Problem:
                pass  # logged, and told by /health
        try:
            await self._work.run(LiveModel.refresh)
            self._work.troubles.pop(LEDGER, None)
        except Exception as error:
            self._trouble(LEDGER, error)

    async def reload(self) -> bool:
        """Open the files anew; return whether another model answers now.

        Raises
        ------
        Problem
            The new file is refused, and the old one goes on answering.
        """
        work = self._work
        try:
            changed = await work.run(self._reopen)
        except Exception as error:
            work.figures.count_reload("refused")
            self._trouble(BASE, error)
            detail = f"the old model goes on answering: {sentence_of(error)}"
            raise Problem(409, "reload-refused", detail) from error
        work.troubles.pop(BASE, None)
        work.figures.count_reload("changed" if changed else "unchanged")
        self._log.event("reload", changed=changed, fingerprint=work.live.fingerprint)
        if changed:
            asyncio.get_running_loop().call_later(AFTERLIFE, work.release_aside)
        return changed

    def _reopen(self, live: LiveModel) -> bool:
        if self._work.reopen is None:
            raise ModelFileError("this service was given its model, and knows no file to open")
        fresh = self._work.reopen()
        if fresh.base.digest == live.base.digest:
            fresh.close()
            live.refresh()
            return False
        self._work.replace(fresh)
        return True

    def _trouble(self, subject: str, error: Exception) -> None:
        told = sentence_of(error)
        if self._work.troubles.get(subject) != told:
            self._work.troubles[subject] = told
            self._log.failure(error)


def stamp_of(path: str) -> tuple[int, ...] | None:
    """Return what tells a file from another one; None of none."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino, found.st_dev


DISK, ENTRIES, REQUESTS = "disk", "entries", "requests"
SECONDS = 1.0
# Entries are a few hundred bytes each, and some dozens of them are moved into the database at once.
LEAST_SPACE = 1 << 20
# A correction takes milliseconds, a look at the disk less.
PATIENCE = 10.0
# How long a failed entry is told, if no other entry is written meanwhile.
MEMORY = 60.0


class HealthWatch(Rounds):
    """Keeps the troubles of a service up to date: a full disk, failed entries, hanging requests.

    It looks once a second, whether or not somebody asks for ``/health``, and writes nothing for it.
    """

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
