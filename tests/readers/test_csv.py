import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardlimit.exceptions import DataFormatError
from hardlimit.readers import Layout, open_rows, write_rows

BY_NAME = Layout(text="text", label="label")


def rows_of(path, layout=BY_NAME, need_label=False):
    with open_rows(path, layout, need_label=need_label) as table:
        return list(table)


def test_rfc_4180(write):
    path = write("x.csv", 'text,label\r\n"a ""b"", c\r\nd",x\r\nplain,"y, z"\r\n"",w\r\n')
    rows = rows_of(path, need_label=True)
    assert [(row.text, row.label) for row in rows] == [
        ('a "b", c\r\nd', "x"),
        ("plain", "y, z"),
        ("", "w"),
    ]
    assert [row.line for row in rows] == [2, 4, 5]


def test_a_quote_inside_an_unquoted_field_is_a_character(write):
    assert rows_of(write("x.csv", 'text,label\n5" disk,x\n'))[0].text == '5" disk'


@pytest.mark.parametrize("delimiter", [";", "\t", "|"])
def test_other_delimiters_are_told_by_content(write, delimiter):
    text = 'text,label\n"a, b; c|d\te",x\nf,y\n'.replace("text,", f"text{delimiter}")
    text = text.replace('",x', f'"{delimiter}x').replace("f,", f"f{delimiter}")
    rows = rows_of(write("x.csv", text), need_label=True)
    assert [(row.text, row.label) for row in rows] == [("a, b; c|d\te", "x"), ("f", "y")]


def test_commas_in_the_text_do_not_fool_it(write):
    path = write("x.csv", "label;text\nx;a, b, c\ny;d\nx;e, f\n")
    assert [row.text for row in rows_of(path)] == ["a, b, c", "d", "e, f"]


def test_excels_sep_line(write):
    path = write("x.csv", "sep=;\r\nlabel;text\r\nx;a,b\r\n")
    table = open_rows(path, BY_NAME, need_label=True)
    rows = list(table)
    assert (rows[0].fields, rows[0].line, table.delimiter) == (("x", "a,b"), 3, ";")


def test_a_delimiter_asked_for(write):
    path = write("x.csv", "text:label\na,b:x\n")
    assert rows_of(path, Layout(delimiter=":"))[0].text == "a,b"


def test_lines_of_the_old_macintosh(write):
    rows = rows_of(write("x.csv", 'text,label\ra,x\r"b\rc",y\r'), need_label=True)
    assert [row.text for row in rows] == ["a", "b\rc"]


def test_without_quoting(write):
    rows = rows_of(write("x.csv", 'text,label\n"a,x\n'), Layout(quoting=False))
    assert rows[0].text == '"a'


def test_empty_rows_are_skipped_and_counted(write):
    table = open_rows(write("x.csv", "text,label\na,x\n,\n\nb,y\n,\n"), need_label=True)
    assert [row.text for row in table] == ["a", "b"]
    assert table.notes()[-1].endswith("3 empty rows were skipped")


def test_spaces_around_names(write):
    assert rows_of(write("x.csv", " text , label \na,x\n"), need_label=True)[0].label == "x"


def test_a_field_of_any_length(write):
    long = "x" * 3_000_000 + '""' + "\n" * 1000
    (row,) = rows_of(write("x.csv", f'text,label\n"{long}",a\n'))
    assert len(row.text) == 3_001_001


@pytest.mark.parametrize(
    ("data", "where"),
    [
        ('text,label\na,x\n"b\nc\n,y\n', ":3:1: a quote"),
        ('text,label\na,"x\n"b\nc\n,y\n', ":3:2: expected ',' or the end of the row"),
        ('text,label\n"a""",x\nb,"c\n', ":3:3: a quote"),
        ('text,label\n"a" ,x\n', ":2:4: expected ','"),
        ('text,label\n"a\nb",c,"d" x\n', ":3:9: expected ','"),
    ],
)
def test_errors_name_their_place(write, data, where):
    with pytest.raises(DataFormatError) as caught:
        rows_of(write("x.csv", data))
    assert where in str(caught.value)


CELLS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\ufeff"), max_size=8)
ROWS = st.lists(st.tuples(CELLS, CELLS).filter(any), min_size=1, max_size=6)


@given(ROWS, st.sampled_from(",;|"), st.sampled_from(["\n", "\r\n"]))
def test_what_the_csv_module_writes_is_read(tmp_path_factory, rows, delimiter, end):
    path = tmp_path_factory.mktemp("csv") / "x.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter=delimiter, lineterminator=end, quoting=csv.QUOTE_ALL)
        writer.writerow(("text", "label"))
        writer.writerows(rows)
    found = rows_of(path, Layout(text="text", label="label", header=True, delimiter=delimiter))
    assert [row.fields for row in found] == rows


@given(ROWS, st.sampled_from(",;|"))
def test_the_csv_module_reads_what_is_written(tmp_path_factory, rows, delimiter):
    path = tmp_path_factory.mktemp("csv") / "x.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, delimiter=delimiter, quoting=csv.QUOTE_ALL).writerows(
            [("text", "label"), *rows]
        )
    out = io.StringIO()
    table = open_rows(path, Layout(text=0, header=True, delimiter=delimiter), need_label=False)
    write_rows(out, table, ["label"], ((row, [row.text]) for row in table))
    found = list(csv.reader(io.StringIO(out.getvalue(), newline=""), delimiter=delimiter))
    assert found == [["text", "label", "predicted_label"]] + [[a, b, a] for a, b in rows]
