"""Work on several cores: threads, whose results come in the order of the jobs.

Compiled work lets go of the interpreter's lock, so that threads suffice and nothing is copied. A
result never depends on the number of workers.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import TypeVar

from hardlimit.exceptions import InputError
from hardlimit.foundation import progress

Job = TypeVar("Job")
Result = TypeVar("Result")


def count_cores() -> int:
    """Return the cores that this process may use.

    >>> count_cores() >= 1
    True
    """
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # macOS and Windows do not tell
        return os.cpu_count() or 1


def count_workers(n_jobs: int | None) -> int:
    """Return the number of workers, as scikit-learn counts them.

    None is 1, -1 are all cores, -2 all but one.

    >>> count_workers(None), count_workers(3), count_workers(-1) == count_cores()
    (1, 3, True)
    """
    if n_jobs is None:
        return 1
    # by type: True is a number to Python
    if type(n_jobs) is not int or n_jobs == 0:
        wanted = "None, a number of cores, or -1 for all of them"
        raise InputError(parameter="n_jobs", got=n_jobs, wanted=wanted)
    return n_jobs if n_jobs > 0 else max(1, count_cores() + 1 + n_jobs)


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
    pool = ThreadPoolExecutor(workers, thread_name_prefix="hardlimit")
    try:
        futures = [pool.submit(function, job) for job in jobs]
        for done, future in enumerate(as_completed(futures), 1):
            future.result()  # an error ends the others at once
            progress.report(what, done, len(jobs))
        return [future.result() for future in futures]
    finally:
        # an interruption too leaves no job behind that works on
        pool.shutdown(wait=True, cancel_futures=True)


def _one_by_one(
    function: Callable[[Job], Result], jobs: Sequence[Job], what: str
) -> Iterator[Result]:
    for done, job in enumerate(jobs):
        progress.report(what, done, len(jobs))
        yield function(job)
