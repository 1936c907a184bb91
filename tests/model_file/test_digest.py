"""The digest against the table of docs/model-format.md, against a slow twin, and against damage."""

import re
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardlimit import _native
from hardlimit.exceptions import ModelFileError

DOCUMENT = Path(__file__).parents[2] / "docs" / "model-format.md"
MASK = (1 << 64) - 1
BLOCK = _native.DIGEST_BLOCK_SIZE
VECTORS = {
    "none": b"",
    "`a`": b"a",
    "`hardlimit`": b"hardlimit",
    "64 zeros": bytes(64),
    "0, 1, ..., 255": bytes(range(256)),
}


def fold(a, b):
    product = a * b
    return (product & MASK) ^ (product >> 64)


def slow_digest(data):
    keys = [int(word, 16) for word in re.findall(r"\b[0-9a-f]{16}\b", DOCUMENT.read_text())[:8]]
    lanes = keys[:4]
    padded = data + bytes(-len(data) % 64)
    words = [int.from_bytes(padded[at : at + 8], "little") for at in range(0, len(padded), 8)]
    for at in range(0, len(words), 8):
        for i in range(4):
            first, second = words[at + 2 * i], words[at + 2 * i + 1]
            rotated = (lanes[i] << 23 | lanes[i] >> 41) & MASK
            lanes[i] = (rotated + fold(first ^ keys[4 + i], second ^ lanes[i])) & MASK
    h = len(data)
    for i in range(4):
        h = (fold(h ^ lanes[i] ^ keys[i], keys[4 + i]) + lanes[i]) & MASK
    return h


def test_the_table_of_the_document():
    rows = dict(re.findall(r"^\| (.+?) \| `([0-9a-f]{16})` \|$", DOCUMENT.read_text(), re.M))
    assert rows.keys() == VECTORS.keys()
    for name, data in VECTORS.items():
        assert f"{_native.digest(data):016x}" == rows[name], name


@given(st.binary(max_size=400))
def test_equals_the_slow_twin(data):
    assert _native.digest(data) == slow_digest(data)


@given(st.binary(min_size=1, max_size=300), st.data())
def test_any_changed_bit_changes_the_digest(data, draw):
    bit = draw.draw(st.integers(0, 8 * len(data) - 1))
    changed = bytearray(data)
    changed[bit // 8] ^= 1 << bit % 8
    assert _native.digest(changed) != _native.digest(data)


def test_length_and_order_count():
    data = bytes(range(192))
    swapped = data[64:128] + data[:64] + data[128:]
    digests = {_native.digest(bytes(n)) for n in range(200)}
    assert len(digests) == 200
    assert _native.digest(data) != _native.digest(swapped)
    assert _native.digest(data) != _native.digest(data[16:32] + data[:16] + data[32:])


def test_blocks():
    data = bytes(BLOCK) + b"tail"
    assert _native.block_digests(b"") == []
    assert _native.block_digests(data) == [_native.digest(bytes(BLOCK)), _native.digest(b"tail")]


def test_a_block_is_checked_when_touched_and_only_then():
    data = bytearray(3 * BLOCK + 5)
    digests = _native.block_digests(data)
    data[BLOCK + 7] = 1
    buffer = _native.CheckedBuffer("m.hardlimit: tensor 'x'", data, digests)
    assert (buffer.n_blocks, buffer.n_blocks_seen, len(buffer)) == (4, 0, 3 * BLOCK + 5)
    assert buffer.read(BLOCK - 2, 2) == b"\0\0"
    assert buffer.read(3 * BLOCK, 5) == bytes(5)
    assert buffer.n_blocks_seen == 2
    with pytest.raises(ModelFileError, match=r"m.hardlimit: tensor 'x' is damaged in block 1 of 4"):
        buffer.read(BLOCK - 1, 2)
    with pytest.raises(ModelFileError, match="restore the file"):
        buffer.verify()


def test_outside_is_refused():
    buffer = _native.CheckedBuffer("x", b"abcd")
    assert buffer.read(4, 0) == b""
    for first, count in [(5, 0), (0, 5), (4, 1), (2**63, 2**63), (1, 2**64 - 1)]:
        with pytest.raises(ModelFileError, match="has 4 bytes"):
            buffer.read(first, count)


def test_one_digest_a_block():
    with pytest.raises(ModelFileError, match="1 blocks but 2 digests"):
        _native.CheckedBuffer("x", b"abcd", [1, 2])


def test_bytes_without_digests_are_trusted():
    assert _native.CheckedBuffer("x", b"abcd").read(1, 2) == b"bc"


def test_the_buffer_is_held():
    data = bytearray(b"abcd")
    buffer = _native.CheckedBuffer("x", data)
    with pytest.raises(BufferError):
        data.append(1)
    del buffer
    data.append(1)


def test_threads_share_one_buffer():
    data = bytes(8 * BLOCK)
    buffer = _native.CheckedBuffer("x", data, _native.block_digests(data))
    threads = [threading.Thread(target=buffer.verify) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert buffer.n_blocks_seen == 8
