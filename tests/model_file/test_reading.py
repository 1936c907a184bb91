"""What is read is what was written; by the safetensors library as well; without numpy."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import safetensors
import safetensors.numpy

from hardlimit import _native, model_file
from hardlimit.exceptions import FileError, ModelFileError
from hardlimit.model_file import document
from hardlimit.model_file.writing import CODES

GOLDEN = Path(__file__).parents[1] / "golden" / "format-1.hardlimit"


def test_round_trip(model_path, tensors):
    model = model_file.open(model_path, kind="example")
    assert model.header["labels"] == ["ham", "späm", 3, 0.1, True, None]
    assert set(model.names) == set(tensors)
    assert model.has_state
    assert model.size == model_path.stat().st_size
    for name, value in tensors.items():
        value = np.frombuffer(value, np.uint8) if isinstance(value, bytes) else value
        read = model.array(name)
        assert read.dtype == value.dtype
        np.testing.assert_array_equal(read, value)
        assert bytes(model.memory(name)) == value.tobytes()
        assert model.checked(name).read(0, value.nbytes) == value.tobytes()
    model.verify()


@pytest.mark.parametrize("dtype", CODES)
def test_every_element_type(tmp_path, dtype):
    path = tmp_path / "m"
    value = np.array([[0, 1, 1], [1, 0, 1]]).astype(dtype)
    model_file.write(path, {"kind": "k"}, {"answer.x": value, "answer.scalar": value[0, 1]})
    model = model_file.open(path)
    assert model.array("answer.x").dtype == np.dtype(dtype)
    np.testing.assert_array_equal(model.array("answer.x"), value)
    assert model.array("answer.scalar").shape == ()


def test_views_and_byte_orders_are_written_as_they_read(tmp_path):
    path = tmp_path / "m"
    value = np.arange(12, dtype=">f8").reshape(3, 4)
    model_file.write(path, {"kind": "k"}, {"answer.x": value.T, "answer.y": value[::2, ::-1]})
    model = model_file.open(path)
    np.testing.assert_array_equal(model.array("answer.x"), value.T)
    np.testing.assert_array_equal(model.array("answer.y"), value[::2, ::-1])


def test_what_is_read_cannot_be_changed(model_path):
    model = model_file.open(model_path)
    assert model.memory("answer.weights").readonly
    assert not model.array("answer.weights").flags.writeable


def test_the_library_reads_our_files(model_path, tensors):
    read = safetensors.numpy.load_file(model_path)
    np.testing.assert_array_equal(read["answer.weights"], tensors["answer.weights"])
    assert read["answer.terms"].tobytes() == tensors["answer.terms"]
    with safetensors.safe_open(model_path, "numpy") as opened:
        assert list(opened.metadata()) == ["hardlimit"]


def test_we_read_files_of_the_library(tmp_path):
    path = tmp_path / "m"
    value = np.arange(6, dtype=np.int16).reshape(2, 3)
    entry = document.entry_of("I16", (2, 3), _native.block_digests(value.view(np.uint8)))
    text = document.compose({"kind": "k"}, {"answer.x": entry})
    safetensors.numpy.save_file({"answer.x": value}, path, {"hardlimit": text})
    np.testing.assert_array_equal(model_file.open(path).array("answer.x"), value)


def test_opening_and_verifying_needs_neither_numpy_nor_safetensors(model_path):
    code = f"""
import sys
from hardlimit import model_file
model = model_file.open({str(model_path)!r})
model.verify()
assert bytes(model.memory("answer.terms")) == b"win a prize"
assert model.checked("answer.weights").read(4, 4) == b"\\0\\0\\x80?"
loaded = {{"numpy", "safetensors", "pickle", "tempfile", "random"}} & set(sys.modules)
assert not loaded, loaded
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_an_open_model_outlives_its_replacement(model_path):
    old = model_file.open(model_path)
    model_file.write(model_path, {"kind": "new"}, {"answer.terms": b"other"})
    assert bytes(old.memory("answer.terms")) == b"win a prize"
    old.verify()
    assert bytes(model_file.open(model_path).memory("answer.terms")) == b"other"


def test_views_outlive_the_model(model_path):
    weights = model_file.open(model_path).array("answer.weights")
    assert weights[2, 3] == 11


def test_one_touched_block_is_all_that_is_read(tmp_path):
    path = tmp_path / "m"
    model_file.write(path, {"kind": "k"}, {"answer.x": bytes(5 << 20), "state.y": bytes(3 << 20)})
    model = model_file.open(path)
    model.checked("answer.x").read(1 << 20, 10)
    assert [model.checked(name).n_blocks_seen for name in model.names] == [1, 0]


def test_a_damaged_state_does_not_hinder_prediction(tmp_path):
    path = tmp_path / "m"
    model_file.write(path, {"kind": "k"}, {"answer.x": b"answer", "state.y": b"theta"})
    path.write_bytes(path.read_bytes().replace(b"theta", b"thota"))
    model = model_file.open(path)
    assert bytes(model.memory("answer.x")) == b"answer"
    with pytest.raises(ModelFileError, match=r"tensor 'state.y' is damaged in block 0 of 1"):
        model.memory("state.y")
    with pytest.raises(ModelFileError, match=r"state.y"):
        model.verify()


def test_another_kind(model_path):
    with pytest.raises(
        ModelFileError, match="got a model of kind 'example', wanted 'text classifier'"
    ):
        model_file.open(model_path, kind="text classifier")


def test_an_unknown_tensor_names_those_that_are_there(model_path):
    for ask in ("checked", "memory", "array"):
        with pytest.raises(ModelFileError, match=r"no tensor 'answer.bias'; it has .*weights"):
            getattr(model_file.open(model_path), ask)("answer.bias")


def test_paths_that_cannot_be_read(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path, why in [
        (tmp_path / "missing", "No such file"),
        (tmp_path, "not a regular file"),
        (pipe, "not a regular file"),
        ("a\0b", "null"),
    ]:
        with pytest.raises(FileError, match=why):
            model_file.open(path)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root reads anything")
def test_a_file_without_permission(model_path):
    model_path.chmod(0)
    with pytest.raises(FileError, match="Permission denied"):
        model_file.open(model_path)


def test_the_golden_container_of_format_1():
    model = model_file.open(GOLDEN, kind="golden")
    assert model.header == {"kind": "golden", "labels": ["ham", "späm", 3], "number": 0.1}
    assert model.names == ("state.theta", "answer.weights", "answer.terms")
    assert model.array("answer.weights").tolist() == [[0.0, -1.0], [0.5, 2.0]]
    assert model.array("state.theta").tolist() == [0.1, -0.0, 1e300]
    assert bytes(model.memory("answer.terms")) == "win ä prize".encode()
