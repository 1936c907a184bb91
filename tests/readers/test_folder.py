"""Folders of classes: order, labels, hidden files, one document."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import pytest

from hardlimit.exceptions import DataFormatError
from hardlimit.readers import Layout, open_rows
from hardlimit.readers.folder import list_paths


@pytest.fixture
def mails(tmp_path):
    """Four documents of two classes, with a folder inside a class and hidden files."""
    for path, data in {
        "spam/b.txt": b"win",
        "spam/a/z.txt": b"prize",
        "ham/2.txt": b"noon",
        "ham/1.txt.gz": gzip.compress(b"lunch"),
        "ham/.hidden": b"no",
        ".git/config": b"no",
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(data)
    return tmp_path


def rows_of(folder, need_label=True, **layout):
    return list(open_rows(folder, Layout(**layout) if layout else None, need_label=need_label))


def test_rows_come_in_the_order_of_their_paths(mails):
    rows = rows_of(mails)
    assert [(row.label, row.fields[0], row.text) for row in rows] == [
        ("ham", "ham/1.txt.gz", b"lunch"),
        ("ham", "ham/2.txt", b"noon"),
        ("spam", "spam/a/z.txt", b"prize"),
        ("spam", "spam/b.txt", b"win"),
    ]
    assert [row.line for row in rows] == [1, 2, 3, 4]


def test_the_layout_is_the_folders_own(mails):
    table = open_rows(mails, need_label=True)
    assert table.layout == Layout(format="folder") and table.columns == ("path",)
    assert len(list(table)) == 4 and table.notes() == []


def test_one_document_of_such_a_folder_is_one_row(mails):
    (row,) = rows_of(mails / "ham" / "1.txt.gz", need_label=False, format="folder")
    assert (row.text, row.label, row.fields) == (b"lunch", None, ("1.txt.gz",))


def test_a_folder_of_documents_has_no_labels(mails):
    rows = rows_of(mails / "ham", need_label=False)
    assert [(row.text, row.label) for row in rows] == [(b"lunch", None), (b"noon", None)]
    with pytest.raises(DataFormatError) as caught:
        rows_of(mails / "ham")
    assert caught.value.where.endswith("ham/1.txt.gz") and "class" in caught.value.fix


def test_a_folder_without_documents_is_named(tmp_path):
    (tmp_path / "empty").mkdir()
    with pytest.raises(DataFormatError) as caught:
        rows_of(tmp_path)
    assert caught.value.where == str(tmp_path)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32", "latin-1"])
def test_documents_in_other_encodings(tmp_path, encoding):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "1.txt").write_bytes("größer".encode(encoding))
    asked = {"encoding": encoding, "format": "folder"} if encoding == "latin-1" else {}
    (row,) = rows_of(tmp_path, **asked)
    assert row.text == "größer" and row.label == "a"


def test_folders_nested_deeper_than_calls_of_python(tmp_path):
    folder = tmp_path / "ham"
    folder.mkdir()
    (folder / "z.txt").write_text("last")
    here, depth = os.getcwd(), 1100
    try:
        os.chdir(folder)
        for _ in range(depth):  # one by one: together the name is too long for the system
            os.mkdir("d")
            os.chdir("d")
        Path("deep.txt").write_text("first")
        paths = list(list_paths(str(tmp_path)))
    finally:
        Path("deep.txt").unlink(missing_ok=True)
        while Path.cwd() != folder:  # Python's own removal calls itself, too
            os.chdir("..")
            os.rmdir("d")
        os.chdir(here)
    assert paths == ["ham/" + "d/" * depth + "deep.txt", "ham/z.txt"]
