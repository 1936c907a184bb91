"""Which formats there are, and which one a name promises."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec

from hardlimit.exceptions import InputError
from hardlimit.foundation.discovery import import_members
from hardlimit.readers.opening import strip_compression
from hardlimit.readers.rows import Table

_NAMED_SO = ("csv", "tsv", "jsonl")
# The formats of whole documents; written out, so that predicting one message imports one reader.
DOCUMENTS = ("eml", "folder", "maildir", "mbox", "tar")


@dataclass(frozen=True, slots=True)
class Format:
    """One input format.

    Parameters
    ----------
    name
        What ``Layout.format`` says.
    extensions
        Of its files, each with its dot.
    read
        ``read(path_or_source, layout, need_label) -> Table``; a folder's gets the path.
    line
        What it is, in a few words, for lists.
    takes_folder, takes_path
        Whether it is of a folder, or of a file that it opens by itself, since its bytes are no
        lines of text.
    recognises
        Of a folder's path: whether it is this rather than a folder per class.
    """

    name: str
    extensions: tuple[str, ...]
    read: Callable[..., Table]
    line: str
    takes_folder: bool = False
    takes_path: bool = False
    recognises: Callable[[str], bool] | None = None


@cache
def formats() -> dict[str, Format]:
    """Return all formats by name, in alphabetical order.

    >>> list(formats())
    ['arrow', 'csv', 'eml', 'fasttext', 'folder', 'jsonl', 'lines', 'maildir', 'mbox', 'parquet',
     'tar', 'tsv', 'weka', 'xlsx']
    """
    package = __name__.rpartition(".")[0]
    modules = import_members(package, [os.path.dirname(__file__)])
    return {module.FORMAT.name: module.FORMAT for module in modules if hasattr(module, "FORMAT")}


def get_format(name: str) -> Format:
    """Return one format; its module has its name, so that the others need not be imported."""
    # by module name and not through `formats()`: predicting one message imports one reader
    package = __name__.rpartition(".")[0]
    if name.isidentifier() and find_spec(f"{package}.{name}") is not None:
        format = getattr(import_module(f"{package}.{name}"), "FORMAT", None)
        if isinstance(format, Format):
            return format
    raise InputError(parameter="format", got=name, wanted=f"one of {', '.join(formats())}")


def detect_by_extension(path: str) -> str | None:
    """Return the format that a file's name promises.

    >>> detect_by_extension("old/Messages.CSV.gz")
    'csv'
    """
    extension = os.path.splitext(strip_compression(path))[1].lower()
    if not extension:
        return None
    # Most are called as their extension: a file of that kind needs no other format imported.
    if extension[1:] in _NAMED_SO and extension in get_format(extension[1:]).extensions:
        return extension[1:]
    return next((f.name for f in formats().values() if extension in f.extensions), None)
