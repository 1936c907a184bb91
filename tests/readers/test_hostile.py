"""Files that must be refused, each with its sentence."""

from pathlib import Path

import pytest

from hardlimit.exceptions import ColumnError, DataFormatError, InputError
from hardlimit.readers import load_numbers, open_rows

HOSTILE = Path(__file__).parents[1] / "hostile" / "readers"
TEXT = {
    "unclosed_quote.csv": ':3:1: a quote (") is opened and never closed',
    "after_quote.csv": ":3:6: expected ',' or the end of the row after the closing quote, got 'x'",
    "ragged_long.csv": ":3:4: 3 fields, but the header has 2: enclose a field that contains ','",
    "ragged_short.csv": ":3:1: 1 fields, but the header has 2: fill in the missing fields",
    "ragged.tsv": ":3:7: 3 fields, but the first row has 2",
    "missing_labels.csv": ":3: 2 of 3 rows have no label in column 'label' (line 3, 4)",
    "no_rows.csv": ": no row below the header",
    "empty.csv": ": the file is empty",
    "only_line_ends.csv": ": nothing but empty lines",
    "only_nul.csv": ": one column only",
    "unknown_columns.csv": "which column is the text? There are 'id', 'wrds', 'fold'; say --text",
    "twin_columns.csv": ": 2 columns are called 'text' (numbers 0, 1)",
    "one_column.csv": ": one column only ('text'), so there are no labels",
    "broken.jsonl": ":2:15: not JSON: Expecting property name",
    "array.jsonl": ":2:1: expected an object ({...}), got a list",
    "no_text.jsonl": ":2: expected a string under the key 'text', there are ['body', 'label']",
    "text_is_null.jsonl": ":2: expected a string under the key 'text', got null",
    "label_is_list.jsonl": ", a number or a boolean as the label 'label', got [2]",
    "label_is_nan.jsonl": ", a number or a boolean as the label 'label', got NaN",
    "null_label.jsonl": ":2: 1 of 2 rows have no label in column 'label' (line 2)",
    "deep.jsonl": ":2:1: JSON beyond all measure",
    "long_number.jsonl": ":1:1: JSON beyond all measure",
    "workbook.csv": ": this is a zip archive (a workbook?): save it as CSV",
    "cut_off.csv.gz": ":1: the compressed file is damaged or cut off",
}
NUMBERS = {
    "index_alone.svm": ":2: expected 'index:value', got '12' (column 8)",
    "label_word.svm": ":2: expected a number as label, got 'spam' (column 1)",
    "several_labels.svm": ":2: several labels '1,3' (column 1); one was wanted",
    "twice.svm": ":2:12: index 3 occurs twice",
    "nan.svm": ":2: 'nan' is not finite, in '1:nan' (column 4)",
    "infinity.svm": ":2: '-inf' is not finite, in '2:-inf' (column 8)",
    "overflow.svm": ":2: '1e999' is not finite, in '1:1e999' (column 4)",
    "negative_index.svm": ":2: expected 'index:value', got '-1:3' (column 4)",
    "underscore.svm": ":1: expected 'index:value', got '1_0:2' (column 4)",
    "huge_index.svm": ":2:4: index beyond 2147483646",
    "word_value.svm": ":2: 'x' is no number, in '2:x' (column 4)",
    "two_colons.svm": ":1: '2:3' is no number, in '1:2:3' (column 4)",
    "empty.svm": ": the file is empty",
    "comments_only.svm": ": no row of numbers",
    "word.data": ":2:3: column '1': expected a number, got 'four'",
    "nan.data": ":2:3: column '1': 'nan' is not finite",
    "infinity.data": ":2:1: column '0': '-inf' is not finite",
    "empty_cell.data": ":2:3: column '1': expected a number, got an empty cell",
    "no_label.data": ":2:5: column '2': the label is missing",
    "ragged.data": ":2: 2 fields, but the first row has 3",
    "one_column.data": ": one column only; features and a target were wanted",
    "underscore.data": ":2:3: column '1': expected a number, got '1_0'",
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
