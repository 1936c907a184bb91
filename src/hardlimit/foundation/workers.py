"""Work on several cores: threads, whose results come in the order of the jobs.

Compiled work lets go of the interpreter's lock, so that threads suffice and nothing is copied. A
result never depends on the number of workers.

Whoever knows how many workers there are says so around a whole call, :func:`using`; what could be
shared out asks :func:`count_workers`. A job of several that are done side by side has one worker.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, wraps
from typing import Any, Protocol, TypeVar, cast

from hardlimit.exceptions import InputError
from hardlimit.foundation import progress

Job = TypeVar("Job")
Result = TypeVar("Result")
Method = TypeVar("Method", bound=Callable[..., Any])


ALL_CORES = -1
_NO_QUOTA = 1 << 30
_MOST = 256
# Threads begin with an empty context, and so with one worker.
_workers: ContextVar[int] = ContextVar("workers", default=1)


def count_cores() -> int:
    """Return the cores that this process may use: those of its affinity, at most its quota.

    A container may have a quota of processor time (cgroup); a part of a core counts as one.

    >>> count_cores() >= 1
    True
    """
    try:
        cores = len(os.sched_getaffinity(0))
    except AttributeError:  # macOS and Windows do not tell
        cores = os.cpu_count() or 1
    return max(1, min(cores, read_quota()))


@cache
def read_quota(root: str = "") -> int:
    """Return the cores that the control groups of this process allow, rounded up.

    ``root`` is where the file system begins. Without a quota it is a very large number.
    """
    groups = f"{root}/sys/fs/cgroup"
    first = _read(f"{groups}/cpu/cpu.cfs_quota_us") + _read(f"{groups}/cpu/cpu.cfs_period_us")
    quotas = [first, _read(f"{groups}/cpu.max")]
    for word in _read(f"{root}/proc/self/cgroup"):
        # The group of this process, and those that it is in; in a container there is but the root.
        path = word.removeprefix("0::").strip("/") if word.startswith("0::") else ""
        while path:
            quotas.append(_read(f"{groups}/{path}/cpu.max"))
            path = path.rpartition("/")[0]
    return min(map(_cores_of, quotas))


def _cores_of(quota: list[str]) -> int:
    """Cores of a quota, as microseconds in a period of so many; "max" and -1 are none."""
    if len(quota) != 2 or not all(word.isascii() and word.isdigit() for word in quota):
        return _NO_QUOTA
    allowed, period = map(int, quota)
    return math.ceil(allowed / period) if allowed and period else _NO_QUOTA


def _read(path: str) -> list[str]:
    """Words of a file, none where it cannot be read."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read().split()
    except OSError:
        return []


def count_workers(n_jobs: int | None) -> int:
    """Return the number of workers, as scikit-learn counts them.

    None is what :func:`using` says around the call, else 1; -1 are all cores, -2 all but one. More
    than 256 are 256.

    >>> count_workers(None), count_workers(3), count_workers(-1) == count_cores()
    (1, 3, True)
    """
    n_jobs = _workers.get() if n_jobs is None else n_jobs
    # by type: True is a number to Python
    if type(n_jobs) is not int or n_jobs == 0:
        wanted = "None, a number of cores, or -1 for all of them"
        raise InputError(parameter="n_jobs", got=n_jobs, wanted=wanted)
    if n_jobs < 0:
        return max(1, count_cores() + 1 + n_jobs)
    return n_jobs if n_jobs < _MOST else _MOST  # no call of min: asked for each row of a stream


@contextmanager
def using(n_jobs: int | None) -> Iterator[None]:
    """Give the work of a block so many workers; None leaves it those that it has.

    >>> with using(3):
    ...     count_workers(None)
    3
    """
    # Counted when something is shared out: many a command has nothing to share.
    before = _workers.set(_workers.get() if n_jobs is None else n_jobs)
    try:
        yield
    finally:
        _workers.reset(before)


class _HasWorkers(Protocol):
    n_jobs: int | None


def with_own_workers(method: Method) -> Method:
    """Give a method the workers that its object asks for with ``n_jobs``.

    >>> class Model:
    ...     n_jobs = 2
    ...     @with_own_workers
    ...     def fit(self):
    ...         return count_workers(None)
    >>> Model().fit()
    2
    """

    @wraps(method)
    def run(self: _HasWorkers, *args: Any, **more: Any) -> Any:
        if self.n_jobs is None:
            return method(self, *args, **more)
        with using(self.n_jobs):
            return method(self, *args, **more)

    return cast(Method, run)


def map_in_order(
    function: Callable[[Job], Result], jobs: Sequence[Job], n_jobs: int | None, what: str
) -> list[Result]:
    """Apply a function to every job; the results stand in the order of the jobs.

    Parameters
    ----------
    function : called from several threads at once
    jobs : the earlier are begun first
    n_jobs : None is 1, -1 are all cores
    what : what is being done, for the line of progress

    Raises
    ------
    Exception
        What the first failing job raised; jobs that wait are not begun.

    Examples
    --------
    >>> map_in_order(lambda x: x * x, [3, 1, 2], 2, "squaring")
    [9, 1, 4]
    """
    workers = min(count_workers(n_jobs), max(1, len(jobs)))
    if workers == 1:
        return list(_one_by_one(function, jobs, what))
    from concurrent.futures import ThreadPoolExecutor, as_completed  # few processes need it

    pool = ThreadPoolExecutor(workers, thread_name_prefix="hardlimit")
    try:
        futures = [pool.submit(_work_alone, function, job) for job in jobs]
        for done, future in enumerate(as_completed(futures), 1):
            future.result()  # an error ends the others at once
            progress.report(what, done, len(jobs))
        return [future.result() for future in futures]
    finally:
        # an interruption too leaves no job behind that works on
        pool.shutdown(wait=True, cancel_futures=True)


def _work_alone(function: Callable[[Job], Result], job: Job) -> Result:
    """A job among several has one worker, also where threads inherit their context."""
    with using(1):
        return function(job)


def _one_by_one(
    function: Callable[[Job], Result], jobs: Sequence[Job], what: str
) -> Iterator[Result]:
    for done, job in enumerate(jobs):
        progress.report(what, done, len(jobs))
        yield function(job)
