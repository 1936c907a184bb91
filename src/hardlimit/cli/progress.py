"""The line of progress, on standard error and only where a person looks."""

from __future__ import annotations

import contextlib
import time
from types import TracebackType
from typing import Protocol

from hardlimit.cli import terminal
from hardlimit.foundation import progress

_BAR = 24
_PAUSE = 0.05  # seconds between two drawings: epochs may take microseconds


class Epoch(Protocol):
    """What training reports after each epoch."""

    @property
    def epoch(self) -> int:
        """Number of the epoch, from 1."""

    @property
    def mistakes(self) -> int:
        """Wrong answers while it ran."""

    @property
    def gamma_at_most(self) -> float | None:
        """What the largest margin cannot exceed, where that is known."""


class Progress:
    """Shows what is being done, and all that the library reports; gone when done.

    Call it with each `Epoch`.

    Parameters
    ----------
    epochs
        How many at most.
    prefix
        Stands before all that the library reports.
    """

    def __init__(self, epochs: int = 1, prefix: str = "") -> None:
        self._epochs = epochs
        self._prefix = prefix
        self._drawn = 0.0
        self._stage = ""
        self._watching = contextlib.ExitStack()

    def stage(self, what: str) -> None:
        """Say what is being done now."""
        self._stage = what
        terminal.passing(self._prefix + what)

    def report(self, what: str, done: float, total: float, unit: str) -> None:
        """Show what the library reports."""
        # A new stage is shown at once: what comes next may be silent for long.
        if what == self._stage and not self._is_due():
            return
        self._stage = what
        terminal.passing(self._prefix + what + _amount(done, total, unit))

    def __call__(self, record: Epoch) -> None:
        """Draw the bar after an epoch."""
        # Drawing each of thousands of epochs would cost more than the training.
        if not self._is_due():
            return
        full = round(_BAR * min(1.0, record.epoch / self._epochs))
        bar = "#" * full + "." * (_BAR - full)
        margin = "" if record.gamma_at_most is None else f", gamma <= {record.gamma_at_most:.3g}"
        mistakes = terminal.plural(record.mistakes, "mistake")
        # What the library reports of the next epoch is the same stage.
        self._stage = "learning"
        terminal.passing(f"epoch {record.epoch} of {self._epochs} [{bar}] {mistakes}{margin}")

    def _is_due(self) -> bool:
        # Monotonic: a clock that is set back would freeze the line.
        now = time.monotonic()
        if now - self._drawn < _PAUSE:
            return False
        self._drawn = now
        return True

    def __enter__(self) -> Progress:
        self._watching.enter_context(progress.watched_by(self.report))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self._watching.close()
        terminal.passing()


def _amount(done: float, total: float, unit: str) -> str:
    """Say how much is done: a share where it is known of how much.

    >>> _amount(5, 20, "rows"), _amount(1500, 0, "rows"), _amount(0, 0, "")
    (': 25 %', ': 1,500 rows', '')
    """
    if total:
        return f": {100 * min(1.0, done / total):.0f} %"
    return f": {done:,.0f} {unit}".rstrip() if done else ""
