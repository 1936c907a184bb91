"""What is particular to TSV, JSON Lines, plain lines and folders."""

import gzip

import pytest

from hardlimit.exceptions import DataFormatError, FileError, InputError
from hardlimit.readers import Layout, open_rows


def rows_of(path, need_label=True, **layout):
    with open_rows(path, Layout(**layout), need_label=need_label) as table:
        return list(table)


def test_tsv_a_quote_is_a_character(write):
    path = write("x.tsv", 'ham\t"see you\nham\tok\nspam\t"win" now\n')
    assert [row.text for row in rows_of(path)] == ['"see you', "ok", '"win" now']


def test_tsv_with_quoting(write):
    path = write("x.tsv", 'label\ttext\nham\t"see\n""you"""\n')
    assert [row.text for row in rows_of(path, quoting=True)] == ['see\n"you"']


def test_tsv_keeps_carriage_returns_inside(write):
    rows = rows_of(write("x.tsv", "label\ttext\r\nham\ta\rb\r\n"))
    assert [(row.text, row.line) for row in rows] == [("a\rb", 2)]


def test_tsv_another_delimiter(write):
    assert rows_of(write("x.tsv", "label^text\nx^a\n"), delimiter="^")[0].text == "a"


def test_tsv_last_line_without_end(write):
    assert rows_of(write("x.tsv", "label\ttext\nx\ta"))[0].text == "a"


def test_jsonl_labels_keep_their_kind(write):
    labels = ["true", '"true"', "1", "1.0", '"1"', "-2.5"]
    lines = [f'{{"text": "a", "label": {label}}}\n' for label in labels]
    found = [row.label for row in rows_of(write("x.jsonl", "".join(lines)))]
    assert found == [True, "true", 1, 1.0, "1", -2.5]
    assert [type(label) for label in found] == [bool, str, int, float, str, float]


def test_jsonl_keys_may_differ(write):
    path = write("x.jsonl", '{"text": "a", "label": 1}\n\n{"n": [1], "label": 2, "text": "b"}\n')
    with open_rows(path, need_label=True) as table:
        rows = list(table)
        assert table.columns == ("text", "label", "n")
        assert table.notes()[-1].endswith("1 empty row was skipped")
    assert rows[1].fields == {"n": [1], "label": 2, "text": "b"}
    assert [row.line for row in rows] == [1, 3]


def test_jsonl_named_keys(write):
    path = write("x.jsonl", '{"q": "a", "k": "x", "text": "no"}\n')
    (row,) = rows_of(path, text="q", label="k")
    assert (row.text, row.label) == ("a", "x")
    with pytest.raises(InputError, match="no column 'p' for the text; there are 'q', 'k', 'text'"):
        rows_of(path, text="p", label="k")


def test_jsonl_escapes(write):
    (row,) = rows_of(
        write("x.jsonl", r'{"text": "\ud83d\ude00\n\u0000\ud800", "label": ""}'), False
    )
    assert (row.text, row.label) == ("\U0001f600\n\0\ud800", None)


def test_jsonl_without_labels_to_predict(write):
    (row,) = rows_of(write("x.jsonl", '{"text": "a"}\n'), False, text="text", label="label")
    assert (row.text, row.label) == ("a", None)


def test_lines_keep_empty_ones(write):
    rows = rows_of(write("x.txt", "a\n\n  b \r\n\n"), False)
    assert [row.text for row in rows] == ["a", "", "  b ", ""]
    assert [row.line for row in rows] == [1, 2, 3, 4]


def test_lines_have_no_labels(write):
    with pytest.raises(InputError, match="plain lines have no labels"):
        rows_of(write("x.txt", "a\n"))


@pytest.fixture
def mails(tmp_path):
    for name in ("spam/2.txt", "ham/10.txt", "ham/1.txt", "ham/old/a.txt", "ham/.hidden", ".x/y"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    return tmp_path


def test_folder_order_and_labels(mails):
    rows = rows_of(mails)
    assert [(row.label, row.text.decode()) for row in rows] == [
        ("ham", "ham/1.txt"),
        ("ham", "ham/10.txt"),
        ("ham", "ham/old/a.txt"),
        ("spam", "spam/2.txt"),
    ]
    assert rows[2].fields == ("ham/old/a.txt",)


def test_folder_with_a_file_beside_the_classes(mails):
    (mails / "notes.txt").write_text("x")
    with pytest.raises(
        DataFormatError, match=r"notes\.txt: this file lies beside the class folders"
    ):
        rows_of(mails)
    assert {row.label for row in rows_of(mails, False)} == {"ham", "spam", None}


def test_folder_documents_in_other_encodings(mails):
    (mails / "ham/1.txt").write_bytes("\u00e9".encode("utf-16"))
    (mails / "ham/10.txt").write_bytes(b"\xef\xbb\xbf\xff")
    (mails / "spam/2.txt").write_bytes(gzip.compress(b"packed"))
    assert [row.text for row in rows_of(mails)] == ["\u00e9", b"\xff", b"ham/old/a.txt", b"packed"]


def test_empty_folder(tmp_path):
    with pytest.raises(DataFormatError, match="no files in this folder"):
        rows_of(tmp_path)


def test_folder_link_to_nowhere(mails):
    (mails / "ham/zz").symlink_to(mails / "gone")
    with pytest.raises(FileError, match="no such file"):
        rows_of(mails)


@pytest.mark.parametrize("size", [5_000_000, pytest.param(60_000_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    ("name", "start", "end"),
    [
        ("x.csv", "label,text\nx,", "\n"),
        ("x.csv", 'label,text\nx,"', '"\n'),
        ("x.tsv", "label\ttext\nx\t", "\n"),
        ("x.jsonl", '{"label": "x", "text": "', '"}\n'),
        ("x.txt", "", "\n"),
    ],
)
def test_a_very_long_line(write, size, name, start, end):
    path = write(name, start + "ab c " * (size // 5) + end)
    (row,) = rows_of(path, need_label=name != "x.txt")
    assert len(row.text) == size
