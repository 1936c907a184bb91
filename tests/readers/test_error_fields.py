"""What an error of a reader says field by field: faces make sentences of these."""

from __future__ import annotations

import pytest

from hardlimit.exceptions import ColumnError, DataFormatError, FileError, InputError, Setting
from hardlimit.readers import Layout, load_numbers, open_rows, write_rows


def refused(path, layout=None, error=InputError, **options):
    with pytest.raises(error) as caught:
        list(open_rows(path, layout, need_label=options.pop("need_label", True), **options))
    return caught.value


def settings_of(fix):
    return {part.name: part.value for part in fix if isinstance(part, Setting)}


@pytest.mark.parametrize(
    ("data", "place", "words"),
    [
        ('text,label\na,b\n"c,d\n', "3:1", "never closed"),
        ('text,label\n"a"x,b\n', "2:4", "after the closing quote"),
        ("text,label\na,b,c\n", "2:4", "3 fields"),
        ("text,label\na\n", "2:1", "1 field,"),
    ],
)
def test_a_broken_csv_names_line_and_column(write, data, place, words):
    path = write("x.csv", data)
    error = refused(path, error=DataFormatError)
    assert error.where == f"{path}:{place}" and words in error.reason and error.fix


def test_a_stray_quote_can_be_read_without_quoting(write):
    error = refused(write("x.csv", 'text,label\na,b\n"c,d\n'))
    assert settings_of(error.fix) == {"quoting": False}


def test_a_missing_column_suggests_the_nearest(write):
    path = write("x.csv", "Message,Folder\na,b\n")
    error = refused(path, Layout(text="mesage"), ColumnError)
    assert error.where == path and error.fix == "did you mean 'Message'?"
    error = refused(path, Layout(text="zzz"), ColumnError)
    assert error.fix == "" and "'Message', 'Folder'" in error.reason


def test_columns_that_cannot_be_told_apart_name_the_parameter(write):
    error = refused(write("x.csv", "a,b,c\n1,2,3\n"), error=ColumnError)
    assert settings_of(error.fix) == {"text": "NAME", "label": "NAME", "header": False}
    path = write("y.csv", "1,2,3\n4,5,6\n")
    error = refused(path, Layout(header=False), ColumnError)
    assert settings_of(error.fix) == {"text": "NUMBER", "label": "NUMBER"}


def test_a_list_of_columns_has_an_end(write):
    names = [f"column{k}" for k in range(5000)]
    path = write("x.csv", ",".join(names) + "\n" + ",".join("1" for _ in names) + "\n")
    message = str(refused(path, Layout(text="nothing"), ColumnError))
    assert len(message) < 600 and "and 4988 more" in message


def test_rows_without_labels_are_counted_in_one_error(write):
    rows = "".join(f"text {k},{'' if k % 3 else 'ham'}\n" for k in range(30))
    path = write("x.csv", "text,label\n" + rows)
    error = refused(path, error=DataFormatError)
    assert error.where == f"{path}:3"
    assert error.reason == (
        "20 of 30 rows have no label in column 'label' (line 3, 4, 6, 7, 9, ...)"
    )


@pytest.mark.parametrize(
    ("line", "where", "got"),
    [
        ('{"text": 3, "label": "a"}', ": key 'text'", "3"),
        ('{"text": "b", "label": {"x": 1}}', ": key 'label'", '{"x": 1}'),
    ],
)
def test_a_value_of_another_kind_names_its_key(write, line, where, got):
    path = write("x.jsonl", '{"text": "a", "label": "b"}\n' + line + "\n")
    error = refused(path, error=DataFormatError)
    assert error.where == f"{path}:2{where}" and error.got == got


@pytest.mark.parametrize(
    ("row", "column", "got"),
    [("+1 1:2 x", 8, "x"), ("ham 1:2", 1, "ham"), ("1,2 1:2", 1, "1,2"), ("+1 -1:2", 4, "-1:2")],
)
def test_svmlight_names_line_and_column(write, row, column, got):
    path = write("x.svm", f"# a comment\n\n{row}\n")
    with pytest.raises(DataFormatError) as caught:
        load_numbers(path)
    assert caught.value.where == f"{path}:3:{column}" and caught.value.got == got


def test_many_indices_with_a_double_are_refused_at_once(write):
    """Counting each index anew took a minute for a row of this length."""
    row = " ".join(f"{k}:1" for k in range(1, 150_000))
    path = write("x.svm", f"+1 {row} 149999:1\n")
    with pytest.raises(DataFormatError, match="index 149999 occurs twice"):
        load_numbers(path)


@pytest.mark.parametrize(
    ("cell", "got", "wanted"),
    [("x", "x", "a number"), ("", "an empty cell", "a number"), ("inf", "inf", "a finite number")],
)
def test_a_cell_that_is_no_number_names_its_column(write, cell, got, wanted):
    path = write("x.csv", f"a,b,kind\n1,2,yes\n3,{cell},no\n")
    with pytest.raises(DataFormatError) as caught:
        load_numbers(path)
    error = caught.value
    assert error.where == f"{path}:3:3: column 'b'" and (error.got, error.wanted) == (got, wanted)


def test_columns_of_another_file_are_named(write):
    path = write("x.csv", "a,c,kind\n1,2,yes\n")
    with pytest.raises(ColumnError, match="there is no column 'b', which the model was trained on"):
        load_numbers(path, "kind", columns=["a", "b"])
    with pytest.raises(ColumnError) as caught:
        load_numbers(path, "kind", columns=["a"])
    assert caught.value.fix == "remove that column" and "'c'" in caught.value.reason
    twice = write("y.csv", "a,a,kind\n1,2,yes\n")
    with pytest.raises(ColumnError, match="two columns are called 'a'; rename one"):
        load_numbers(twice, "kind", columns=["a"])


def test_a_file_without_names_can_be_read_in_order(write):
    with pytest.raises(ColumnError) as caught:
        load_numbers(write("x.csv", "1,2,yes\n3,4,no\n"), columns=["a", "b"])
    assert settings_of(caught.value.fix) == {"header": False}


def test_formats_that_there_are(write):
    path = write("x.csv", "a,b\n")
    error = refused(path, Layout(format="xls"))
    assert (error.parameter, error.got) == ("format", "xls") and "jsonl" in error.wanted
    with pytest.raises(InputError) as caught:
        load_numbers(path, format="xls")
    assert "numeric-csv, " in caught.value.wanted and "svmlight" in caught.value.wanted


def test_a_folder_and_a_file_are_not_taken_for_each_other(write, tmp_path):
    path = write("x.csv", "text,label\na,b\n")
    error = refused(path, Layout(format="folder"), FileError)
    assert error.where == path and "not a folder" in error.reason
    error = refused(str(tmp_path), Layout(format="csv"), FileError)
    assert error.where == str(tmp_path) and "is a folder" in error.reason


def test_where_a_table_cannot_be_written(write, tmp_path):
    path = write("x.csv", "text,label\na,b\n")
    with open_rows(path, need_label=True) as table, pytest.raises(InputError) as caught:
        write_rows(tmp_path / "x.pdf", table, [], [])
    error = caught.value
    assert error.where.endswith("x.pdf") and error.got == ".pdf"
    target = tmp_path / "no" / "such" / "x.csv"
    with open_rows(path, need_label=True) as table, pytest.raises(FileError) as failed:
        write_rows(target, table, [], [])
    assert "x.csv" in str(failed.value)


@pytest.mark.parametrize(
    ("head", "what"),
    [(b"PK\x03\x04", "zip"), (b"\xd0\xcf\x11\xe0", "Office")],
)
def test_another_container_is_named_with_a_way_out(write, head, what):
    path = write("x.csv", head + b"\0" * 40)
    error = refused(path, error=DataFormatError)
    assert error.where == path and what in error.reason and error.fix
