"""One model, several threads: one at a time, in order."""

from __future__ import annotations

import threading
from types import TracebackType
from typing import Any, Self

from hardlimit.exceptions import InputError


class ModelLock:
    """Entered by whoever learns from a stream or asks the current state.

    A second thread waits. The thread that is inside already (a rule or an iterable of texts that
    asks the very model it serves) gets an error instead of a deadlock. Copies and pickles get a
    lock of their own.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._owner: int | None = None

    def __enter__(self) -> Self:
        if self._owner == threading.get_ident():
            raise InputError(
                "the model is busy: it is learning, or answering, in this very call",
                topic="busy",
            )
        self._lock.acquire()
        self._owner = threading.get_ident()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._owner = None
        self._lock.release()

    def __reduce__(self) -> tuple[Any, ...]:
        return ModelLock, ()
