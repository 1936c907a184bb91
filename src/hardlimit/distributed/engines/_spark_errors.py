"""What Spark's errors are to us: a worker that was lost, or something that no other try mends."""

from __future__ import annotations

import re

from hardlimit.exceptions import ClusterError

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
    (
        r"SparkContext was shut down|stopped SparkContext|SESSION_(NOT_FOUND|CLOSED)|INVALID_HANDLE"
        r"|Connection refused|Answer from Java side is empty|StatusCode.UNAVAILABLE",
        "the connection to Spark was lost, or somebody ended the session",
        "",
    ),
    (r"[Cc]ancell?ed", "somebody cancelled the work", ""),
)


def check_loss(error: Exception) -> None:
    """Raise what no other try mends.

    >>> check_loss(RuntimeError("ExecutorLostFailure (executor 1 exited)"))
    >>> check_loss(RuntimeError("ModuleNotFoundError: No module named 'pyarrow'"))
    Traceback (most recent call last):
    hardlimit.exceptions.ClusterError: spark: the workers' Python lacks a package: No module named \
'pyarrow'; name the Python of the workers, which has hardlimit[spark]: PYSPARK_PYTHON=/path/python
    """
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
