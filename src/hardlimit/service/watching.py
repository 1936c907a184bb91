"""The files of a running service: a new model file, and what other processes write.

Once in a while the model file is looked at. Where it is another one, it is opened aside and takes
the place of the old one in a single step; where it is refused, the old one goes on answering, and
``/health`` says so. Entries that other processes wrote into the ledger are read at the same time.
"""

from __future__ import annotations

import asyncio
import os

from hardlimit.exceptions import ModelFileError
from hardlimit.live.model import LiveModel
from hardlimit.service.logs import Log
from hardlimit.service.problems import Problem, sentence_of
from hardlimit.service.work import AFTERLIFE, BASE, LEDGER, Work


class Watcher:
    """Keeps the model of a service like its files."""

    def __init__(self, work: Work, log: Log) -> None:
        self._work, self._log = work, log
        self._stamp = stamp_of(work.live.path)
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Look at the files from now on."""
        self._task = asyncio.get_running_loop().create_task(self._watch())

    async def stop(self) -> None:
        """Look no more."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(self._work.settings.watch_seconds)
            await self.look()

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
