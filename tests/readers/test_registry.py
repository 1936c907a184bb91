"""Which format a file is in: by what is asked, by its name, by its first lines."""

from __future__ import annotations

import pytest

from hardlimit.readers import Layout, formats, open_rows
from hardlimit.readers.registry import detect_by_extension


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("x.csv", "csv"),
        ("X.CSV", "csv"),
        ("a.b/x.tsv", "tsv"),
        ("x.tab.gz", "tsv"),
        ("x.jsonl.XZ", "jsonl"),
        ("x.ndjson.bz2", "jsonl"),
        ("x.log", "lines"),
        ("x", None),
        ("x.gz", None),
        ("x.csv.zip", None),
        (".csv", None),
    ],
)
def test_extensions(name, wanted):
    assert detect_by_extension(name) == wanted


def test_every_extension_belongs_to_one_format():
    extensions = [one for format in formats().values() for one in format.extensions]
    assert len(extensions) == len(set(extensions)) > 5
    for format in formats().values():
        for extension in format.extensions:
            assert detect_by_extension(f"x{extension}.gz") == format.name


@pytest.mark.parametrize(
    ("data", "need_label", "wanted"),
    [
        ("a,b\nc,d\n", True, "csv"),
        ("ham\ta\nspam\tb\n", True, "tsv"),
        ('{"text": "a", "label": "b"}\n', True, "jsonl"),
        ('  {"text": "a"}\n', False, "jsonl"),
        ("{not json\n", False, "lines"),
        ("one\ntwo\tthree\n", False, "lines"),
        ("ham\ta\nspam\tb\n", False, "tsv"),
        ("just a text\n", False, "lines"),
    ],
)
def test_a_file_without_an_extension_is_told_by_its_lines(write, data, need_label, wanted):
    layout = Layout(text=1, label=0, header=False) if wanted == "csv" else None
    with open_rows(write("x", data), layout, need_label=need_label) as table:
        assert table.layout.format == wanted


def test_standard_input_is_plain_lines_unless_labels_are_needed(stdin):
    stdin(b"ham\ta\nspam\tb\n")
    with open_rows("-", need_label=False) as table:
        assert table.layout.format == "lines"
    stdin(b"ham\ta\nspam\tb\n")
    with open_rows("-", need_label=True) as table:
        assert table.layout.format == "tsv"


def test_what_is_asked_for_is_stronger_than_the_name(write):
    path = write("x.csv", "ham\ta, b\nspam\tc\nham\td\n")
    with open_rows(path, Layout(format="tsv"), need_label=True) as table:
        assert [(row.label, row.text) for row in table] == [
            ("ham", "a, b"), ("spam", "c"), ("ham", "d"),
        ]  # fmt: skip


def test_a_file_that_is_refused_is_closed(write, recwarn):
    path = write("x.csv", "a,b,c\n1,2,3\n")
    for _ in range(3):
        with pytest.raises(ValueError, match="which column"):
            open_rows(path, need_label=True)
    assert not [one for one in recwarn if issubclass(one.category, ResourceWarning)]
