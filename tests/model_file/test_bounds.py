"""Just inside of each bound of a model file, and just outside."""

import json

import numpy as np
import pytest

from hardlimit import _native, model_file
from hardlimit.exceptions import InputError, ModelFileError
from hardlimit.model_file import document, table

BLOCK = _native.DIGEST_BLOCK_SIZE


@pytest.mark.parametrize("shape", [(1,) * 8, (2, 1, 3), (0, 4), ()])
def test_as_many_dimensions_as_are_allowed_can_be_read_again(tmp_path, shape):
    array = np.arange(np.prod(shape), dtype=np.float64).reshape(shape)
    model_file.write(tmp_path / "m", {"kind": "k"}, {"answer.x": array})
    again = model_file.open(tmp_path / "m").array("answer.x")
    assert again.shape == shape and (again == array).all()


def test_as_many_blanks_as_align_the_tensors(tmp_path):
    """Headers of all lengths are filled up with 0 to 7 blanks; with 8 more they are damaged."""
    seen = set()
    for more in range(8):
        model_file.write(tmp_path / "m", {"kind": "k", "a": "x" * more}, {"answer.x": b"a"})
        contents = (tmp_path / "m").read_bytes()
        length = int.from_bytes(contents[:8], "little")
        header = contents[8 : 8 + length]
        seen.add(len(header) - len(header.rstrip(b" ")))
        assert model_file.open(tmp_path / "m").header["a"] == "x" * more
        wider = (length + 8).to_bytes(8, "little") + header + b" " * 8 + contents[8 + length :]
        (tmp_path / "m").write_bytes(wider)
        with pytest.raises(ModelFileError, match="header is damaged"):
            model_file.open(tmp_path / "m")
    assert seen == set(range(8))


def test_the_longest_header_that_is_believed():
    def start(length):
        return length.to_bytes(8, "little") + b"{"

    most = table.MAX_HEADER
    assert table.header_length(start(most), 8 + most, "m") == most
    with pytest.raises(ModelFileError, match="at least 1 byte is missing"):
        table.header_length(start(most), 7 + most, "m")
    with pytest.raises(ModelFileError, match="at most 16,777,216 are allowed"):
        table.header_length(start(most + 1), 9 + most, "m")


@pytest.mark.parametrize(
    ("shape", "held"),
    [([0, 2**61, 1], 0), ([0, 2**62 - 1], 0), ([0, 2**61, 2], None), ([0, 2**62], None)],
)
def test_the_largest_shape_that_an_empty_tensor_may_claim(shape, held):
    entries = {"answer.x": {"dtype": "U8", "shape": shape, "data_offsets": [0, 0]}}
    if held is None:
        with pytest.raises(ModelFileError, match="impossible shape"):
            table.tensors(entries, 16, 16, "m")
    else:
        assert table.tensors(entries, 16, 16, "m")["answer.x"].shape == tuple(shape)


def nested(depth):
    value = []
    for _ in range(depth - 1):
        value = [value]
    return value


def test_the_deepest_header(tmp_path):
    inside = document.MAX_DEPTH
    model_file.write(tmp_path / "m", {"kind": "k", "a": nested(inside)}, {"answer.x": b"a"})
    assert model_file.open(tmp_path / "m").header["a"] == json.loads(json.dumps(nested(inside)))
    with pytest.raises(InputError, match=f"deeper than {inside} levels"):
        model_file.write(tmp_path / "m", {"kind": "k", "a": nested(inside + 1)}, {"answer.x": b"a"})


@pytest.mark.parametrize("size", [1, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK, 2 * BLOCK + 1])
def test_the_first_and_the_last_byte_of_each_block_are_checked(tmp_path, size):
    path = tmp_path / "m"
    model_file.write(path, {"kind": "k"}, {"answer.x": bytes(size)})
    model_file.open(path).verify()
    contents = path.read_bytes()
    places = {0, size - 1, *(p for p in range(BLOCK - 1, size, BLOCK)), *range(0, size, BLOCK)}
    for place in places:
        damaged = bytearray(contents)
        damaged[len(contents) - size + place] ^= 1
        path.write_bytes(damaged)
        with pytest.raises(ModelFileError, match=f"block {place // BLOCK}"):
            model_file.open(path).verify()
        with pytest.raises(ModelFileError, match=f"block {place // BLOCK}"):
            model_file.open(path).memory("answer.x")
