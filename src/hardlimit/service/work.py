"""The live model of a service, and the threads that work on it.

What only computes is done at once, in the event loop: it takes microseconds, and a thread would
cost more than it. Whatever writes goes through one thread, in the order in which it came; whatever
reads the ledger through a few others. A job is handed the model when its turn comes: another one
may have taken its place meanwhile.

A ledger may keep its writers waiting, and its readers behind them. So the requests that wait for it
have a part of all places only, the rest is for predictions; and nobody waits in the queue for long.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from hardlimit.live.model import LiveModel
from hardlimit.service.figures import ServiceFigures
from hardlimit.service.limits import Room
from hardlimit.service.problems import busy, sentence_of
from hardlimit.service.settings import Settings

T = TypeVar("T")
# Subjects of troubles.
BASE, LEDGER = "base", "ledger"
READERS = 4
# Seconds for which a model that was replaced stays open: for whoever still reads it.
AFTERLIFE = 60.0
# Seconds after which a correction is refused whose turn has not come.
PATIENCE = 30.0


class Work:
    """What answers requests.

    live : the model of now. troubles : why answers are not what they should be, by subject.
    reopen : opens the model anew, from the files as they are.
    """

    def __init__(
        self, live: LiveModel, settings: Settings, reopen: Callable[[], LiveModel] | None = None
    ) -> None:
        self.live, self.settings, self.reopen = live, settings, reopen
        self.figures = ServiceFigures(lambda: self.live, self.list_troubles)
        self.stopping = False
        self.troubles: dict[str, str] = {}
        self._writer = ThreadPoolExecutor(1, "writer")
        self._readers = ThreadPoolExecutor(READERS, "reader")
        self._replaced: list[LiveModel] = []
        what = "are waiting for the ledger"
        self.writers = Room(settings.max_requests // 2, what=what)
        self.waiters = Room(settings.max_requests * 3 // 4, what=what)

    def list_troubles(self) -> dict[str, str]:
        """Return why answers are not what they should be, by subject."""
        troubles, doubt = self.live.troubles | self.troubles, self.live.doubt
        return troubles if doubt is None else troubles | {LEDGER: sentence_of(doubt)}

    async def write(self, job: Callable[[LiveModel], T]) -> T:
        """Do what moves the model, after all that came before it."""
        begun = time.monotonic()

        def turn(live: LiveModel) -> T:
            if time.monotonic() - begun > PATIENCE:
                raise busy(f"the ledger has kept others waiting for {PATIENCE:g} seconds")
            return job(live)

        with self.writers.place(), self.waiters.place():
            return await self.run(turn)

    async def read(self, job: Callable[[LiveModel], T]) -> T:
        """Do what reads the disk, beside others."""
        with self.waiters.place():
            return await self.look(job)

    async def run(self, job: Callable[[LiveModel], T]) -> T:
        """Do what moves the model, which the service itself wants."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._writer, lambda: job(self.live))

    async def look(self, job: Callable[[LiveModel], T]) -> T:
        """Do what reads the disk, which the service itself wants."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._readers, lambda: job(self.live))

    def replace(self, live: LiveModel) -> None:
        """Answer by another model from now on; in the thread that writes."""
        self._replaced.append(self.live)
        self.live = live

    def release_aside(self) -> None:
        """Close the models that were replaced, in the thread that writes."""
        with contextlib.suppress(RuntimeError):  # it has ended, and closed them
            self._writer.submit(self.release)

    def release(self) -> None:
        """Close the models that were replaced."""
        while self._replaced:
            self._replaced.pop().close()

    def close(self) -> None:
        """Finish what was begun, and let go of the ledger. Nobody waits for the rest any more."""
        self._writer.shutdown(cancel_futures=True)
        self._readers.shutdown(cancel_futures=True)
        self.release()
        with contextlib.suppress(Exception):
            self.live.close()
