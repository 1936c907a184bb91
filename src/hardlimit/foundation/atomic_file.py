"""Replace a file whole or not at all: written beside its target, flushed, renamed over it."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterator

from hardlimit.exceptions import FileError
from hardlimit.foundation import storage
from hardlimit.foundation.temporary_folder import make_folder, remove_dead_folders

_NAME = "new"


@contextlib.contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[str]:
    """Give the path of a temporary file that takes the place of ``path`` when the block ends well.

    path : of a file, or a URI of a store, into which the whole file is put then (`storage`).

    If the block raises anything, an interrupt included, the temporary file is removed and the
    target is what it was. A process that is killed leaves a folder ``.NAME.*.tmp``, which the next
    file that is written into the same folder removes. Symbolic links are followed; an existing
    target keeps its permissions, and its owner where the system allows; a new one gets those of the
    umask. Costs two flushes to the disk.

    Raises
    ------
    FileError
        If the target cannot be written; also for any ``OSError`` that the block raises.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "numbers.txt")
    ...     with replacing(path) as temporary:
    ...         _ = pathlib.Path(temporary).write_text("1 2 3")
    ...     path.read_text(), os.listdir(folder)
    ('1 2 3', ['numbers.txt'])
    """
    shown = os.fsdecode(path)
    if storage.is_remote(shown):
        from hardlimit.foundation.storage.uploading import uploading  # start-up

        with uploading(shown) as temporary:
            yield temporary
        return
    target = os.path.realpath(storage.local_path(shown))
    try:
        old = _state_of(target, shown)
        remove_dead_folders(os.path.dirname(target))
        with make_folder(target) as folder:
            temporary = _create(folder)
            new = os.stat(temporary)
            yield temporary
            # Only now: a library that writes the file may have put one of its own in its place.
            _set_permissions(temporary, old or new)
            _flush(temporary)
            os.replace(temporary, target)
        if os.name == "posix":
            _flush_folder(os.path.dirname(target))
    except FileError:
        raise
    except OSError as error:
        raise FileError(
            f"cannot be written: {error.strerror or error}; what was there before is untouched",
            where=shown,
            fix="free some space, change the permissions or name another file",
        ) from error


def check_folder(path: str | os.PathLike[str]) -> None:
    """Refuse a path of which it is known before the work that no file can be written there.

    Raises
    ------
    FileError
        No such folder, one that allows no new files, or something there that is no file.
    """
    shown = os.fsdecode(path)
    if storage.is_remote(shown):
        from hardlimit.foundation.storage.uploading import check_target  # start-up

        check_target(shown)
        return
    target = os.path.realpath(storage.local_path(shown))
    _state_of(target, shown)
    folder = os.path.dirname(target)
    if not os.access(folder, os.W_OK):
        raise FileError(f"cannot be written: the folder {folder} allows no new files", where=shown)


def _state_of(target: str, shown: str) -> os.stat_result | None:
    try:
        old = os.stat(target)
    except FileNotFoundError:
        if os.path.isdir(os.path.dirname(target)) and os.path.basename(target):
            return None
        missing = f"the folder {os.path.dirname(target)!r} does not exist"
        raise FileError(missing, where=shown, fix="make it first") from None
    if not stat.S_ISREG(old.st_mode):
        kind = "a folder" if stat.S_ISDIR(old.st_mode) else "not a regular file"
        raise FileError(f"cannot be written: it is {kind}", where=shown, fix="name another file")
    if not os.access(target, os.W_OK):
        fix = "chmod u+w it or name another file"
        raise FileError("is write-protected", where=shown, fix=fix)
    return old


def _create(folder: str) -> str:
    """Make an empty file, with the permissions that the umask gives to new ones."""
    temporary = os.path.join(folder, _NAME)
    os.close(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
    return temporary


def _set_permissions(path: str, wanted: os.stat_result) -> None:
    if hasattr(os, "chown"):
        with contextlib.suppress(OSError):
            os.chown(path, wanted.st_uid, wanted.st_gid)
    os.chmod(path, stat.S_IMODE(wanted.st_mode))


def _flush(path: str) -> None:
    handle = os.open(path, os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _flush_folder(path: str) -> None:
    """Make a rename last; where that fails, the new file is there all the same."""
    with contextlib.suppress(OSError):
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
