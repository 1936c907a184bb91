"""One call of a function with a shard, as engines make it: errors are answers, and pickle.

A call says who made it. A worker of another version would learn other weights, so it refuses. The
call holds bytes and words only, so that such a worker can read so much of it.
"""

from __future__ import annotations

import errno
import pickle
import socket
import traceback
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from hardlimit.distributed.engines import Part
from hardlimit.distributed.versions import differing, refuse_other, versions
from hardlimit.exceptions import (
    FileError,
    HardlimitError,
    InputError,
    MemoryEstimateError,
)
from hardlimit.foundation.temporary_folder import find_advice

# What another try, a moment later, may not meet again: networks and what lies behind them.
_PASSING = {
    getattr(errno, name)
    for name in (
        "EIO",
        "ESTALE",
        "ETIMEDOUT",
        "ECONNRESET",
        "EHOSTUNREACH",
        "ENETUNREACH",
        "EAGAIN",
    )
    if hasattr(errno, name)
}
_SEE = "every worker must see the files under the same names"


class Call(NamedTuple):
    """What a worker is asked.

    made_by : versions of the program that asks.    host : its machine.    data : the pickled
    function and job.    where : the shard, for messages.
    """

    made_by: dict[str, str]
    host: str
    data: bytes
    where: str


@dataclass(frozen=True)
class Failure:
    """Why a shard failed.

    passing : whether another try may succeed.    trace : where it arose.
    """

    error: HardlimitError
    passing: bool = False
    trace: str = ""


class Answer(NamedTuple):
    """What a worker answers: a value, or why there is none."""

    value: Any = None
    failure: Failure | None = None


def make_call(function: Callable[[tuple[Part, ...], Any], Any], job: Any) -> Call:
    """Return the call of a function with a job, which has a ``shard``."""
    data = pickle.dumps((function, job), protocol=5)
    return Call(versions(), socket.gethostname(), data, job.shard.where)


def perform(parts: tuple[Part, ...], call: Call) -> Answer:
    """Answer a call, and raise nothing."""
    host = socket.gethostname()
    who = "" if host == call.host else f"the worker on {host}"
    if differing(versions(), call.made_by):
        error = refuse_other(versions(), call.made_by, f"the worker on {host}")
        return Answer(failure=Failure(error))
    try:
        function, job = pickle.loads(call.data)
        return Answer(function(parts, job))
    # SystemExit too, of a rule that somebody wrote: it must not end a worker.
    except (Exception, SystemExit) as error:
        failure = describe_failure(error, call.where)
        if who and not failure.error.who:
            failure = replace(failure, error=failure.error.replaced(who=who))
        return Answer(failure=failure)


def describe_failure(error: BaseException, where: str) -> Failure:
    """Return an error as every engine gives it back: of the same class, with the shard's place."""
    trace = "".join(traceback.format_exception(error))
    if isinstance(error, HardlimitError):
        inside = f"{error.where} of {where}" if error.where else where
        found = error.replaced(where=where if error.where in where else inside)
        if isinstance(found, FileError) and not found.fix:
            found = found.replaced(fix=_SEE)
        return Failure(_picklable(found, where), trace=trace)
    if isinstance(error, MemoryError):
        return Failure(
            MemoryEstimateError(
                "the worker ran out of memory",
                where=where,
                fix="use more shards, so that each needs less, or fewer workers on a machine",
            ),
            trace=trace,
        )
    if isinstance(error, OSError):
        return Failure(_of_file(error, where), _is_passing(error), trace)
    what = " ".join(f"{type(error).__name__}: {error}".split())
    return Failure(HardlimitError(what, where=where), trace=trace)


def _of_file(error: OSError, where: str) -> FileError:
    name = f"{error.filename}: " if error.filename and str(error.filename) not in where else ""
    fix = _SEE if isinstance(error, FileNotFoundError) else find_advice(error)
    return FileError(f"{name}{error.strerror or error}", where=where, fix=fix)


def _is_passing(error: OSError) -> bool:
    return isinstance(error, ConnectionError | TimeoutError) or error.errno in _PASSING


def _picklable(error: HardlimitError, where: str) -> HardlimitError:
    """Return the error, or what it says where it does not survive the way."""
    try:
        pickle.loads(pickle.dumps(error, protocol=5))
        return error
    except Exception:
        kind = InputError if isinstance(error, InputError) else HardlimitError
        return kind(str(error), where=where)
