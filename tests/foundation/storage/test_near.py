"""Parts of objects that lie nearby: whole, of one version, or not at all."""

import os
import tempfile

import pytest

from hardlimit.exceptions import FileError
from hardlimit.foundation import storage
from hardlimit.foundation.storage import near

pytest_plugins = ["tests.stores"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Where parts are kept."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path / f"hardlimit-parts-{os.getuid()}"


def fetch(uri, begin, end, **more):
    return near.fetch(uri, begin, end, storage.state_of(uri), **more)


def test_a_part_is_fetched_once_and_others_are_not_there(web, folder):
    web.files["a"] = bytes(range(256)) * 100
    uri = web.uri("a")
    found = fetch(uri, 1000, 2000)
    state = found.state()
    web.seen.clear()
    again = fetch(uri, 1000, 2000)
    for part in (found, again):
        assert part.read(1000, 2000, state) == web.files["a"][1000:2000]
        assert part.reach(1500, 9000) == 2000
    assert [asked for _, asked in web.seen] == ["bytes=0-0"]
    assert again.read(10, 20, state) == web.files["a"][10:20]
    assert len(list(folder.iterdir())) == 1


def test_an_object_that_is_replaced_meanwhile_leaves_nothing(memory, folder, monkeypatch):
    memory.pipe_file("/a", b"old" * 1000)
    read = type(memory).cat_file

    def replace(system, name, start=None, end=None, **more):
        data = read(system, name, start=start, end=end, **more)
        system.pipe_file("/a", b"newer" * 1000)
        return data

    monkeypatch.setattr(type(memory), "cat_file", replace)
    with pytest.raises(FileError, match="changed while it was read"):
        fetch("memory://a", 0, 3000)
    assert not folder.exists() or not list(folder.iterdir())


def test_no_room_is_no_error(web, folder, monkeypatch):
    web.files["a"] = b"x" * 1000
    folder.write_text("a file in the place of the folder")
    assert fetch(web.uri("a"), 0, 1000).read(0, 1000, None) == web.files["a"]

    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(near, "_fetch", full)
    assert fetch(web.uri("a"), 0, 1000) is None
