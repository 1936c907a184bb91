"""A file that is being written goes on elsewhere where its disk is full, with all that it had."""

import errno
import os

import pytest

from hardlimit.exceptions import FileError
from hardlimit.streaming.cache_file import CacheFile

pytest_plugins = ["tests.disks"]
PARTS = [bytes([number]) * 3000 for number in range(7)]
WHOLE = b"head" + b"".join(PARTS)[4:]


@pytest.fixture
def folders(tmp_path):
    for name in ("full", "spare"):
        (tmp_path / name).mkdir()
    return tmp_path / "full", tmp_path / "spare"


def write(file):
    file.begin()
    for part in PARTS:
        file.write(part)
    file.rewrite(b"head")
    file.finish()


@pytest.mark.parametrize("room", [0, 1, 2999, 3000, 3001, 20_999, 21_000, 21_003, 30_000])
def test_all_bytes_are_there_wherever_the_disk_is_full(folders, fill_disk, room):
    full, spare = folders
    fill_disk(full, room)
    told = []

    def elsewhere(error):
        told.append(error)
        return spare / "rows"

    file = CacheFile(full / "rows", elsewhere)
    write(file)
    assert (file.path == spare / "rows") == (room < 21_004)
    with open(file.path, "rb") as found:
        assert found.read() == WHOLE
    assert [str(full / "rows") in str(one) for one in told] == [True] * (room < 21_004)
    # Nothing is left of what was begun.
    assert sum(len(os.listdir(folder)) for folder in folders) == 1


def test_a_folder_that_takes_no_files_and_one_that_cannot_be_flushed(folders, monkeypatch):
    full, spare = folders
    file = CacheFile(full / "none" / "rows", lambda error: spare / "first")
    write(file)
    assert (spare / "first").read_bytes() == WHOLE
    flush, failures = os.fsync, [OSError(errno.EDQUOT, "Disk quota exceeded")]

    def fail(handle):
        if failures:
            raise failures.pop()
        flush(handle)

    monkeypatch.setattr(os, "fsync", fail)
    write(CacheFile(full / "rows", lambda error: spare / "second"))
    assert (spare / "second").read_bytes() == WHOLE and not os.listdir(full)


def test_without_another_place_it_is_an_error_and_nothing_is_left(folders, fill_disk):
    full, spare = folders
    (full / "rows").write_bytes(b"before")
    fill_disk(full, 4000)
    file = CacheFile(full / "rows")
    with pytest.raises(FileError, match=r"full.rows: cannot be written: No space left on device"):
        write(file)
    file.abandon()
    fill_disk(full, 4000)
    fill_disk(spare, 100)
    file = CacheFile(full / "rows", lambda error: spare / "rows")
    with pytest.raises(FileError, match=r"spare.rows: cannot be written: No space left on device"):
        write(file)
    file.abandon()
    assert (full / "rows").read_bytes() == b"before"
    assert os.listdir(full) == ["rows"] and not os.listdir(spare)
