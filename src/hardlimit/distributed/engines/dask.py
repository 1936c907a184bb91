"""Dask: a scheduler and its workers, by a client of ``dask.distributed``.

Parts are the results of tasks that hold their bytes, and nothing is scattered: what a lost worker
held the scheduler computes again from the task. Each engine has names of its own for its tasks: one
that is let go of and asked for again under the same name may never end where a worker was lost in
between.
"""

from __future__ import annotations

import hashlib
import pickle
import uuid
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

from hardlimit.distributed.engines._protocol import Function, Job, Part, Result
from hardlimit.exceptions import InputError, MissingExtraError

SECONDS = 20  # to wait for the scheduler
RETRIES = 3  # of a shard whose work failed
SCHEME = "dask://"


def accepts(cluster: Any) -> bool:
    """Whether this is ``"dask://host:port"``, or a client."""
    if isinstance(cluster, str):
        return cluster.startswith(SCHEME)
    # By name: whoever has no dask need not import it to be told so.
    kinds = {f"{kind.__module__.partition('.')[0]}.{kind.__name__}" for kind in type(cluster).mro()}
    return "distributed.Client" in kinds


def open_engine(cluster: Any) -> Dask:
    """Return the engine of a client that is there, or of a scheduler at an address."""
    if not isinstance(cluster, str):
        return Dask(cluster, own=False)
    try:
        distributed = import_module("distributed")
    except ImportError:
        raise MissingExtraError(
            "the cluster wants the package distributed",
            where=cluster,
            fix="pip install 'hardlimit[dask]'",
        ) from None
    address = cluster.removeprefix(SCHEME)
    try:
        client = distributed.Client(f"tcp://{address}", timeout=SECONDS, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as error:
        raise InputError(
            f"no scheduler answered within {SECONDS} seconds",
            parameter="cluster",
            got=cluster,
            fix="begin one with `dask scheduler`, and workers with `dask worker HOST:PORT`",
        ) from error
    return Dask(client, own=True)


class Dask:
    """The workers of a client.

    own : whether the client ends with the engine.
    """

    def __init__(self, client: Any, own: bool) -> None:
        self._client, self._own = client, own
        self._held: dict[str, Any] = {}
        self._name = uuid.uuid4().hex

    def map_ordered(
        self,
        function: Function[Job, Result],
        parts: Sequence[Part],
        jobs: Sequence[Job],
        on_done: Callable[[int], object] = lambda done: None,
    ) -> list[Result]:
        """Apply the function to each job."""
        held = [self._hold(part) for part in parts]
        names = [part.name for part in parts]
        futures = [
            self._client.submit(
                _call, function, held, job, key=self._key(function, names, job), retries=RETRIES
            )
            for job in jobs
        ]
        try:
            completed = import_module("distributed").as_completed(futures)
            for done, future in enumerate(completed, 1):
                if future.status == "error":
                    future.result()
                on_done(done)
            found: list[Result] = self._client.gather(futures)
            return found
        except BaseException:
            self._client.cancel(futures)
            raise

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

    def _key(self, function: Callable[..., Any], names: list[str], job: Any) -> str:
        """Return a name of the work, which says what it is of."""
        whole = hashlib.sha256(pickle.dumps((function.__module__, names, job))).hexdigest()
        return f"hardlimit-{function.__name__}-{whole}-{self._name}"

    def close(self) -> None:
        """Let go of the parts, and of the client where it is ours."""
        self._held.clear()
        if self._own:
            self._client.close()


def _call(function: Callable[..., Any], parts: list[Part], job: Any) -> Any:
    return function(tuple(parts), job)
