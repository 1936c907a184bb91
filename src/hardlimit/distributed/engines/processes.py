"""Processes on this machine, begun anew (spawn); a process that is killed is replaced.

Parts lie as files in a folder of temporary files, so that each is written once and read once a
process. A job goes to the process that did the one of its place before, which remembers its rows. A
process ends when the one that began it is gone, whatever it was that ended it, and
removes the folder.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import pickle
import shutil
import signal
import tempfile
import threading
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from multiprocessing.connection import Connection, wait
from typing import Any

from hardlimit.distributed.engines._homes import Homes
from hardlimit.distributed.engines._protocol import (
    MOST_LOSSES,
    FilePart,
    Function,
    Job,
    OnDone,
    Part,
    Result,
    count_of,
    lost_too_often,
    nothing,
    write_part,
)
from hardlimit.exceptions import ClusterError
from hardlimit.foundation.temporary_folder import naming_folder

PATIENCE = 1.0  # seconds for a process to end by itself
_DIGITS = 64  # of the name of a part


def accepts(cluster: object) -> bool:
    """Whether this is ``"processes"`` or ``"processes:N"``."""
    return isinstance(cluster, str) and cluster.partition(":")[0] == "processes"


def open_engine(cluster: str) -> Processes:
    """Return the engine."""
    return Processes(count_of(cluster, "processes"))


class _Process:
    """A process, and the place of the job that it has in hand."""

    def __init__(self, folder: str) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, folder), daemon=True)
        with _interrupts_held_back():
            self._process.start()
        # Theirs alone from now on: where they are gone the pipe is at its end.
        theirs.close()
        self.place: int | None = None
        self.is_ready = False

    @property
    def is_free(self) -> bool:
        """Whether it waits for work."""
        return self.is_ready and self.place is None

    def give(self, place: int, work: tuple[Any, ...]) -> None:
        """Have a job done; whether the process is there is seen by its answer."""
        self.place = place
        with contextlib.suppress(OSError):
            self.pipe.send_bytes(pickle.dumps(work, protocol=5))

    def take(self) -> tuple[int | None, Any]:
        """Return what it says, and of which job; of none that it is ready. EOFError: it is lost."""
        try:
            answer, trouble = pickle.loads(self.pipe.recv_bytes())
        except OSError as error:  # in the middle of a word
            raise EOFError from error
        if trouble:
            raise ClusterError(trouble, who="processes")
        place, self.place, self.is_ready = self.place, None, True
        return place, answer

    def end(self) -> int | None:
        """End it, at once where it works; its exit code."""
        if self.place is not None or not self.is_ready:
            self._process.kill()
        self.pipe.close()
        self._process.join(PATIENCE)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()
        code = self._process.exitcode
        self._process.close()
        return code


class Processes:
    """So many processes."""

    def __init__(self, n_processes: int) -> None:
        self._n = n_processes
        with naming_folder(tempfile.gettempdir()):
            self._folder = tempfile.TemporaryDirectory(prefix="hardlimit-parts-")
        self._processes: list[_Process] = []
        self._homes: Homes[_Process] = Homes()

    def map_ordered(
        self,
        function: Function[Job, Result],
        parts: Sequence[Part],
        jobs: Sequence[Job],
        on_done: OnDone = nothing,
    ) -> list[Result]:
        """Apply the function to each job; what a lost process had in hand is done again."""
        paths = tuple(self._write(part) for part in parts)
        for name in set(os.listdir(self._folder.name)) - {part.name for part in parts}:
            if len(name) == _DIGITS:  # no temporary file of a worker
                os.unlink(os.path.join(self._folder.name, name))
        try:
            return self._map(function, paths, jobs, on_done)
        finally:
            # None is busy, unless something was raised in between.
            for process in [one for one in self._processes if one.place is not None]:
                self._processes.remove(process)
                self._homes.forget(process)
                process.end()

    def _map(
        self,
        function: Function[Job, Result],
        paths: tuple[str, ...],
        jobs: Sequence[Job],
        on_done: OnDone,
    ) -> list[Result]:
        waiting, losses, homes = deque(range(len(jobs))), Counter[int](), self._homes
        homes.begin(len(jobs), self._processes)
        found: dict[int, Result] = {}
        while len(found) < len(jobs):
            self._begin(min(self._n, len(jobs) - len(found)))
            for process in self._processes:
                if process.is_free and (place := homes.choose(waiting, process)) is not None:
                    waiting.remove(place)
                    process.give(place, (function, paths, jobs[place]))
            for process in self._answering():
                try:
                    done, answer = process.take()
                except EOFError:
                    lost = self._drop(process)
                    if lost is None:
                        continue
                    waiting.appendleft(lost)
                    losses[lost] += 1
                    if losses[lost] == MOST_LOSSES:
                        raise lost_too_often(jobs[lost], MOST_LOSSES) from None
                else:
                    if done is not None:
                        homes.note(done, process)
                        found[done] = answer
                        on_done(done, answer)
        return [found[place] for place in range(len(jobs))]

    def _begin(self, wanted: int) -> None:
        while len(self._processes) < wanted:
            self._processes.append(_Process(self._folder.name))

    def _answering(self) -> list[_Process]:
        """Wait until processes have something to say, or are lost."""
        heard: Any = wait([process.pipe for process in self._processes])
        return [process for process in self._processes if process.pipe in heard]

    def _drop(self, process: _Process) -> int | None:
        """Let go of a lost process; the place of what it had in hand."""
        self._processes.remove(process)
        self._homes.forget(process)
        place, was_ready = process.place, process.is_ready
        code = process.end()
        if not was_ready and code != -signal.SIGKILL:
            raise ClusterError(
                f"a process ended with code {code} before it began to work",
                who="processes",
                fix="in a script, call from below `if __name__ == '__main__':`",
            )
        return place

    def _write(self, part: Part) -> str:
        path = os.path.join(self._folder.name, part.name)
        if not os.path.exists(path):
            # Under its name only when it is whole.
            with naming_folder(self._folder.name):
                write_part(part, f"{path}.new")
                os.replace(f"{path}.new", path)
        return path

    def close(self) -> None:
        """End the processes, and remove the parts."""
        while self._processes:
            self._processes.pop().end()
        with contextlib.suppress(OSError):
            self._folder.cleanup()


@contextlib.contextmanager
def _interrupts_held_back() -> Iterator[None]:
    """Begin processes that Ctrl-C does not reach: whoever began them ends them."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _serve(pipe: Connection, folder: str) -> None:
    """Do what comes through the pipe, until it is at its end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    tempfile.tempdir = folder  # so that nothing stays behind, however this process ends
    threading.Thread(target=_end_with_parent, args=(folder,), daemon=True).start()
    with contextlib.suppress(EOFError, OSError):
        pipe.send_bytes(pickle.dumps((None, "")))
        while True:
            data = pipe.recv_bytes()
            pipe.send_bytes(_answer(data))
    # Who closes the pipe does it too, unless it was killed.
    shutil.rmtree(folder, ignore_errors=True)


def _answer(data: bytes) -> bytes:
    """Return an answer and why there is none."""
    try:
        function, paths, job = pickle.loads(data)
        answer = function(tuple(FilePart(path, os.path.basename(path)) for path in paths), job)
        return pickle.dumps((answer, ""), protocol=5)
    except Exception as error:
        return pickle.dumps((None, f"{type(error).__name__}: {error}"))


def _end_with_parent(folder: str) -> None:
    """End this process in the middle of its work when the one that began it is gone."""
    parent: Any = multiprocessing.parent_process()
    wait([parent.sentinel])
    shutil.rmtree(folder, ignore_errors=True)
    os._exit(1)
