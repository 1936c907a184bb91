"""Tables: what they count, what they note, and labels that look alike."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardlimit.exceptions import DataFormatError
from hardlimit.readers import Layout, label_variants, open_rows


def opened(path, **layout):
    return open_rows(path, Layout(**layout), need_label=False)


def test_a_table_is_read_once(write):
    table = opened(write("x.csv", "text,label\na,b\nc,d\n"))
    assert [row.text for row in table] == ["a", "c"] and table.rows_read == 2
    assert list(table) == []


def test_rows_keep_their_line_and_their_fields(write):
    table = opened(write("x.csv", 'id,text,label\n1,"two\nlines",x\n2,b,\n'))
    assert [tuple(row) for row in table] == [
        (2, "two\nlines", "x", ("1", "two\nlines", "x")),
        (4, "b", None, ("2", "b", "")),
    ]


@pytest.mark.parametrize(("empty", "said"), [(1, "1 empty row was"), (3, "3 empty rows were")])
def test_empty_rows_are_noted(write, empty, said):
    path = write("x.csv", "text,label\na,b\n" + "\n" * empty)
    table = opened(path)
    assert len(list(table)) == 1 and table.skipped == empty
    assert table.notes() == [f"{path}: {said} skipped"]


def test_bytes_that_are_replaced_are_noted(write):
    path = write("x.csv", "text,label\nüé,b\n".encode() + b"\xff,b\n")
    table = opened(path)
    assert [row.text for row in table] == ["üé", "\ufffd"]
    assert table.notes() == [f"{path}: 1 invalid byte sequence was replaced (first in line 3)"]


def test_a_guess_is_noted_and_nothing_else_is(write):
    path = write("x.csv", b"text,label\ncaf\xe9,b\n")
    table = opened(path)
    assert [row.text for row in table] == ["café"]
    assert table.notes() == [f"{path}: not UTF-8, read as cp1252 (Windows)"]
    table = opened(write("y.csv", "text,label\ncafé,b\n"))
    assert len(list(table)) == 1 and table.notes() == []


@pytest.mark.parametrize("data", ["", "\n\n\n", "text,label\n"])
def test_no_rows_are_no_training_file(write, data):
    path = write("x.csv", data)
    with pytest.raises(DataFormatError) as caught:
        list(open_rows(path, need_label=True))
    assert caught.value.where == path


def test_a_header_alone_is_nothing_to_predict(write):
    assert list(opened(write("x.csv", "text,label\n"))) == []


def open_files():
    """The paths that this process holds open."""
    folder = Path("/proc/self/fd")
    return {str(link.resolve()) for link in folder.iterdir() if link.exists()}


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="asks the kernel of Linux")
def test_a_table_closes_its_file(write):
    path = write("x.csv", "text,label\na,b\nc,d\n")
    with opened(path) as table:
        next(iter(table))
        assert path in open_files()
    assert path not in open_files()
    with opened(path) as table:
        list(table)
        assert path not in open_files()  # read to its end


@pytest.mark.parametrize(
    ("counts", "wanted"),
    [
        ({"a": 1, "b": 2}, []),
        ({"a": 1, "A": 2}, ["'A' (2), 'a' (1)"]),
        ({"a b": 1, "a  b": 1, " A b": 5}, ["' A b' (5), 'a  b' (1), 'a b' (1)"]),
        ({"é": 3, "e\u0301": 1}, ["'é' (3), 'e\u0301' (1)"]),
        ({1: 2, "1": 3, False: 1}, []),
        ({"x": 1, "X": 1, "y": 1, "Y": 2}, ["'X' (1), 'x' (1)", "'Y' (2), 'y' (1)"]),
    ],
)
def test_labels_that_look_alike(counts, wanted):
    head = "labels that differ only in case or spaces: "
    assert label_variants(counts) == [head + named for named in wanted]
