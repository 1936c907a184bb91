"""A progress bar for training, on standard error and only where a person looks."""

from __future__ import annotations

import sys
from types import TracebackType
from typing import Protocol

from hardlimit.cli import terminal

_BAR = 24


class Epoch(Protocol):
    """What training reports after each epoch."""

    @property
    def epoch(self) -> int:
        """Number of the epoch, from 1."""

    @property
    def mistakes(self) -> int:
        """Wrong answers while it ran."""

    @property
    def corrections(self) -> int:
        """Changes of the weights while it ran."""


class Progress:
    """Shows what is being done; call it with each `Epoch`; gone when done.

    Parameters
    ----------
    epochs
        How many at most.
    """

    def __init__(self, epochs: int | None = None) -> None:
        self._epochs = epochs
        self._shown = terminal.is_terminal(sys.stderr)

    def stage(self, what: str) -> None:
        """Say what is being done now."""
        if self._shown:
            line = terminal.cut(what, terminal.width() - 1)
            sys.stderr.write(f"\r\x1b[K{line}")
            sys.stderr.flush()

    def __call__(self, record: Epoch) -> None:
        """Draw the bar after an epoch."""
        done = ""
        if self._epochs:
            full = round(_BAR * min(1.0, record.epoch / self._epochs))
            done = f" [{'#' * full}{'.' * (_BAR - full)}] of {self._epochs}"
        self.stage(f"epoch {record.epoch}{done}  {record.mistakes:,} mistakes")

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        if self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
