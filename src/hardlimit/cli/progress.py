"""The line of progress, on standard error and only where a person looks."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Iterator
from types import TracebackType
from typing import TYPE_CHECKING, TextIO

import click

from hardlimit.cli import outputs, terminal
from hardlimit.foundation import progress

if TYPE_CHECKING:
    from hardlimit.distributed import Progress as ShardProgress
    from hardlimit.learner import EpochRecord

_BAR = 24
_PAUSE = 0.05  # seconds between two drawings: epochs may take microseconds


class Progress:
    """Shows what is being done, and all that the library reports; gone when done.

    Call it with each `EpochRecord`.

    Parameters
    ----------
    epochs
        How many at most.
    prefix
        Stands before all that the library reports.
    machine
        None, "json" or "json:FILE": lines for programs; on standard error in place of those for
        people.
    """

    def __init__(self, epochs: int = 1, prefix: str = "", machine: str | None = None) -> None:
        self._epochs = epochs
        self._machine = machine
        self._prefix = prefix
        self._drawn = 0.0
        self._stage = ""
        self._watching = contextlib.ExitStack()

    def stage(self, what: str) -> None:
        """Say what is being done now."""
        self._stage = what
        self._show(self._prefix + what)

    def report(self, what: str, done: float, total: float, unit: str) -> None:
        """Show what the library reports."""
        # A new stage is shown at once: what comes next may be silent for long.
        if what == self._stage and not self._is_due():
            return
        self._stage = what
        self._show(self._prefix + what + _amount(done, total, unit))

    def shards(self, said: ShardProgress) -> None:
        """Show how far a pass over shards is."""
        stage = said.stage if said.epoch is None else f"{said.stage}, epoch {said.epoch}"
        whole = said.shards_done == said.shards
        if stage == self._stage and not whole and not self._is_due():
            return
        self._stage = stage
        self._show(self._prefix + describe_shards(said))

    def __call__(self, record: EpochRecord) -> None:
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
        self._show(f"epoch {record.epoch} of {self._epochs} [{bar}] {mistakes}{margin}")

    def _show(self, text: str) -> None:
        if self._machine != "json":
            terminal.passing(text)

    def _is_due(self) -> bool:
        # Monotonic: a clock that is set back would freeze the line.
        now = time.monotonic()
        if now - self._drawn < _PAUSE:
            return False
        self._drawn = now
        return True

    def __enter__(self) -> Progress:
        if self._machine is not None:
            lines = self._watching.enter_context(_open_lines(self._machine))
            self._watching.enter_context(progress.heard_by(lines.write))
        if self._machine != "json":
            self._watching.enter_context(progress.heard_by(self.shards))
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


def describe_shards(said: ShardProgress) -> str:
    """Say how far a pass over shards is.

    >>> from hardlimit.distributed import Progress
    >>> describe_shards(Progress("learning", 3, 4, 2, 5, rows=3000, mistakes=7, seconds=1.5))
    'learning, epoch 2 of 5: 3 of 4 shards, 7 mistakes, 2,000 rows/s, 0:06 left'
    """
    stage = said.stage
    if said.epoch is not None:
        stage += f", epoch {said.epoch}" + (f" of {said.epochs}" if said.epochs else "")
    parts = [f"{said.shards_done} of {terminal.plural(said.shards, 'shard')}"]
    if said.mistakes is not None:
        parts.append(terminal.plural(said.mistakes, "mistake"))
    if said.rows_per_second is not None:
        parts.append(f"{said.rows_per_second:,.0f} rows/s")
    if said.seconds_left:
        minutes, seconds = divmod(int(said.seconds_left), 60)
        hours, minutes = divmod(minutes, 60)
        time_left = f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
        parts.append(f"{time_left} left")
    return f"{stage}: {', '.join(parts)}"


class _Lines:
    """A line of JSON each, at once, for as long as somebody takes them."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, said: ShardProgress) -> None:
        import json  # most calls print none

        # Nobody who looks on may end the work: a pipe that is closed, a disk that is full.
        with contextlib.suppress(OSError, ValueError):
            self._stream.write(json.dumps({"time": _now(), **said.to_json()}) + "\n")
            self._stream.flush()


def _now() -> str:
    milliseconds = time.time_ns() // 1_000_000
    clock = time.gmtime(milliseconds // 1000)
    return f"{time.strftime('%Y-%m-%dT%H:%M:%S', clock)}.{milliseconds % 1000:03}Z"


@contextlib.contextmanager
def _open_lines(machine: str) -> Iterator[_Lines]:
    _, _, path = machine.partition(":")
    if not path:
        yield _Lines(sys.stderr)
        return
    # Added to, so that a run that goes on after it was broken off keeps what was told before.
    file = open(path, "a", encoding="utf-8")  # noqa: SIM115
    try:
        yield _Lines(file)
    finally:
        with contextlib.suppress(OSError):
            file.close()


def check_machine(progress: str | None, cluster: str | None, *inputs: str) -> None:
    """Refuse lines for programs where no shards are, or over one of the inputs."""
    if progress is not None and cluster is None:
        raise click.UsageError("--progress goes with --cluster")
    path = (progress or "").partition(":")[2]
    outputs.refuse_inputs(path or None, *inputs, option="--progress json:")


def _amount(done: float, total: float, unit: str) -> str:
    """Say how much is done: a share where it is known of how much.

    >>> _amount(5, 20, "rows"), _amount(1500, 0, "rows"), _amount(0, 0, "")
    (': 25 %', ': 1,500 rows', '')
    """
    if total:
        return f": {100 * min(1.0, done / total):.0f} %"
    return f": {done:,.0f} {unit}".rstrip() if done else ""
