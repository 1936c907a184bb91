"""What a store answers may be a fault that is over in a second: tried again, then said."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import TypeVar

from hardlimit.exceptions import FileError, HardlimitError, MissingExtraError, mask

T = TypeVar("T")
# Seconds before the second try, the third, ...
WAITS = (0.25, 0.75, 2.0, 5.0)
_BUSY = (408, 425, 429)
GAVE_UP = "gave-up"  # topic of the error after the last try: what it has done is not known
_FINAL = (NotImplementedError, TypeError, ValueError, ImportError, IsADirectoryError)


class TruncatedError(Exception):
    """An answer of fewer bytes than were asked for, or of others."""


class MissingObjectError(FileError):
    """There is no such object."""


def retry(uri: str, what: str, work: Callable[[], T], where: str = "") -> T:
    """Do some work on a URI; again, with longer and longer waits, where it may help.

    what : what could not be done, in words.    where : the URI and the bytes of it.

    Raises
    ------
    FileError
        It failed for good: the object is not there, access is denied, or too often.
    """
    where = where or uri
    for wait in (*WAITS, None):
        try:
            return work()
        except HardlimitError:
            raise
        except Exception as error:  # each package of a store has classes of its own
            refused = _refusal(error, what, where)
            if refused is not None:
                raise refused from None
            if wait is None:
                tries = len(WAITS) + 1
                reason = f"{what}: tried {tries} times, at last: {_describe(error)}"
                fix = "try again later"
                raise FileError(reason, where=where, fix=fix, topic=GAVE_UP) from None
        # Not all workers at the same moment.
        time.sleep(wait * (0.5 + random.random() / 2))
    raise AssertionError("the last try returns or raises")


def _refusal(error: Exception, what: str, where: str) -> HardlimitError | None:
    """Return the error of what no second try will mend; None of what one may."""
    status = _status_of(error)
    if isinstance(error, FileNotFoundError) or status in (404, 410):
        return MissingObjectError("no such file", where=where)
    fix = "credentials are found by the store's own package: its environment and files"
    if isinstance(error, PermissionError) or status in (401, 403):
        return FileError(f"{what}: access denied", where=where, fix=fix)
    if "credential" in type(error).__name__.lower():
        return FileError(f"{what}: {_describe(error)}", where=where, fix=fix)
    if isinstance(error, ImportError):
        return MissingExtraError(f"{what}: {_describe(error)}", where=where)
    final = status is not None and 400 <= status < 500 and status not in _BUSY
    if final or isinstance(error, _FINAL):
        return FileError(f"{what}: {_describe(error)}", where=where)
    return None


def _status_of(error: Exception) -> int | None:
    """Return the number of an HTTP answer that an error stands for."""
    for name in ("status", "status_code", "code"):
        found = getattr(error, name, None)
        if isinstance(found, int):
            return found
    return None


def _describe(error: Exception) -> str:
    status = _status_of(error)
    text = " ".join(str(error).split())
    if status is not None:
        # The text of such an error repeats the URI.
        return f"the server answered {status}"
    return mask(text)[:200] or type(error).__name__
