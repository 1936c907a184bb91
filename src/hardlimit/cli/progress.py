"""A progress bar for training, on standard error and only where a person looks."""

from __future__ import annotations

import time
from types import TracebackType
from typing import Protocol

from hardlimit.cli import terminal

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
    """Shows what is being done; call it with each `Epoch`; gone when done.

    Parameters
    ----------
    epochs
        How many at most.
    """

    def __init__(self, epochs: int) -> None:
        self._epochs = epochs
        self._drawn = 0.0

    def stage(self, what: str) -> None:
        """Say what is being done now."""
        terminal.passing(what)

    def __call__(self, record: Epoch) -> None:
        """Draw the bar after an epoch."""
        # Monotonic: a clock that is set back would freeze the bar.
        now = time.monotonic()
        # Drawing each of thousands of epochs would cost more than the training.
        if now - self._drawn < _PAUSE:
            return
        self._drawn = now
        full = round(_BAR * min(1.0, record.epoch / self._epochs))
        bar = "#" * full + "." * (_BAR - full)
        margin = "" if record.gamma_at_most is None else f", gamma <= {record.gamma_at_most:.3g}"
        self.stage(
            f"epoch {record.epoch} of {self._epochs} [{bar}] {record.mistakes:,} mistakes{margin}"
        )

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        terminal.passing()
