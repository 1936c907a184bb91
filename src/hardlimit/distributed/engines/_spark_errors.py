"""What Spark's errors are to us: a worker or Spark itself that was lost, or what no try mends."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator

from hardlimit.distributed.engines._protocol import LOST
from hardlimit.exceptions import ClusterError, HardlimitError

_LOSS = re.compile(
    r"ExecutorLostFailure|executor .*lost|worker exited unexpectedly|worker.* crashed|"
    r"TaskResultLost|FetchFailed|Connection reset|failed to communicate",
    re.IGNORECASE,
)
_PYTHON = "name the Python of the workers, which has hardlimit[spark]: PYSPARK_PYTHON=/path/python"
_KNOWN = (
    (
        r"PYTHON_VERSION_MISMATCH|different version .* than that in driver",
        "the workers have another version of Python",
        _PYTHON,
    ),
    (r"No module named '?[\w.]+'?", "the workers' Python lacks a package: {}", _PYTHON),
    (r"PACKAGE_NOT_INSTALLED|must be installed", "the workers' Python lacks a package", _PYTHON),
    (r"Cannot run program \S+", "the workers cannot begin Python: {}", _PYTHON),
    (
        r"maxResultSize",
        "the results of an epoch are larger than the session allows",
        "set spark.driver.maxResultSize to 0",
    ),
    (r"[Cc]ancell?ed", "somebody cancelled the work", ""),
)


# Whoever speaks to Spark's Java, or to its server, and finds nobody there any more.
_GONE = (
    r"SparkContext was shut down|stopped SparkContext|SESSION_(NOT_FOUND|CLOSED)|INVALID_HANDLE|"
    r"Connection refused|Answer from Java side is empty|StatusCode.UNAVAILABLE|"
    r"Error while sending or receiving|does not exist in the JVM"
)


def is_gone(error: BaseException) -> bool:
    """Whether Spark itself is gone: its Java was killed, or its server, or the session ended.

    >>> is_gone(ConnectionRefusedError()), is_gone(RuntimeError("ExecutorLostFailure"))
    (True, False)
    """
    kinds = {kind.__name__ for kind in type(error).mro()}
    is_broken = isinstance(error, ConnectionError | EOFError) or "Py4JNetworkError" in kinds
    return is_broken or re.search(_GONE, str(error)) is not None


def gone_error() -> ClusterError:
    """Return the error of a session that is gone: a run can go on in another one."""
    reason = "the connection to Spark was lost, or somebody ended the session"
    return ClusterError(reason, who="spark", topic=LOST)


@contextlib.contextmanager
def naming_loss() -> Iterator[None]:
    """Say in a sentence that Spark is gone, whatever its packages make of that."""
    try:
        yield
    except HardlimitError:
        raise
    except Exception as error:
        if is_gone(error):
            raise gone_error() from error
        raise


def check_loss(error: Exception) -> None:
    """Raise what no other try mends.

    >>> check_loss(RuntimeError("ExecutorLostFailure (executor 1 exited)"))
    >>> check_loss(RuntimeError("ModuleNotFoundError: No module named 'pyarrow'"))
    Traceback (most recent call last):
    hardlimit.exceptions.ClusterError: spark: the workers' Python lacks a package: No module named \
'pyarrow'; name the Python of the workers, which has hardlimit[spark]: PYSPARK_PYTHON=/path/python
    """
    if is_gone(error):
        raise gone_error() from error
    text = str(error)
    for pattern, reason, fix in _KNOWN:
        found = re.search(pattern, text)
        if found:
            raise ClusterError(reason.format(found[0]), who="spark", fix=fix) from error
    if not _LOSS.search(text):
        raise ClusterError(_summary(text) or type(error).__name__, who="spark") from error


def _summary(text: str) -> str:
    """Return what is said first, and where it is a traceback last."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    python = [line for line in lines if re.match(r"[\w.]+(Error|Exception): ", line)]
    return (python or lines or [""])[-1 if python else 0]
