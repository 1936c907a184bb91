"""Which build of this package runs: digests of its sources and of its compiled module.

A number of a version is the same for every commit between two releases, and code that differs in
one line learns another model.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib.util
import sysconfig
from collections.abc import Iterator
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any

_PACKAGE = __name__.partition(".")[0]
_COMPILED = f"{_PACKAGE}._native"
_LENGTH = 12  # hexadecimal digits, as of a commit


@functools.cache
def digest_sources() -> str:
    """Return a digest of the Python sources of this package; computed once a process."""
    return digest_folder(resources.files(_PACKAGE))


@functools.cache
def digest_compiled() -> str:
    """Return the platform and a digest of the compiled module; computed once a process.

    >>> digest_compiled().startswith(sysconfig.get_platform())
    True
    """
    spec: Any = importlib.util.find_spec(_COMPILED)
    data = b""
    with contextlib.suppress(OSError):  # nothing to compare with is equal to nothing else
        with open(spec.origin, "rb") as file:
            data = file.read()
    return f"{sysconfig.get_platform()} {hashlib.sha256(data).hexdigest():.{_LENGTH}}"


def digest_folder(folder: Traversable) -> str:
    """Return a digest of the sources in a folder of a package, which may lie in an archive.

    Line ends do not count, which a checkout may have changed.
    """
    hashed = hashlib.sha256()
    for name, file in sorted(_sources_of(folder, ""), key=lambda found: found[0]):
        data = file.read_bytes().replace(b"\r\n", b"\n")
        hashed.update(f"{name}\0{len(data)}\0".encode())
        hashed.update(data)
    return hashed.hexdigest()[:_LENGTH]


def _sources_of(folder: Traversable, begin: str) -> Iterator[tuple[str, Traversable]]:
    for entry in folder.iterdir():
        name = begin + entry.name
        if entry.name.endswith(".py"):
            yield name, entry
        elif "." not in entry.name and entry.name != "__pycache__" and entry.is_dir():
            yield from _sources_of(entry, f"{name}/")
