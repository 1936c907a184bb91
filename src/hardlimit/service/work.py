"""The live model of a service, and the threads that work on it.

What only computes is done at once, in the event loop: it takes microseconds, and a thread would
cost more than it. Whatever writes goes through one thread, in the order in which it came; whatever
reads the ledger through a few others.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from hardlimit.live.model import LiveModel
from hardlimit.service.figures import Figures
from hardlimit.service.settings import Settings

T = TypeVar("T")
READERS = 4


class Work:
    """What answers requests."""

    def __init__(self, live: LiveModel, settings: Settings) -> None:
        self.live, self.settings = live, settings
        self.figures = Figures(live)
        self.stopping = False
        # Why answers are not what they should be, by what it is about.
        self.troubles: dict[str, str] = {}
        self._writer = ThreadPoolExecutor(1, "writer")
        self._readers = ThreadPoolExecutor(READERS, "reader")

    async def write(self, job: Callable[[], T]) -> T:
        """Do what moves the model, after all that came before it."""
        return await asyncio.get_running_loop().run_in_executor(self._writer, job)

    async def read(self, job: Callable[[], T]) -> T:
        """Do what reads the disk, beside others."""
        return await asyncio.get_running_loop().run_in_executor(self._readers, job)

    def close(self) -> None:
        """Finish what was begun, and let go of the ledger."""
        self._writer.shutdown()
        self._readers.shutdown()
        self.live.close()
