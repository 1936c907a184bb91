"""Folders among the temporary files: gone at the end, swept by the next; a full disk is named."""

import errno
import os
import signal
import subprocess
import sys
import tempfile

import pytest

from hardlimit.exceptions import FileError
from hardlimit.foundation import storage
from hardlimit.foundation.temporary_folder import (
    find_advice,
    make_temporary_folder,
    naming_folder,
)

pytest_plugins = ["tests.stores"]
FULL = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_a_folder_is_there_for_as_long_as_the_block(temporary):
    with make_temporary_folder("hardlimit-x") as folder:
        assert (
            os.path.dirname(folder) == str(temporary) and os.stat(folder).st_mode & 0o777 == 0o700
        )
    assert not os.listdir(temporary)


def test_a_full_disk_and_a_folder_that_is_not_there_are_named(temporary, monkeypatch):
    with pytest.raises(FileError) as caught, naming_folder("/tmp/parts"):
        raise FULL
    assert str(caught.value) == (
        "/tmp/parts: temporary files cannot be written: No space left on device; free some space "
        "there, or set TMPDIR to a folder of another disk"
    )
    monkeypatch.setattr(tempfile, "tempdir", str(temporary / "gone"))
    with pytest.raises(FileError, match=r"gone: temporary files cannot be written: No such file"):
        with make_temporary_folder("hardlimit-x"):
            pass
    # What a block does with the folder is its own affair.
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    with pytest.raises(OSError, match="by the block") as raised, make_temporary_folder("x"):
        raise OSError(errno.EIO, "by the block")
    assert not isinstance(raised.value, FileError)


def test_an_error_without_a_name_says_where_temporary_files_lie(temporary):
    assert str(temporary) in find_advice(FULL) and "TMPDIR" in find_advice(FULL)
    assert find_advice(OSError(errno.ENOSPC, "full", "a.csv")) == ""
    assert find_advice(OSError(errno.EIO, "broken")) == ""


@pytest.mark.parametrize("ranges", [True, False])
def test_a_copy_of_an_object_names_the_folder(web, temporary, monkeypatch, ranges):
    web.files["a"], web.ranges = b"x" * 1000, ranges

    class Full(tempfile.SpooledTemporaryFile):
        def write(self, data):
            raise FULL

    monkeypatch.setattr(tempfile, "TemporaryFile", lambda **_: Full())
    with pytest.raises(
        FileError, match=f"{temporary}: temporary files cannot be written: No space"
    ):
        storage.open_remote(web.uri("a"), whole=True)
    assert len(web.seen) == 2  # no second try mends it


UPLOAD = """
import os, signal, sys, tempfile
tempfile.tempdir = sys.argv[1]
from hardlimit.foundation.atomic_file import replacing
with replacing("memory://bucket/m") as path:
    open(path, "wb").write(bytes(1000))
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_what_a_killed_upload_leaves_the_next_one_removes(temporary, memory):
    from hardlimit.foundation.atomic_file import replacing

    killed = subprocess.run([sys.executable, "-c", UPLOAD, str(temporary)])
    assert killed.returncode == -signal.SIGKILL and len(os.listdir(temporary)) == 1
    with replacing("memory://bucket/m") as path:
        assert len(os.listdir(temporary)) == 1
        with open(path, "wb") as file:
            file.write(b"new")
    assert memory.cat_file("/bucket/m") == b"new" and not os.listdir(temporary)
