"""Stages that overlap: each iterator is gone through by a thread of its own, a few items ahead."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import Generic, Self, TypeVar

Item = TypeVar("Item")

DEPTH = 2  # items that wait between two stages
_PATIENCE = 5.0  # seconds: a thread that waits for a pipe cannot be woken


class Ahead(Iterator[Item], Generic[Item]):
    """The items of an iterator, made by a thread of its own, at most ``depth`` of them ahead.

    What the iterator raises is raised where its items are asked for.
    """

    def __init__(self, items: Iterable[Item], depth: int = DEPTH) -> None:
        self._items = items
        self._depth = depth
        self._made: deque[Item] = deque()
        self._error: BaseException | None = None
        self._ended = self._cancelled = False
        self._changed = threading.Condition()
        # A daemon: one that waits for a pipe must not keep the process alive.
        self._thread = threading.Thread(target=self._run, name="hardlimit stream", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        iterator: Iterator[Item] | None = None
        try:
            iterator = iter(self._items)
            for item in iterator:
                if not self._put(item):
                    break
        except BaseException as error:
            self._error = error
        finally:
            # By the thread that runs it: a generator belongs to whoever is inside.
            close = getattr(iterator, "close", None)
            if close is not None:
                close()
            with self._changed:
                self._ended = True
                self._changed.notify_all()

    def _put(self, item: Item) -> bool:
        """Hand on one item as soon as there is room; False where nobody wants any more."""
        with self._changed:
            self._changed.wait_for(lambda: len(self._made) < self._depth or self._cancelled)
            if self._cancelled:
                return False
            self._made.append(item)
            self._changed.notify_all()
            return True

    def __next__(self) -> Item:
        with self._changed:
            self._changed.wait_for(lambda: self._made or self._ended or self._cancelled)
            if self._made and not self._cancelled:
                item = self._made.popleft()
                self._changed.notify_all()
                return item
        if self._error is not None and not self._cancelled:
            error, self._error = self._error, None
            raise error
        raise StopIteration

    def cancel(self) -> None:
        """Want no more items: the thread ends after the one that it is at."""
        with self._changed:
            self._cancelled = True
            self._made.clear()
            self._changed.notify_all()

    def join(self, seconds: float = _PATIENCE) -> None:
        """Wait for the thread to end."""
        self._thread.join(seconds)


class Pipeline:
    """Stages that run side by side, and end together however the block is left.

    >>> with Pipeline() as pipeline:
    ...     numbers = pipeline.ahead(range(3))
    ...     list(pipeline.ahead(n * n for n in numbers))
    [0, 1, 4]
    """

    def __init__(self, depth: int = DEPTH) -> None:
        self._depth = depth
        self._stages: list[Ahead[object]] = []

    def ahead(self, items: Iterable[Item]) -> Iterator[Item]:
        """Return the same items, made by a thread of their own."""
        stage = Ahead(items, self._depth)
        self._stages.append(stage)  # type: ignore[arg-type]
        return stage

    def close(self) -> None:
        """End all stages, and wait for their threads."""
        for stage in self._stages:
            stage.cancel()
        for stage in self._stages:
            stage.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.close()
