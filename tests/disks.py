"""A disk that gets full, for tests, by ``pytest_plugins = ["tests.disks"]``."""

import builtins
import errno
import io
import os

import pytest


@pytest.fixture
def fill_disk(monkeypatch):
    """Let the files of a folder take so many bytes together; the next byte finds no room.

    Of files that Python opens for writing.
    """
    rooms: dict[str, int] = {}
    usual = builtins.open

    def folder_of(path):
        name = os.path.abspath(os.fsdecode(path))
        return next((one for one in rooms if name.startswith(one + os.sep)), None)

    class Limited(io.FileIO):
        def write(self, data):
            folder, data = folder_of(self.name), bytes(data)
            part = data[: rooms[folder]]
            if data and not part:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            rooms[folder] -= len(part)
            return super().write(part)

    def opened(file, mode="r", buffering=-1, *more, **options):
        writes = set(mode) & set("wax+")
        if not writes or isinstance(file, int) or folder_of(file) is None or "b" not in mode:
            return usual(file, mode, buffering, *more, **options)
        raw = Limited(file, mode.replace("b", ""))
        if buffering == 0:
            return raw
        return io.BufferedRandom(raw) if "+" in mode else io.BufferedWriter(raw)

    def fill(folder, room=0):
        rooms[os.path.abspath(folder)] = room

    monkeypatch.setattr(builtins, "open", opened)
    return fill
