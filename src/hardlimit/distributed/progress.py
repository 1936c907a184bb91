"""How far work on shards is: for a line that people read, and for programs."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass
from typing import Any

from hardlimit.foundation import progress


@dataclass(frozen=True)
class Progress:
    """How far a pass over all shards is.

    Parameters
    ----------
    stage : ``"cutting"`` the files, of which nothing more is told, ``"counting"``, ``"learning"``,
        ``"verifying"``, ``"counting errors"``, ``"predicting"``
    shards_done, shards : of this pass
    epoch, epochs : of learning: the number of this one, from 1, and how many there are at most;
        None elsewhere
    rows, mistakes : of the shards that are done, in this pass; mistakes None where none are
        counted
    rows_per_second : since the pass began; None before the first shard
    seconds : since the pass began
    seconds_left : until the end of the pass, of learning until the end of the last epoch, if all
        goes on as fast; None before the first shard

    Examples
    --------
    >>> Progress("predicting", 1, 4, rows=100, seconds=2.0).seconds_left
    6.0
    """

    stage: str
    shards_done: int
    shards: int
    epoch: int | None = None
    epochs: int | None = None
    rows: int = 0
    mistakes: int | None = None
    seconds: float = 0.0

    @property
    def rows_per_second(self) -> float | None:
        """Rows a second since the pass began."""
        return self.rows / self.seconds if self.shards_done and self.seconds else None

    @property
    def seconds_left(self) -> float | None:
        """Estimate of the seconds until the end."""
        if not self.shards_done:
            return None
        epochs = (self.epochs or 0) - (self.epoch or 0)
        left = self.shards - self.shards_done + epochs * self.shards
        return self.seconds / self.shards_done * left

    def to_json(self) -> dict[str, Any]:
        """Return all figures as plain JSON, times to a millisecond."""
        found = asdict(self)
        found["seconds"] = round(self.seconds, 3)
        for name in ("rows_per_second", "seconds_left"):
            value = getattr(self, name)
            found[name] = None if value is None else round(value, 3)
        return found


class Watch:
    """Counts what is done in one pass, and tells it."""

    def __init__(
        self, stage: str, shards: int, epoch: int | None = None, epochs: int | None = None
    ) -> None:
        self._began, self._fixed = time.monotonic(), (stage, shards, epoch, epochs)
        self._done = self._rows = 0
        self._mistakes: int | None = None
        self._tell()

    def add(self, rows: int, mistakes: int | None) -> None:
        """Count one more shard."""
        self._done, self._rows = self._done + 1, self._rows + rows
        if mistakes is not None:
            self._mistakes = (self._mistakes or 0) + mistakes
        self._tell()

    def _tell(self) -> None:
        stage, shards, epoch, epochs = self._fixed
        seconds = time.monotonic() - self._began
        progress.tell(
            Progress(stage, self._done, shards, epoch, epochs, self._rows, self._mistakes, seconds)
        )
