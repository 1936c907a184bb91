"""The same input gives the same bytes; what cannot be written leaves the old file as it was."""

import os
import stat
import subprocess
import sys

import numpy as np
import pytest

from hardlimit import model_file
from hardlimit.exceptions import FileError, InputError, ModelFileError
from hardlimit.foundation.atomic_file import replacing
from hardlimit.model_file import writing


def test_same_input_same_bytes(model_path, tensors, tmp_path):
    header = model_file.open(model_path).header
    turned = dict(reversed(header.items()))
    again = tmp_path / "again"
    model_file.write(again, turned, dict(reversed(tensors.items())))
    assert again.read_bytes() == model_path.read_bytes()


def test_nothing_of_time_place_or_process_is_stored(tmp_path):
    code = (
        "import sys; from hardlimit import model_file;"
        "model_file.write(sys.argv[1], {'kind': 'k', 'a': 1}, {'answer.x': b'abc'})"
    )
    paths = [tmp_path / "one", tmp_path / "two"]
    for path, seed in zip(paths, "12", strict=True):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        subprocess.run([sys.executable, "-c", code, str(path)], check=True, env=environment)
    assert paths[0].read_bytes() == paths[1].read_bytes()


@pytest.mark.parametrize(
    ("header", "why"),
    [
        ({}, "'kind'"),
        ({"kind": 3}, "'kind'"),
        ({"kind": "k", "a": {1: 2}}, r"header\['a'\]: got the key 1"),
        ({"kind": "k", "a": [0, (1,)]}, r"header\['a'\]\[1\]: got a value of type tuple"),
        ({"kind": "k", "a": float("nan")}, "got nan, wanted a finite number"),
        ({"kind": "k", "a": np.float64(1)}, "of type float64"),
        ({"kind": "k", "a": b"x"}, "of type bytes"),
        ({"kind": "k", "a": "x" * (9 << 20)}, "the header needs"),
    ],
)
def test_headers_that_json_would_change_are_refused(tmp_path, header, why):
    with pytest.raises(InputError, match=why):
        model_file.write(tmp_path / "m", header, {"answer.x": b"a"})
    assert list(tmp_path.iterdir()) == []


def test_a_header_nested_too_deep(tmp_path):
    deep = []
    for _ in range(40):
        deep = [deep]
    with pytest.raises(InputError, match="nested deeper than 32"):
        model_file.write(tmp_path / "m", {"kind": "k", "a": deep}, {"answer.x": b"a"})


def test_texts_of_any_kind_come_back(tmp_path):
    texts = ["", "\0", "\\u0061", '"', "\ud800", "😀", "\u2028", "a" * 100_000]
    model_file.write(tmp_path / "m", {"kind": "k", "texts": texts}, {"answer.x": b"a"})
    assert model_file.open(tmp_path / "m").header["texts"] == texts


@pytest.mark.parametrize(
    ("tensors", "why"),
    [
        ({}, "tensors: got none, wanted one"),
        ({"weights": b"a"}, "names begin with"),
        ({"answer.ä": b"a"}, "names begin with"),
        ({"answer.x": np.array(["a"])}, "wanted one of"),
        ({"answer.x": np.array([1j])}, "wanted one of"),
        ({"answer.x": np.zeros((1,) * 9)}, "with 9 dimensions"),
    ],
)
def test_tensors_that_cannot_be_stored_are_refused(tmp_path, tensors, why):
    with pytest.raises(InputError, match=why):
        model_file.write(tmp_path / "m", {"kind": "k"}, tensors)


def test_a_full_disk_leaves_the_old_model(model_path):
    before = model_path.read_bytes()
    code = """
import resource, sys
from hardlimit import model_file, exceptions
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
try:
    model_file.write(sys.argv[1], {"kind": "k"}, {"answer.x": bytes(1 << 20)})
except exceptions.FileError as error:
    assert "untouched" in str(error) and sys.argv[1] in str(error), error
else:
    raise SystemExit("not refused")
"""
    subprocess.run([sys.executable, "-c", code, str(model_path)], check=True)
    assert model_path.read_bytes() == before
    assert os.listdir(model_path.parent) == [model_path.name]


@pytest.mark.parametrize("error", [KeyboardInterrupt, RuntimeError, MemoryError])
def test_an_interrupt_leaves_the_old_model(model_path, monkeypatch, error):
    before = model_path.read_bytes()

    def interrupted(path, arrays, text):
        with open(path, "wb") as file:
            file.write(b"half")
        raise error

    monkeypatch.setattr(writing, "_save", interrupted)
    with pytest.raises(error):
        model_file.write(model_path, {"kind": "k"}, {"answer.x": b"a"})
    assert model_path.read_bytes() == before
    assert os.listdir(model_path.parent) == [model_path.name]


def test_what_we_would_refuse_never_replaces_a_model(model_path, monkeypatch):
    before = model_path.read_bytes()
    monkeypatch.setattr(writing, "_save", lambda path, arrays, text: None)
    with pytest.raises(ModelFileError, match="empty"):
        model_file.write(model_path, {"kind": "k"}, {"answer.x": b"a"})
    assert model_path.read_bytes() == before


def test_flushed_before_renamed_and_the_folder_after(tmp_path, monkeypatch):
    calls = []
    flush, replace = os.fsync, os.replace

    def fsync(handle):
        calls.append("folder" if stat.S_ISDIR(os.fstat(handle).st_mode) else "file")
        flush(handle)

    def rename(source, target):
        calls.append("rename")
        replace(source, target)

    monkeypatch.setattr(os, "fsync", fsync)
    monkeypatch.setattr(os, "replace", rename)
    model_file.write(tmp_path / "m", {"kind": "k"}, {"answer.x": b"a"})
    assert calls == ["file", "rename", "folder"]


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664])
def test_permissions_of_an_old_file_are_kept(model_path, mode):
    model_path.chmod(mode)
    model_file.write(model_path, {"kind": "k"}, {"answer.x": b"a"})
    assert stat.S_IMODE(model_path.stat().st_mode) == mode


@pytest.mark.parametrize("mask", [0o022, 0o077])
def test_a_new_file_follows_the_umask(tmp_path, mask):
    old = os.umask(mask)
    try:
        model_file.write(tmp_path / "m", {"kind": "k"}, {"answer.x": b"a"})
    finally:
        os.umask(old)
    assert stat.S_IMODE((tmp_path / "m").stat().st_mode) == 0o666 & ~mask


def test_links_are_followed_and_stay(model_path, tmp_path):
    link, fresh = tmp_path / "link", tmp_path / "fresh"
    link.symlink_to(model_path.name)
    fresh.symlink_to("not-yet")
    for path in (link, fresh):
        model_file.write(path, {"kind": "k"}, {"answer.x": b"a"})
        assert path.is_symlink()
    assert model_file.open(model_path).kind == "k"
    assert model_file.open(tmp_path / "not-yet").kind == "k"


def test_targets_that_cannot_be_written(tmp_path):
    loop = tmp_path / "loop"
    loop.symlink_to("loop")
    for path, why in [
        (tmp_path, "a folder"),
        (tmp_path / "missing" / "m", "does not exist; make it first"),
        ("/dev/null", "not a regular file"),
        (loop, "cannot be written"),
        (tmp_path / ("x" * 300), "cannot be written"),
    ]:
        with pytest.raises(FileError, match=why):
            model_file.write(path, {"kind": "k"}, {"answer.x": b"a"})
    assert os.listdir(tmp_path) == ["loop"]


def test_long_names_have_room_for_the_temporary_one(tmp_path):
    model_file.write(tmp_path / ("x" * 255), {"kind": "k"}, {"answer.x": b"a"})


def test_replacing_serves_any_file(tmp_path):
    path = tmp_path / "out.csv"
    path.write_text("old")
    with pytest.raises(ZeroDivisionError), replacing(path) as temporary:
        with open(temporary, "w") as file:
            file.write("half")
        raise ZeroDivisionError
    assert path.read_text() == "old"
    with replacing(path) as temporary, open(temporary, "w") as file:
        file.write("new")
    assert path.read_text() == "new"
    assert os.listdir(tmp_path) == ["out.csv"]
