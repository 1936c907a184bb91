"""Files that must be refused, each with its sentence."""

from pathlib import Path

import pytest

from hardlimit.exceptions import ColumnError, DataFormatError, InputError
from hardlimit.readers import load_numbers, open_rows

HOSTILE = Path(__file__).parents[1] / "hostile" / "readers"
TEXT = {
    "unclosed_quote.csv": ':3:1: a quote (") is opened and never closed',
    "after_quote.csv": ":3:6: expected ',' or the end of the row after the closing quote, got 'x'",
    "ragged_long.csv": ":3:4: 3 fields, but the header has 2; enclose a field that contains ','",
    "ragged_short.csv": ":3:1: 1 field, but the header has 2; fill in the missing fields",
    "ragged.tsv": ":3:7: 3 fields, but the first row has 2",
    "missing_labels.csv": ":3: 2 of 3 rows have no label in column 'label' (line 3, 4)",
    "no_rows.csv": ": there is no row below the header",
    "empty.csv": ": the file is empty",
    "only_line_ends.csv": ": there are only empty lines",
    "only_nul.csv": ": there is only one column",
    "unknown_columns.csv": "which column is the text? There are 'id', 'wrds', 'fold'; say text=",
    "twin_columns.csv": ": 2 columns are called 'text' (numbers 0, 1)",
    "one_column.csv": ": there is only one column ('text'), so there are no labels",
    "broken.jsonl": ":2:15: not JSON: Expecting property name",
    "array.jsonl": ":2:1: expected an object ({...}), got a list",
    "no_text.jsonl": ":2: there is no key 'text'; there are 'body', 'label'",
    "text_is_null.jsonl": ":2: key 'text': got null, wanted a string",
    "label_is_list.jsonl": ":2: key 'label': got [2], wanted a label: a string, a number",
    "label_is_nan.jsonl": ":2: key 'label': got NaN, wanted a label",
    "null_label.jsonl": ":2: 1 of 2 rows has no label in column 'label' (line 2)",
    "deep.jsonl": ":2:1: a number is too long, or the nesting too deep",
    "long_number.jsonl": ":1:1: a number is too long, or the nesting too deep",
    "workbook.csv": ": this is a zip archive (a workbook?); save it as CSV",
    "cut_off.csv.gz": ":1: the compressed file is damaged or cut off",
}
NUMBERS = {
    "index_alone.svm": ":2:8: got '12', wanted index:value",
    "label_word.svm": ":2:1: got 'spam', wanted a number as the label",
    "several_labels.svm": ":2:1: got '1,3', wanted one label, not several",
    "twice.svm": ":2:12: index 3 occurs twice",
    "nan.svm": ":2:4: the value of '1:nan' is not finite",
    "infinity.svm": ":2:8: the value of '2:-inf' is not finite",
    "overflow.svm": ":2:4: the value of '1:1e999' is not finite",
    "negative_index.svm": ":2:4: got '-1:3', wanted index:value",
    "underscore.svm": ":1:4: got '1_0:2', wanted index:value",
    "huge_index.svm": ":2:4: index beyond 2147483646",
    "index_digits.svm": ":1:3: index beyond 2147483646",
    "word_value.svm": ":2:4: the value of '2:x' is not a number",
    "two_colons.svm": ":1:4: the value of '1:2:3' is not a number",
    "empty.svm": ": the file is empty",
    "comments_only.svm": ": there is no row of numbers",
    "lone_return.data": ":2:5: column '2': the label is missing",
    "word.data": ":2:3: column '1': got 'four', wanted a number",
    "nan.data": ":2:3: column '1': got 'nan', wanted a finite number",
    "infinity.data": ":2:1: column '0': got '-inf', wanted a finite number",
    "empty_cell.data": ":2:3: column '1': got an empty cell, wanted a number",
    "no_label.data": ":2:5: column '2': the label is missing",
    "ragged.data": ":2: 2 fields, but the first row has 3",
    "one_column.data": ": there is only one column; features and a target were wanted",
    "underscore.data": ":2:3: column '1': got '1_0', wanted a number",
}


def test_each_file_is_in_one_table():
    assert {path.name for path in HOSTILE.iterdir()} == set(TEXT) | set(NUMBERS)


@pytest.mark.parametrize("name", TEXT)
def test_text(name):
    with pytest.raises(InputError) as caught:
        list(open_rows(HOSTILE / name, need_label=True))
    message = str(caught.value)
    assert message.startswith(str(HOSTILE / name))
    assert TEXT[name] in message
    about_columns = "which column" in message or "one column" in message or "columns are" in message
    assert type(caught.value) is (ColumnError if about_columns else DataFormatError)


@pytest.mark.parametrize("name", NUMBERS)
def test_numbers(name):
    with pytest.raises(InputError) as caught:
        load_numbers(HOSTILE / name)
    assert str(caught.value).startswith(str(HOSTILE / name) + NUMBERS[name])
