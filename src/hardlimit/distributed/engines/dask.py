"""Dask: a scheduler and its workers, by a client of ``dask.distributed``.

Parts are the results of tasks that hold their bytes, and nothing is scattered: what a lost worker
held the scheduler computes again from the task. No two tasks of a program have one name: one that
is let go of and asked for again under the same name may never end where a worker was lost in
between.
"""

from __future__ import annotations

import logging
import time
import uuid
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from importlib import import_module
from importlib.util import find_spec
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any

from hardlimit.distributed.calls import MISSING, differing, refuse_other, versions
from hardlimit.distributed.engines._protocol import (
    LOST,
    Function,
    Job,
    OnDone,
    Part,
    Result,
    lost_too_often,
    nothing,
)
from hardlimit.exceptions import ClusterError, HardlimitWarning, InputError, MissingExtraError
from hardlimit.foundation import progress
from hardlimit.foundation.package import caller_stacklevel

if TYPE_CHECKING:
    from types import ModuleType


SECONDS = 20  # to wait for the scheduler
SILENCE = 5.0  # seconds without a result, after which we look whether there are workers
RETRIES = 3  # of a call that Dask itself could not make
SCHEME = "dask://"
_ENCRYPTED = "tls://"
_PAUSE = 0.1  # seconds between two looks for a first worker
_TO_BEGIN = "begin one with `dask scheduler`, and workers with `dask worker HOST:PORT`"


def accepts(cluster: object) -> bool:
    """Whether this is ``"dask://host:port"``, ``"dask://tls://host:port"``, or a client."""
    if isinstance(cluster, str):
        return cluster.startswith(SCHEME)
    # By name: whoever has no dask need not import it to be told so.
    kinds = {f"{kind.__module__.partition('.')[0]}.{kind.__name__}" for kind in type(cluster).mro()}
    return "distributed.Client" in kinds


def open_engine(cluster: Any) -> Dask:
    """Return the engine of a client that is there, or of a scheduler at an address."""
    if not isinstance(cluster, str):
        if cluster.asynchronous or cluster.status != "running":
            raise InputError(
                parameter="cluster",
                got=cluster,
                wanted="a client that is open and not asynchronous",
            )
        return Dask(cluster, ExitStack())
    try:
        distributed = import_module("distributed")
    except ImportError:
        raise MissingExtraError(
            "the cluster wants the package distributed",
            where=cluster,
            fix="pip install 'hardlimit[dask]'",
        ) from None
    address = cluster.removeprefix(SCHEME)
    if not address.startswith(_ENCRYPTED):
        address = f"tcp://{address}"
    with ExitStack() as own:
        own.enter_context(_quiet())
        client = _connect(distributed, address, cluster)
        own.callback(client.close, timeout=1)
        return Dask(client, own.pop_all())


@contextmanager
def _quiet() -> Iterator[None]:
    """Leave out what a client logs: what is lost our own errors say, in a sentence."""
    logger = logging.getLogger("distributed.client")
    level = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(level)


def _connect(distributed: ModuleType, address: str, cluster: str) -> Any:
    """Return the client of a scheduler."""
    try:
        return distributed.Client(address, timeout=SECONDS, set_as_default=False)
    except (ValueError, TypeError) as error:
        tls = "for tls:// set distributed.comm.tls in the configuration of Dask"
        fix = tls if address.startswith(_ENCRYPTED) else ""
        raise InputError(str(error), parameter="cluster", got=cluster, fix=fix) from error
    except (OSError, TimeoutError) as error:
        raise InputError(
            f"no scheduler answered within {SECONDS} seconds",
            parameter="cluster",
            got=cluster,
            fix=_TO_BEGIN,
        ) from error


class Dask:
    """The workers of a client.

    own : what ends with the engine.
    """

    def __init__(self, client: Any, own: ExitStack) -> None:
        self._client, self._own = client, own
        self._held: dict[str, Any] = {}
        self._name, self._passes = uuid.uuid4().hex, 0
        self._homes: dict[int, str] = {}  # addresses of workers, by place of a job
        self._n_jobs = 0

    def map_ordered(
        self,
        function: Function[Job, Result],
        parts: Sequence[Part],
        jobs: Sequence[Job],
        on_done: OnDone = nothing,
    ) -> list[Result]:
        """Apply the function to each job."""
        if not jobs:
            return []
        if not self._passes:
            self._wait_for_workers()
        held = [self._hold(part) for part in parts]
        names = {part.name for part in parts}
        # Workers let go of what nobody asks for any more.
        self._held = {name: one for name, one in self._held.items() if name in names}
        self._passes += 1
        name = f"hardlimit-{self._name}-{self._passes}"
        futures = self._submit(name, function, held, jobs)
        done: SimpleQueue[int] = SimpleQueue()
        for place, future in enumerate(futures):
            future.add_done_callback(lambda _, place=place: done.put(place))
        found: dict[int, Result] = {}
        try:
            while len(found) < len(jobs):
                places = self._wait(done)
                for place in places:
                    self._check(futures[place], jobs[place])
                gathered = self._gather([futures[place] for place in places])
                for place, (home, result) in zip(places, gathered, strict=True):
                    self._homes[place] = home
                    found[place] = result
                    on_done(place, result)
        except BaseException:
            self._cancel(futures)
            raise
        return [found[place] for place in range(len(jobs))]

    def _submit(
        self, name: str, function: Callable[..., Any], held: list[Any], jobs: Sequence[Any]
    ) -> list[Any]:
        """Return the futures of all jobs: where that may be, with who did that of the place before.

        It remembers the rows of the shard. Who has nothing to do may take them all the same.
        """
        if len(jobs) != self._n_jobs:
            self._homes.clear()
        self._n_jobs = len(jobs)
        groups: dict[str, list[int]] = {}
        for place in range(len(jobs)):
            groups.setdefault(self._homes.get(place, ""), []).append(place)
        futures: dict[int, Any] = {}
        for home, places in groups.items():
            # In one message, and with names that nothing need be hashed for.
            mapped = self._client.map(
                _call,
                [jobs[place] for place in places],
                key=[f"{name}-{place}" for place in places],
                retries=RETRIES,
                workers=[home] if home else None,
                allow_other_workers=bool(home),
                function=function,
                parts=held,
            )
            futures.update(zip(places, mapped, strict=True))
        return [futures[place] for place in range(len(jobs))]

    def _wait(self, done: SimpleQueue[int]) -> list[int]:
        """Return the places of what was done meanwhile: one at least."""
        remarked = False
        while True:
            try:
                places = [done.get(timeout=SILENCE)]
                break
            except Empty:
                remarked = self._look_for_workers(remarked)
        while True:
            try:
                places.append(done.get_nowait())
            except Empty:
                return places

    def _wait_for_workers(self) -> None:
        """Have workers before anything is sent: one without the package cannot even refuse it."""
        began, remarked = time.monotonic(), False
        while not self._ask(self._client.nthreads):
            if time.monotonic() - began > SILENCE:
                remarked = self._remark(remarked)
            time.sleep(_PAUSE)
        self._check_workers()

    def _look_for_workers(self, remarked: bool) -> bool:
        """Say so where nobody works; whether it was said."""
        if self._ask(self._client.nthreads):
            self._check_workers()
            return False
        return self._remark(remarked)

    def _remark(self, remarked: bool) -> bool:
        address = self._client.scheduler.address
        what = f"waiting for workers: begin one with `dask worker {address}`"
        progress.report(what)
        if not remarked:
            warnings.warn(
                HardlimitWarning(f"the scheduler has none: {what}", topic="no-workers"),
                stacklevel=caller_stacklevel(),
            )
        return True

    def _ask(self, question: Callable[..., Any], **more: Any) -> Any:
        """Return what the scheduler answers."""
        try:
            if self._client.status == "running":
                return question(**more)
        except Exception as error:
            raise self._lost() from error
        raise self._lost()

    def _check_workers(self) -> None:
        """Refuse workers of another version, which may not even be able to read a call."""
        found = self._ask(self._client.get_versions, packages=["hardlimit"])["workers"]
        wanted = versions()
        for address, of in found.items():
            python = ".".join(of["host"]["python"].split(".")[:2])
            mine = of["packages"].get("hardlimit") or self._find(address)
            theirs = {"hardlimit": mine, "Python": python}
            if all(wanted[name] == theirs[name] for name in theirs):
                theirs |= self._find_build(address)
            known = {name: wanted[name] for name in theirs}
            if differing(theirs, known):
                raise refuse_other(theirs, known, f"the worker at {address}")

    def _find_build(self, address: str) -> dict[str, str]:
        """Return what a worker of this version says of itself; nothing where it cannot say it."""
        found = self._client.run(versions, workers=[address], on_error="return").get(address)
        return found if isinstance(found, dict) else {}

    def _find(self, address: str) -> str:
        """Return the version of a worker that has the package without saying its version."""
        found = self._client.run(find_spec, "hardlimit", workers=[address], on_error="return")
        return MISSING if found.get(address) is None else versions()["hardlimit"]

    def _check(self, future: Any, job: object) -> None:
        """Raise why there is no result."""
        if future.status == "error":
            error = future.exception()
            if type(error).__name__ == "KilledWorker":
                raise lost_too_often(job, error.allowed_failures + 1) from None
            raise ClusterError(
                f"a worker cannot do the work: {type(error).__name__}: {error}",
                who="dask",
                fix="install the same version of hardlimit everywhere",
            ) from error
        if future.status != "finished":
            raise self._lost()

    def _gather(self, futures: list[Any]) -> list[Any]:
        try:
            found: list[Any] = self._client.gather(futures)
            return found
        except Exception as error:
            raise self._lost() from error

    def _lost(self) -> ClusterError:
        return ClusterError(
            "the connection to the scheduler was lost, or somebody cancelled the work",
            who="dask",
            topic=LOST,
        )

    def _cancel(self, futures: list[Any]) -> None:
        """Have nobody begin what waits; workers end what they have in hand."""
        if self._client.status == "running":
            # Without waiting for an answer: the scheduler may be gone.
            self._client.loop.add_callback(
                self._client._cancel, futures, reason=None, msg=None, force=False
            )

    def _hold(self, part: Part) -> Any:
        """Return the task that has the part, begun once."""
        if part.name not in self._held:
            self._held[part.name] = self._client.submit(
                Part,
                part.name,
                part.data,
                key=f"hardlimit-part-{part.name}-{self._name}",
                retries=RETRIES,
            )
        return self._held[part.name]

    def close(self) -> None:
        """Let go of the parts, and of the client where it is ours."""
        self._held.clear()
        self._own.close()


def _call(job: object, function: Callable[..., Any], parts: list[Part]) -> tuple[str, Any]:
    """Return the address of this worker, and the result."""
    address: str = import_module("distributed").get_worker().address
    return address, function(tuple(parts), job)
