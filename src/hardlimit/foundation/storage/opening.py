"""The object of a URI, by its scheme."""

from __future__ import annotations

from hardlimit.foundation.storage.stores import Store, StoredObject
from hardlimit.foundation.storage.uris import WEB, check


def open_store(uri: str) -> Store:
    """Return the object of a URI; nothing is asked of the store yet."""
    scheme = check(uri)
    if scheme in WEB:
        from hardlimit.foundation.storage.web import WebObject  # its package may be missing

        return WebObject(uri)
    if scheme in ("s3", "s3a"):
        from hardlimit.foundation.storage.s3 import S3Object  # start-up

        return S3Object(uri)
    return StoredObject(uri)
