"""Bytes to lines, against a decoder that reads the whole file at once."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardlimit.exceptions import InputError
from hardlimit.readers.decoding import TextSource, decode_marked, strip_line_end

pieces = st.sampled_from([b"a", b" ", b",", b"\xc3\xa9", b"\xe4\xb8\xad", b"\xff", b"\xe9", b"\r"])
lines_of_bytes = st.lists(st.lists(pieces, max_size=6).map(b"".join), max_size=5)


def read(path, encoding=None):
    with TextSource(path, encoding) as source:
        return list(source.lines()), source


def slow_lines(rows):
    """The documented rule, with the whole file in hand: lines, places replaced, cp1252 or not."""
    texts, replaced, guessed, seen_utf8 = [], 0, False, False
    for raw in rows:
        try:
            text = raw.decode()
            seen_utf8 = seen_utf8 or not text.isascii()
        except UnicodeDecodeError:
            text = raw.decode("utf-8", "replace")
            bad = text.count("\ufffd")
            good = sum(ord(sign) > 127 for sign in text) - bad
            guessed = guessed or (not seen_utf8 and good <= bad)
            if guessed:
                text = raw.decode("cp1252", "replace")
                bad = text.count("\ufffd")
            else:
                seen_utf8 = True  # decided: damaged UTF-8, for the rest of the file
            replaced += bad
        texts.append(text)
    return texts, replaced, guessed


@given(lines_of_bytes)
def test_lines_of_valid_utf_8_are_always_read_as_such(tmp_path_factory, rows):
    path = tmp_path_factory.mktemp("decoding") / "x.txt"
    path.write_bytes(b"".join(row + b"\n" for row in rows))
    lines, _ = read(str(path))
    for row, line in zip(rows, lines, strict=True):
        try:
            assert line == row.decode() + "\n"
        except UnicodeDecodeError:
            assert line != row.decode("utf-8", "ignore") + "\n"


@given(
    st.lists(st.sampled_from([b"plain", b"caf\xe9", b"caf\xc3\xa9", b"\xc3\xa9 \xff"]), max_size=4)
)
def test_what_is_guessed_and_what_is_replaced(tmp_path_factory, rows):
    path = tmp_path_factory.mktemp("decoding") / "x.txt"
    path.write_bytes(b"".join(row + b"\n" for row in rows))
    lines, source = read(str(path))
    texts, replaced, guessed = slow_lines([row + b"\n" for row in rows])
    if not any(row == b"\xc3\xa9 \xff" for row in rows):  # what follows a mixed line is in order
        assert lines == texts
    assert source.guessed == guessed
    if lines == texts:
        assert source.replaced == replaced


def test_as_many_good_signs_as_bad_ones_are_cp1252(write):
    """One place that is UTF-8 and one that is not: Excel's file, as the rule says."""
    path = write("x.txt", b"\xc3\xa9 \xe9\n")
    lines, source = read(path)
    assert source.guessed and source.encoding == "cp1252" and lines == ["Ã© é\n"]


def test_one_good_sign_more_is_damaged_utf_8(write):
    path = write("x.txt", b"\xc3\xa9\xc3\xa9 \xe9\n")
    lines, source = read(path)
    assert not source.guessed and lines == ["éé \ufffd\n"] and source.replaced == 1


def test_a_replacement_character_that_stood_in_the_file_is_none_of_ours(write):
    _, source = read(write("x.txt", "a\ufffdb\n".encode()))
    assert source.replaced == 0 and source.first_replaced == 0


def test_the_first_place_that_is_replaced_is_named(write):
    _, source = read(write("x.txt", "é\n".encode() + b"ok\n\xff\xff\n\xff\n"))
    assert (source.replaced, source.first_replaced) == (3, 3)


def test_numbers_of_lines_follow_what_was_given(write):
    with TextSource(write("x.txt", "a\nb\nc")) as source:
        assert source.peek(2) == ["a\n", "b\n"] and source.number == 0
        given_lines = source.lines()
        assert next(given_lines) == "a\n" and source.number == 1
        assert source.peek(5) == ["b\n", "c"] and source.number == 1
        assert list(given_lines) == ["b\n", "c"] and source.number == 3


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_the_first_line_tells_how_lines_end(write, end):
    lines, source = read(write("x.txt", f"a{end}b\n"))
    assert source.line_end == end and [strip_line_end(line) for line in lines] == ["a", "b"]


@pytest.mark.parametrize("line", ["", "\n", "\r\n", "a\r", "a\r\n", "a\n", "\r", "a\n\n"])
def test_one_end_of_a_line_is_taken_off(line):
    bare = strip_line_end(line)
    assert line in (bare, bare + "\n", bare + "\r\n")
    assert bare == line or not bare.endswith("\r")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32", "utf-8-sig"])
def test_a_marked_document_is_decoded_and_another_left_as_bytes(encoding):
    data = "no prize: ü".encode(encoding)
    text = decode_marked(data)
    assert text in ("no prize: ü", "no prize: ü".encode())
    assert decode_marked(b"caf\xe9", "latin-1") == "café"


def test_an_encoding_that_nobody_knows_names_the_parameter(write):
    with pytest.raises(InputError) as caught:
        TextSource(write("x.txt", "a"), "klingon")
    assert (caught.value.parameter, caught.value.got) == ("encoding", "klingon")
    assert "cp1252" in caught.value.wanted


def test_standard_input_is_left_open(stdin):
    import sys

    stdin(b"a\nb\n")
    with TextSource("-") as source:
        assert source.name == "<stdin>" and list(source.lines()) == ["a\n", "b\n"]
    assert not sys.stdin.buffer.closed


@pytest.mark.parametrize("name", ["hex", "rot13", "base64", "undefined", "idna", "\udcff", ""])
def test_what_is_no_encoding_of_text_is_refused(name, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("text,label\na,b\n")
    with pytest.raises(InputError, match="wanted the name of an encoding"):
        TextSource(str(path), name)


@pytest.mark.parametrize("order", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize("marked", [True, False])
def test_an_encoding_of_two_byte_orders(order, marked, tmp_path):
    """Asked for by its short name: the mark decides, and without one it is Windows' order."""
    if not marked and order.endswith("be"):
        return
    path = tmp_path / "t.txt"
    path.write_bytes(("\ufeff" * marked + "\u0394 prize\nmore\n").encode(order))
    with TextSource(str(path), order[:-3]) as source:
        assert list(source.lines()) == ["\u0394 prize\n", "more\n"]
