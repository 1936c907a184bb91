"""Several files of texts are one table, and of numbers one matrix."""

import gzip

import pytest

from hardlimit.exceptions import ColumnError, DataFormatError, FileError, InputError
from hardlimit.readers import Layout, load_numbers, open_rows


def test_rows_of_all_files_come_in_order(write):
    paths = [
        write("a.csv", "text,label\none,x\n"),
        write("b.csv.gz", gzip.compress(b"label;text\ny;two\n")),
        write("c.jsonl", '{"label": "x", "more": 1, "text": "three"}\n'),
    ]
    table = open_rows(paths, need_label=True)
    assert [(row.text, row.label, row.line) for row in table] == [
        ("one", "x", 2),
        ("two", "y", 2),
        ("three", "x", 1),
    ]
    assert table.layout.text == "text" and table.rows_read == 3


def test_a_folder_may_stand_beside_files(write, tmp_path):
    (tmp_path / "mails" / "x").mkdir(parents=True)
    (tmp_path / "mails" / "x" / "1.txt").write_text("two")
    paths = [write("a.csv", "text,label\none,x\n"), tmp_path / "mails"]
    assert [row.text for row in open_rows(paths, need_label=True)] == ["one", b"two"]


def test_errors_and_notes_name_their_file(write):
    first = write("a.csv", "text,label\none,x\n,\n")
    ragged = write("b.csv", "text,label\none,x\ntwo,y,z\n")
    table = open_rows([first, ragged], need_label=True)
    with pytest.raises(DataFormatError, match=r"b\.csv:3:"):
        list(table)
    assert [note for note in table.notes() if "a.csv: 1 empty row" in note]
    other = write("c.csv", "body,label\none,x\n")
    with pytest.raises(ColumnError, match=r"c\.csv: there is no column 'text'"):
        list(open_rows([first, other], need_label=True))
    empty = write("d.csv", "")
    with pytest.raises(DataFormatError, match=r"d\.csv: the file is empty"):
        list(open_rows([first, empty], need_label=True))


def test_a_missing_file_is_refused_before_the_first_row(write):
    with pytest.raises(FileError, match=r"b\.csv: no such file"):
        open_rows([write("a.csv", "text,label\none,x\n"), "b.csv"], need_label=True)
    with pytest.raises(InputError, match="standard input"):
        open_rows([write("a.csv", "text,label\none,x\n"), "-"], need_label=True)
    with pytest.raises(InputError, match="no file"):
        open_rows([], need_label=True)


def test_labels_of_one_kind(write):
    """The label "1" of a CSV and the label 1 of JSON would be two classes."""
    paths = [write("a.csv", "text,label\none,1\n"), write("b.jsonl", '{"text":"a","label":1}')]
    with pytest.raises(DataFormatError, match=r"b\.jsonl:1: the labels are numbers"):
        list(open_rows(paths, need_label=True))


def test_a_format_that_is_named_is_that_of_all(write):
    paths = [write("a", "x\tone\n"), write("b.csv", "y\ttwo\n")]
    layout = Layout(format="tsv", text=1, label=0, header=False)
    assert [row.label for row in open_rows(paths, layout, need_label=True)] == ["x", "y"]


def test_tables_of_numbers_are_matched_by_name(write):
    paths = [write("a.csv", "p,q,y\n1,2,u\n"), write("b.csv", "y,q,p\nv,4,3\n")]
    found = load_numbers(paths)
    assert found.X.tolist() == [[1, 2], [3, 4]] and found.y.tolist() == ["u", "v"]
    assert found.files == ((paths[0], 1), (paths[1], 1)) and list(found.lines) == [2, 2]
    wide = write("c.csv", "p,q,r,y\n1,2,3,u\n")
    with pytest.raises(ColumnError, match=r"c\.csv: the model was trained on"):
        load_numbers([paths[0], wide])


def test_indices_count_from_0_if_they_do_in_any_file(write):
    paths = [write("a.svm", "1 1:5\n"), write("b.svm", "-1 0:2 1:3\n1 3:1\n")]
    found = load_numbers(paths)
    assert found.zero_based and found.X.shape == (3, 4)
    assert found.X.indices.tolist() == [1, 0, 1, 3] and found.X.indptr.tolist() == [0, 1, 3, 4]
    one = load_numbers([paths[0], write("c.svm", "2 7:1\n")])
    assert not one.zero_based and one.X.shape == (2, 7) and one.y.tolist() == [1, 2]


def test_files_of_numbers_that_do_not_go_together(write):
    svm, table = write("a.svm", "1 1:5\n"), write("a.csv", "1,2\n")
    with pytest.raises(DataFormatError, match=r"a\.csv: sparse and dense"):
        load_numbers([svm, table])
    words = write("b.csv", "1,x\n")
    with pytest.raises(DataFormatError, match=r"b\.csv: the labels are words"):
        load_numbers([table, words])
    assert load_numbers([svm, write("d.svm", "0.5 1:1\n")]).y.tolist() == [1, 0.5]


def test_the_number_of_columns_that_was_asked_for_holds_for_files_that_count_from_0_and_1(write):
    paths = [write("a.svm", "1 0:1 3:2\n"), write("b.svm", "-1 1:5 9:1\n")]
    assert load_numbers(paths, n_features=10).X.shape == (2, 10)
    assert load_numbers(paths[::-1], n_features=10).X.shape == (2, 10)
    with pytest.raises(InputError, match=r"b.svm: has 10 columns, but 9 were wanted"):
        load_numbers(paths, n_features=9)
