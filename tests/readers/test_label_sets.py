"""Several labels in a cell, in every format that has such cells."""

import json

import pytest

from hardlimit.exceptions import DataFormatError, InputError
from hardlimit.readers import Layout, open_rows
from hardlimit.readers.label_sets import LabelSetReader

SEVERAL = Layout(labels_separator=",")


def labels_of(path, layout=SEVERAL, **more):
    with open_rows(path, layout, need_label=True, **more) as table:
        return [row.label for row in table], table.notes()


@pytest.mark.parametrize(
    ("separator", "cell", "labels"),
    [
        (",", "a,b", ("a", "b")),
        (",", " a , b ", ("a", "b")),
        (",", ",a,,b,", ("a", "b")),
        (",", "a,a,b,a", ("a", "b")),
        (",", "", ()),
        (",", "  ,, ", ()),
        (".*", "a.*b.c", ("a", "b.c")),
        ("|", "a|b", ("a", "b")),
        ("||", "a|b||c", ("a|b", "c")),
        (" ", "a  b", ("a", "b")),
        ("\\", "a\\b", ("a", "b")),
        (",", None, ()),
        (",", 3, (3,)),
        (",", True, (True,)),
        (",", ["a", 3, None, " b "], ("a", 3, "b")),
    ],
)
def test_cells(separator, cell, labels):
    assert LabelSetReader(separator).read(cell, "x:1") == labels


@pytest.mark.parametrize("separator", ["", "\n", "a\r"])
def test_what_parts_nothing_is_refused(separator):
    with pytest.raises(InputError, match="labels_separator"):
        Layout(labels_separator=separator)


def test_a_list_whose_label_has_the_separator_is_refused_or_left_out(tmp_path):
    path = tmp_path / "a.jsonl"
    rows = [{"text": "x", "tags": ["a,b"]}, {"text": "y", "tags": ["c"]}]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    with pytest.raises(DataFormatError, match=":1: the label 'a,b' holds the separator"):
        labels_of(path)
    found, notes = labels_of(path, Layout(labels_separator=",", skip_bad=True))
    assert found == [("c",)] and "1 bad row was left out" in " ".join(notes)


def test_names_of_columns_that_mean_several(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text('id,topics,body\n1,"a,b",x\n2,,y\n')
    found, notes = labels_of(path)
    assert found == [("a", "b"), ()]
    assert notes == [f"{path}: 1 row has no label, of 2: none of the labels is theirs"]
    with pytest.raises(InputError, match="which column is the label"):
        open_rows(path, need_label=True)


def test_folders_lines_of_fasttext_and_several_files(tmp_path):
    for folder in ("a,b", "b"):
        (tmp_path / "mails" / folder).mkdir(parents=True)
        (tmp_path / "mails" / folder / "1.txt").write_text("text")
    assert labels_of(tmp_path / "mails")[0] == [("a", "b"), ("b",)]
    lines = tmp_path / "a.txt"
    lines.write_text("no label\n__label__a __label__b text __label__c\n__label__b\n")
    with open_rows(lines, SEVERAL, need_label=True) as table:
        rows = [(row.label, row.text) for row in table]
    assert rows == [((), "no label"), (("a", "b"), "text __label__c"), (("b",), "")]
    with pytest.raises(DataFormatError, match=":2: got 2 labels in one line.*labels_separator"):
        labels_of(lines, Layout())
    found, _ = labels_of([str(lines), str(lines)])
    assert len(found) == 6
    other = tmp_path / "b.jsonl"
    other.write_text('{"text": "x", "label": [1]}\n')
    with pytest.raises(DataFormatError, match="the labels are numbers"):
        labels_of([str(lines), str(other)])


def test_lists_of_arrow_and_cells_of_workbooks(tmp_path):
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    table = arrow.table({"text": ["x", "y", "z"], "labels": [["a", "b"], [], None]})
    parquet.write_table(table, tmp_path / "a.parquet")
    assert labels_of(tmp_path / "a.parquet")[0] == [("a", "b"), (), ()]
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for row in (("text", "labels"), ("x", "a, b"), ("y", None), ("z", 3)):
        book.active.append(row)
    book.save(tmp_path / "a.xlsx")
    assert labels_of(tmp_path / "a.xlsx")[0] == [("a", "b"), (), (3,)]


def test_rows_to_predict_need_no_label(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("text\nx\ny\n")
    with open_rows(path, SEVERAL, need_label=False) as table:
        assert [row.label for row in table] == [None, None] and table.notes() == []


@pytest.mark.parametrize(("cells", "told"), [(["a,b", "c"], True), (["a;b", "c,d"], False)])
def test_a_separator_that_no_row_has_is_told_where_another_one_stands(cells, told):
    sets = LabelSetReader(";")
    for cell in cells:
        sets.read(cell, "a.csv:2")
    assert ["and some have ','" in note for note in sets.notes("a.csv", 2)] == [True] * told
