"""Where the label of a document comes from: its folder, its name, a header field, or an index file.

============= ====================================================================================
``folder``    the first folder below the one that is read (the default)
``name:R``    what the regular expression R finds in the path: its first group, or all of it
``header:N``  the value of the header field N of a mail
``index:F``   the file F: lines of a label and a path, such as ``spam ../data/inmail.1``; paths are
              relative to the folder of F. Documents that are not in it are left out
============= ====================================================================================
"""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Callable

from hardlimit.exceptions import DataFormatError, InputError
from hardlimit.mail.reader import MailReader
from hardlimit.readers.decoding import TextSource

# From the path of a document below what is read, and its bytes; None if it has no label.
Labelling = Callable[[str, bytes], "str | None"]
FOLDER = "folder"
WANTED = "folder, name:REGEX, header:NAME or index:FILE"


def make_labelling(spelled: str | None, root: str) -> Labelling:
    """Return what finds labels; `InputError` for a spelling that is none.

    root : what is read, a folder or a file.

    >>> make_labelling("name:(ham|spam)", "mails")("easy-ham-1/0001.eml", b"")
    'ham'
    """
    kind, _, value = (spelled or FOLDER).partition(":")
    if kind == FOLDER and not value:
        return _first_folder
    if kind == "name" and value:
        return _by_name(value)
    if kind == "header" and value:
        reader = MailReader(keep_labels=True)
        return lambda path, data: reader.field(data, value) or None
    if kind == "index" and value:
        return _by_index(value, root)
    raise InputError(parameter="label_from", got=spelled, wanted=WANTED)


def leaves_out(spelled: str | None) -> bool:
    """Tell whether documents without a label are left out rather than refused."""
    return (spelled or "").startswith("index:")


def _first_folder(path: str, data: bytes) -> str | None:
    label, below, _ = path.partition("/")
    return label if below else None


def _by_name(pattern: str) -> Labelling:
    try:
        compiled = re.compile(pattern)
    except re.error as error:
        raise InputError(
            f"not a regular expression: {error}", parameter="label_from", got=f"name:{pattern}"
        ) from None

    def find(path: str, data: bytes) -> str | None:
        found = compiled.search(path)
        if found is None:
            return None
        return found[1] if compiled.groups else found[0]

    return find


def _by_index(file: str, root: str) -> Labelling:
    folder = os.path.dirname(os.path.abspath(file))
    by_path: dict[str, str] = {}
    by_end: dict[str, str] = {}
    with TextSource(file) as source:
        for line in source.lines():
            label, _, path = line.strip().partition(" ")
            path = path.strip()
            if not line.strip():
                continue
            if not path:
                raise DataFormatError(
                    "expected a label and a path between blanks", where=f"{file}:{source.number}"
                )
            by_path[os.path.normpath(os.path.join(folder, path))] = label
            # Of an archive no path is known; what the index calls ../data/1 is data/1 in it.
            by_end[posixpath.normpath(path).lstrip("./")] = label
    base = os.path.abspath(root)

    def find(path: str, data: bytes) -> str | None:
        found = by_path.get(os.path.normpath(os.path.join(base, path)))
        while found is None:
            found = by_end.get(path)
            _, stroke, path = path.partition("/")
            if not stroke:
                break
        return found

    return find
