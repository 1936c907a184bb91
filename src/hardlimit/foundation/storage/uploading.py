"""A whole object or none: written to a local file first, then put by one request or one commit."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator

from hardlimit.exceptions import FileError
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.storage.retrying import GAVE_UP, TruncatedError, retry
from hardlimit.foundation.storage.uris import WEB, base_name, check, find_system
from hardlimit.foundation.temporary_folder import make_temporary_folder, naming_folder


@contextlib.contextmanager
def uploading(uri: str) -> Iterator[str]:
    """Give the path of a temporary file that becomes the object when the block ends well.

    Stores show an object when it is there as a whole, and a later put replaces it. An upload that
    failed leaves what was there before. A process that is killed leaves a folder among the
    temporary files, which the next upload of this machine removes.
    """
    check_target(uri)
    with make_temporary_folder("hardlimit-upload") as folder, naming_folder(folder):
        # Libraries look at the ending of a name.
        temporary = os.path.join(folder, base_name(uri)[-80:] or "new")
        with open(temporary, "wb"):
            pass
        yield temporary
        upload(temporary, uri)


def upload(path: str, uri: str) -> None:
    """Put a local file in the place of an object."""
    system, name = find_system(uri)
    size = os.path.getsize(path)

    def work() -> None:
        system.put_file(path, name)
        found = system.info(name).get("size")
        if found is not None and found != size:
            raise TruncatedError(f"{found:,} of {plural(size, 'byte')} are there")

    try:
        retry(uri, "cannot be written", work)
    except FileError as error:
        if error.topic != GAVE_UP:
            raise
        lost = "; if only the answers were lost, the new object is there"
        raise error.replaced(reason=f"{error.reason}{lost}") from None


def remove_object(uri: str) -> None:
    """Remove an object."""
    system, name = find_system(uri)
    retry(uri, "cannot be removed", lambda: system.rm_file(name))


def check_target(uri: str) -> None:
    """Refuse a URI of which it is known before the work that no object can be written there."""
    if check(uri) in WEB:
        raise FileError("web servers take no files", where=uri, fix="write to a path or a store")
    if not base_name(uri):
        raise FileError("this names a folder; a file was wanted", where=uri)
    find_system(uri)
