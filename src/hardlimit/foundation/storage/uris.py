"""Which URIs are opened, and by which packages.

The list is closed: fsspec knows schemes that unpack, chain or run things (``zip::``,
``reference://``, ``github://``), and a name of a file is no place for them.
"""

from __future__ import annotations

import os
import re
from typing import Any

from hardlimit.exceptions import FileError, InputError, MissingExtraError

# The extra that brings the package of a scheme.
EXTRAS = {
    "s3": "s3",
    "s3a": "s3",
    "gs": "gcs",
    "gcs": "gcs",
    "az": "azure",
    "abfs": "azure",
    "abfss": "azure",
    "http": "http",
    "https": "http",
    "memory": "remote",
}
LOCAL = "file"
WEB = ("http", "https")


def scheme_of(path: str) -> str:
    """Return the scheme of a URI in small letters; empty of a path.

    >>> scheme_of("S3://bucket/a.csv"), scheme_of("a.csv")
    ('s3', '')
    """
    scheme, mark, _ = path.partition("://")
    is_one = mark and scheme[:1].isalpha() and scheme.isascii() and scheme.isidentifier()
    return scheme.lower() if is_one else ""


def is_uri(path: str) -> bool:
    """Tell ``SCHEME://...`` from a path; an object that is there under that name is a path."""
    return scheme_of(path) != ""


def local_path(path: str) -> str:
    """Return the path of a ``file://`` URI; others as they are.

    >>> local_path("file:///tmp/new%20mails.csv"), local_path("s3://bucket/a.csv")
    ('/tmp/new mails.csv', 's3://bucket/a.csv')
    """
    if scheme_of(path) != LOCAL:
        return path
    from urllib.parse import unquote  # start-up

    host, _, name = path[len(LOCAL) + 3 :].partition("/")
    if host not in ("", "localhost"):
        raise FileError("this is a file of another machine", where=path)
    return unquote(f"/{name}")


def check(uri: str) -> str:
    """Return the scheme of a URI that may be opened.

    Raises
    ------
    InputError
        Another scheme, or several that are chained.
    """
    scheme = scheme_of(uri)
    if "::" in without_query(uri) or scheme not in EXTRAS:
        raise refusal(uri)
    return scheme


def refusal(uri: str) -> InputError:
    """Build the error for a URI that is not opened."""
    return InputError(
        "a chain of schemes is not opened" if "::" in uri else "this scheme is not opened",
        parameter="path",
        got=uri,
        wanted=f"a path, or a URI of {', '.join([LOCAL, *EXTRAS])}",
    )


def find_system(uri: str) -> tuple[Any, str]:
    """Return the file system of a URI, and the name in it.

    Raises
    ------
    MissingExtraError
        The package of its scheme is missing.
    """
    scheme = check(uri)
    try:
        import fsspec

        # What a listing said is not believed later: objects change.
        more = {} if scheme in WEB else {"use_listings_cache": False}
        system, name = fsspec.core.url_to_fs(uri, **more)
    except ImportError as error:
        raise missing_extra(scheme, error) from None
    return system, name


def missing_extra(scheme: str, error: ImportError) -> MissingExtraError:
    """Build the error for a package that is not there."""
    wanted = error.name or {"s3": "s3fs", "gcs": "gcsfs", "azure": "adlfs", "http": "aiohttp"}.get(
        EXTRAS[scheme], "fsspec"
    )
    return MissingExtraError(
        f"{scheme}:// wants the package {wanted}", fix=f"pip install 'hardlimit[{EXTRAS[scheme]}]'"
    )


def base_name(path: str) -> str:
    """Return the last part of a name, as ``os.path.basename`` does; of a URI without its query.

    >>> base_name("https://example.org/mails.csv?token=1")
    'mails.csv'
    """
    return os.path.basename(without_query(path))


def without_query(path: str) -> str:
    """Return a URI without what follows its path: formats are told by the rest.

    >>> without_query("https://example.org/mails.csv.gz?token=1#x"), without_query("a?.csv")
    ('https://example.org/mails.csv.gz', 'a?.csv')
    """
    scheme = scheme_of(path)
    if scheme in WEB:
        return re.split("[?#]", path, maxsplit=1)[0]
    return path.split("?versionId=", 1)[0] if scheme else path
