"""Rows that come once, for work that goes through them again: a copy of standard input."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from typing import TypeVar

from hardlimit.cli.labelled_rows import STANDARD_INPUT as NAME
from hardlimit.cli.options import Sources
from hardlimit.exceptions import HardlimitError
from hardlimit.foundation import progress
from hardlimit.foundation.temporary_folder import make_temporary_folder, naming_folder
from hardlimit.readers.opening import STANDARD_INPUT, open_binary

Asked = TypeVar("Asked", bound=Sources)
_BLOCK = 1 << 20


@contextlib.contextmanager
def copied_input(options: Asked) -> Iterator[Asked]:
    """Give the options with a copy of standard input in its place, which goes at the end.

    Bytes are copied as they come, compressed or not. Workers elsewhere see the copy where TMPDIR
    names a folder that they share.

    Raises
    ------
    FileError
        The disk is full; with the folder, and what to do.
    """
    with make_temporary_folder("hardlimit-input") as folder:
        path = os.path.join(folder, NAME)
        _copy(path)
        try:
            yield options.reading(path)
        except HardlimitError as error:
            # Its lines are those of standard input, and the file is gone when somebody reads this.
            if path not in str(error.where):
                raise
            raise error.replaced(where=str(error.where).replace(path, NAME)) from None


def _copy(path: str) -> None:
    source, n_bytes = open_binary(STANDARD_INPUT), 0
    folder = os.path.dirname(os.path.dirname(path))
    with contextlib.ExitStack() as stack:
        with naming_folder(folder):
            file = stack.enter_context(open(path, "wb"))
        while data := source.read1(_BLOCK):
            with naming_folder(folder):
                file.write(data)
            n_bytes += len(data)
            progress.report("copying standard input", n_bytes, 0, "bytes")
        with naming_folder(folder):
            file.flush()
