"""One call of a function with a shard, as engines make it: errors are answers, and pickle.

A call says who made it. A worker of another version would learn other weights, so it refuses. The
call holds bytes and words only, so that such a worker can read so much of it.
"""

from __future__ import annotations

import errno
import pickle
import platform
import socket
import traceback
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Protocol

import numpy as np

from hardlimit.distributed.engines import Part
from hardlimit.exceptions import (
    ClusterError,
    FileError,
    HardlimitError,
    InputError,
    MemoryEstimateError,
)
from hardlimit.foundation.build import digest_compiled, digest_sources
from hardlimit.foundation.package import VERSION
from hardlimit.foundation.temporary_folder import find_advice
from hardlimit.sources.pieces import Shard

MISSING = "none"
BUILD, COMPILED = "hardlimit build", "compiled module"
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


class JobOfShard(Protocol):
    """Work on a shard; it can be pickled."""

    @property
    def shard(self) -> Shard:
        """The shard."""


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


class CallAnswer(NamedTuple):
    """What a worker answers: a value, or why there is none."""

    value: Any = None
    failure: Failure | None = None


def make_call(function: Callable[[tuple[Part, ...], Any], Any], job: JobOfShard) -> Call:
    """Return the call of a function with a job, which has a ``shard``."""
    data = pickle.dumps((function, job), protocol=5)
    return Call(versions(), socket.gethostname(), data, job.shard.where)


def perform(parts: tuple[Part, ...], call: Call) -> CallAnswer:
    """Answer a call, and raise nothing."""
    host = socket.gethostname()
    who = "" if host == call.host else f"the worker on {host}"
    if differing(versions(), call.made_by):
        error = refuse_other(versions(), call.made_by, f"the worker on {host}")
        return CallAnswer(failure=Failure(error))
    try:
        function, job = pickle.loads(call.data)
        return CallAnswer(function(parts, job))
    # SystemExit too, of a rule that somebody wrote: it must not end a worker.
    except (Exception, SystemExit) as error:
        failure = describe_failure(error, call.where)
        if who and not failure.error.who:
            failure = replace(failure, error=failure.error.replaced(who=who))
        return CallAnswer(failure=failure)


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


def versions() -> dict[str, str]:
    """Return what must be the same everywhere: letters and digits are Python's own tables.

    The sources and the compiled module are read once a process, in some 50 ms.
    """
    return {
        "hardlimit": VERSION,
        "Python": ".".join(platform.python_version_tuple()[:2]),
        "numpy": np.__version__,
        BUILD: digest_sources(),
        COMPILED: digest_compiled(),
    }


def differing(found: dict[str, str], wanted: dict[str, str]) -> list[str]:
    """Return the names of what differs; those that both have, if there are any.

    Compiled modules are compared on one platform only: for another there is another one.

    >>> differing({COMPILED: "linux-x86_64 1f"}, {COMPILED: "macosx-14-arm64 2e"})
    []
    >>> differing({COMPILED: "linux-x86_64 1f"}, {COMPILED: "linux-x86_64 2e"})
    ['compiled module']
    """
    names = [name for name in {**wanted, **found} if wanted.get(name) != found.get(name)]
    both = [name for name in names if name in wanted and name in found]
    if COMPILED in both and _platform_of(found) != _platform_of(wanted):
        names.remove(COMPILED)
        both.remove(COMPILED)
    return both or names


def _platform_of(versions: dict[str, str]) -> str:
    return versions[COMPILED].rpartition(" ")[0]


def refuse_other(found: dict[str, str], wanted: dict[str, str], worker: str) -> ClusterError:
    """Return the error of a worker that has other versions.

    >>> print(refuse_other({"Python": "3.12"}, {"Python": "3.11"}, "the worker on a"))
    the worker on a has Python 3.12, and the work is of Python 3.11: it would learn another model; \
install the same versions everywhere
    >>> print(refuse_other({BUILD: "1f"}, {BUILD: "2e"}, "the worker on a"))
    the worker on a has hardlimit build 1f, and the work is of hardlimit build 2e: it would learn \
another model; install the same versions everywhere, hardlimit from the same wheel or commit
    """
    differ = differing(found, wanted)

    def spell(of: dict[str, str]) -> str:
        named = (f"{name} {of.get(name, 'unknown')}" for name in differ)
        return " and ".join(one.replace(f"hardlimit {MISSING}", "no hardlimit") for one in named)

    fix = "install the same versions everywhere"
    if not {BUILD, COMPILED}.isdisjoint(differ):
        fix += ", hardlimit from the same wheel or commit"
    return ClusterError(
        f"{worker} has {spell(found)}, and the work is of {spell(wanted)}: it would learn another "
        "model",
        fix=fix,
    )
