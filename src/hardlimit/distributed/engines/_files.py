"""Parts that lie in files: their bytes are in memory only where somebody asks for them."""

from __future__ import annotations

import hashlib
import shutil
from functools import cached_property

from hardlimit.distributed.engines._protocol import Part


class FilePart:
    """A part as :class:`Part` is, in a file that nobody writes to.

    path : whoever can use a file as it is opens it there.
    """

    def __init__(self, path: str, name: str) -> None:
        self.path, self.name = path, name

    @cached_property
    def data(self) -> bytes:
        """The bytes."""
        with open(self.path, "rb") as file:
            return file.read()


def part_of_file(path: str) -> FilePart:
    """Return the part that a file is: O(bytes), and none of them in memory."""
    with open(path, "rb") as file:
        return FilePart(path, hashlib.file_digest(file, "sha256").hexdigest())


def write_part(part: Part | FilePart, path: str) -> None:
    """Write the bytes of a part into a file."""
    if isinstance(part, FilePart):
        shutil.copyfile(part.path, path)
        return
    with open(path, "wb") as file:
        file.write(part.data)
