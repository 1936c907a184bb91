"""ARFF as Weka writes it."""

import pytest

from hardlimit.exceptions import ColumnError, DataFormatError
from hardlimit.readers import load_numbers

HEAD = """% a comment
@RELATION iris

@ATTRIBUTE 'sepal length' REAL
@attribute width numeric
@attribute kind {a, 'b c', "d\\"e"}
@DATA
"""


def test_dense_rows(write):
    found = load_numbers(write("a.arff", HEAD + "1.5,2,a\n% note\n\n-1e3, 4 ,'b c'\n0,0,'d\"e'\n"))
    assert found.X.tolist() == [[1.5, 2], [-1000, 4], [0, 0]]
    assert found.y.tolist() == ["a", "b c", 'd"e'] and list(found.lines) == [8, 11, 12]
    assert found.columns == ("sepal length", "width") and found.label == "kind"


def test_sparse_rows(write):
    rows = "{0 1.5, 2 'b c'}\n{1 3}\n{ }\n"
    found = load_numbers(write("a.arff", HEAD + rows))
    assert found.X.shape == (3, 2) and found.X.indptr.tolist() == [0, 1, 2, 2]
    assert found.X.indices.tolist() == [0, 1] and found.X.data.tolist() == [1.5, 3]
    assert found.y.tolist() == ["b c", "a", "a"]


def test_the_label_is_found_by_name_or_kind(write):
    head = "@relation r\n@attribute {} {{0,1}}\n@attribute p real\n@attribute q integer\n@data\n"
    path = write("a.arff", head.format("outcome") + "1,2,3\n0,4,5\n")
    assert load_numbers(path).label == "outcome" and load_numbers(path).y.tolist() == [1, 0]
    with pytest.raises(ColumnError, match="'outcome' holds no numbers"):
        load_numbers(path, "q")
    assert load_numbers(path, "q", drop=["outcome"]).X.tolist() == [[2], [4]]
    asked = load_numbers(path, columns=["q", "p"], label="outcome", need_label=False)
    assert asked.X.tolist() == [[3, 2], [5, 4]]


BAD = {
    "1,2\n": ":8:1: 2 values, but there are 3 attributes",
    "1,x,a\n": ":8: attribute 'width': got 'x', wanted a finite number",
    "1,?,a\n": r":8: attribute 'width': got a missing value \(\?\)",
    "1,nan,a\n": ":8: attribute 'width': got 'nan'",
    "1,2,z\n": ":8: got 'z', wanted one of 'a', 'b c'",
    "1,2,?\n": ":8: the label is missing",
    "1,2,a\n{0 1}\n": ":9: dense and sparse",
    "{0 1\n": ":8:4: the row is not closed",
    "{7 1}\n": ":8:2: got '7 1', wanted INDEX VALUE",
    "{0 1, 0 2}\n": ":8: index 0 occurs twice",
    "": "no row of numbers",
}


@pytest.mark.parametrize("rows", BAD)
def test_rows_that_are_refused(write, rows):
    with pytest.raises(DataFormatError, match=BAD[rows]):
        load_numbers(write("a.arff", HEAD + rows))


def test_headers_that_are_refused(write):
    for text, said in {
        "": "no @data",
        "@data\n1,2\n": "no @data below attributes",
        "@attribute x real\n": "no @data",
        "hello\n": ":1:1: got 'hello', wanted @attribute",
    }.items():
        with pytest.raises(DataFormatError, match=said):
            load_numbers(write("a.arff", text))


def test_bad_rows_are_left_out(write):
    found = load_numbers(write("a.arff", HEAD + "1,2,a\n1,?,a\n3,4,a\n"), skip_bad=True)
    assert len(found.y) == 2 and "1 bad row was left out" in found.notes[0]
