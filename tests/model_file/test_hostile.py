"""Every refusal, by a file that provokes it; and no byte of a file can be changed unnoticed."""

import os
import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardlimit import model_file
from hardlimit.exceptions import ModelFileError


def refusal(path, contents):
    """Return the message that refuses these contents, None when they are read whole."""
    path.write_bytes(contents)
    try:
        model_file.open(path).verify()
    except ModelFileError as error:
        return str(error)
    return None


def test_the_forged_original_is_accepted(hostile, tmp_path):
    assert refusal(tmp_path / "m", hostile["forge"]()) is None


def test_every_hostile_file_is_refused_with_its_sentence(hostile, tmp_path):
    for name, (contents, sentence) in hostile["FILES"].items():
        message = refusal(tmp_path / name, contents)
        assert message is not None, name
        assert message.startswith(str(tmp_path / name)), message
        assert sentence in message, name


def test_the_committed_files_are_those(hostile):
    small = {name: made for name, (made, _) in hostile["FILES"].items() if len(made) < 10_000}
    found = {path.name: path.read_bytes() for path in hostile["FOLDER"].iterdir()}
    assert found == small


def test_every_flipped_bit_of_a_small_model_is_found(hostile, tmp_path):
    original = hostile["forge"]()
    path = tmp_path / "m"
    path.write_bytes(original)
    with path.open("r+b", buffering=0) as file:
        for index, byte in enumerate(original):
            for bit in range(8):
                os.pwrite(file.fileno(), bytes([byte ^ 1 << bit]), index)
                with pytest.raises(ModelFileError):
                    model_file.open(path).verify()
            os.pwrite(file.fileno(), bytes([byte]), index)
    model_file.open(path).verify()


def test_every_truncation_is_found(hostile, tmp_path):
    original = hostile["forge"]()
    for length in range(len(original)):
        assert refusal(tmp_path / "m", original[:length]) is not None, length


@settings(max_examples=300, deadline=None)
@given(data=st.data())
def test_no_garbled_file_escapes(hostile, tmp_path_factory, data):
    original = hostile["forge"]()
    begin = data.draw(st.integers(0, len(original)))
    end = data.draw(st.integers(begin, min(begin + 40, len(original))))
    piece = data.draw(
        st.binary(max_size=40)
        | st.sampled_from([b"\\u0061", b"[" * 40, b"1e999", b"-0", b'"', b"{}", b"NaN", b" "])
    )
    changed = original[:begin] + piece + original[end:]
    if data.draw(st.booleans()):  # a header of the right length reaches the later checks
        grown = len(piece) - (end - begin)
        length = struct.unpack("<Q", original[:8])[0] + grown
        changed = struct.pack("<Q", max(length, 0)) + changed[8:]
    message = refusal(tmp_path_factory.getbasetemp() / "garbled", changed)
    assert (message is None) == (changed == original)


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=200))
def test_random_bytes_are_refused(tmp_path_factory, contents):
    assert refusal(tmp_path_factory.getbasetemp() / "random", contents) is not None


@pytest.mark.parametrize("claim", [2**62, 2**63, 2**64 - 1, (16 << 20) + 1])
def test_a_huge_claim_is_refused_without_reading(tmp_path, claim):
    message = refusal(tmp_path / "m", struct.pack("<Q", claim) + b"{" + bytes(1000))
    assert f"the header claims {claim:,} bytes" in message


@pytest.mark.parametrize("kind", [dict, list])
def test_a_header_is_nested_no_deeper_than_the_specification_says(hostile, tmp_path, kind):
    def made(depth):
        value = 1
        for _ in range(depth):
            value = {"a": value} if kind is dict else [value]

        def change(document):
            document["header"]["deep"] = value

        return hostile["forge"](change)

    assert refusal(tmp_path / "m", made(31)) is None
    assert "nested deeper than 32 levels" in refusal(tmp_path / "m", made(32))
    assert "nested deeper than 32 levels" in refusal(tmp_path / "m", made(700))
