"""No file, refused or read, costs more than n log n: each hostile shape at two sizes.

Eight times the bytes may take thirty times the processor time; quadratic would be sixty-four.
"""

import gzip
import json

import pytest

from hardlimit.exceptions import InputError
from hardlimit.readers import Layout, load_numbers, open_rows, write_rows
from hardlimit.readers.detecting import detect, find_stray_word
from hardlimit.readers.rows import label_variants
from hardlimit.readers.writing import find_free_names

TEXTS = {
    "an unclosed quote.csv": lambda n: b'text,label\n"' + b'a""\n' * n,
    "a quote inside a field.csv": lambda n: b'text,label\nx,y\n"' + b'a""' * n + b'"x,y\n',
    "lone returns.csv": lambda n: b"text,label\n" + b"a,b\r" * n,
    "returns before the end.csv": lambda n: b"text,label\na,b" + b"\r" * n + b"\n",
    "columns of one name.csv": lambda n: b"text," * n + b"label\n" + b"a," * n + b"b\n",
    "columns.csv": lambda n: ",".join(f"c{i}" for i in range(n)).encode() + b"\n" + b"1," * n,
    "a row too wide.csv": lambda n: b"text,label\na,b\n" + b"a," * n,
    "delimiters.csv": lambda n: (b",;\t|" * n + b"\n") * 3,
    "empty lines.csv": lambda n: b"\n" * n + b"text,label\na,b\n",
    "rows without labels.csv": lambda n: b"text,label\n" + b"a,\n" * n,
    "not UTF-8.csv": lambda n: b"text,label\n\xe9" + b"\xff\xc3" * n + b",b\n",
    "tabs.tsv": lambda n: b"a\tb\n" + b"\t" * n,
    "brackets.jsonl": lambda n: b'{"text":' + b"[" * n,
    "closed brackets.jsonl": lambda n: b'{"text":' + b"[" * n + b"]" * n + b"}",
    "a long number.jsonl": lambda n: b'{"text":"a","label":' + b"1" * n + b"}",
    "a long fraction.jsonl": lambda n: b'{"text":"a","label":1.' + b"1" * n + b"e5}",
    "one key.jsonl": lambda n: b"{" + b'"text":"a",' * n + b'"label":1}',
    "keys.jsonl": lambda n: json.dumps({f"k{i}": 1 for i in range(n)}).encode(),
    "escapes.jsonl": lambda n: b'{"text":"' + b"\\u00e9" * n,
    "digits": lambda n: b"1" * n + b"x |a b\n",
    "blanks": lambda n: b"1" + b" " * n + b"x\n",
    "a tag": lambda n: b"1 '" + b"a" * n + b"\n",
    "mails": lambda n: b"From a" + b"00:00" * n + b"\n\n",
    "packed.csv.gz": lambda n: gzip.compress(b"text,label\n" + b"a" * n + b",b,c\n"),
}
NUMBERS = {
    "an index twice.svm": lambda n: b"1 " + b" ".join(b"%d:1" % i for i in range(n)) + b" 0:1\n",
    "an index beyond.svm": lambda n: b"1 " + b"1:1 " * n + b"99999999999:1\n",
    "falling.svm": lambda n: b"1 " + b" ".join(b"%d:1" % i for i in range(n, 0, -1)) + b"\n",
    "digits.svm": lambda n: b"1 1:" + b"1" * n + b"x\n",
    "index digits.svm": lambda n: b"1 " + b"1" * n + b":1\n",
    "zeros.svm": lambda n: b"1 " + b"0" * n + b"1:1 1:1\n",
    "blanks.svm": lambda n: b"1" + b" " * n + b"x\n",
    "words.svm": lambda n: b"1 " + b"1:1 " * n + b"x\n",
    "bad cell.data": lambda n: b"1," * n + b"x,1\n" + b"1," * n + b"y,1\n",
    "digits.data": lambda n: b"1," + b"1" * n + b"x,0\n1,2,0\n",
    "long number.data": lambda n: b"1," + b"1" * n + b",0\n1,2,0\n",
    "names.vw": lambda n: b"1 |" + b" ".join(b"a%d" % i for i in range(n)) + b"\n",
    "one name.vw": lambda n: b"1 |" + b" a" * n + b" b:x\n",
    "bars.vw": lambda n: b"1 " + b"|a" * n + b"|b :\n",
    "a long name.vw": lambda n: b"1 |a " + b"x" * n + b":\n",
    "words before.vw": lambda n: b"1 " * n + b"|a b\n",
    "attributes.arff": lambda n: b"@attribute a real\n" * n + b"@data\n" + b"1," * n + b"1\n",
    "quotes.arff": lambda n: b"@attribute '" + b"\\'" * n + b" real\n@data\n",
    "values.arff": lambda n: b"@attribute k {" + b"'a'," * n + b"b}\n@data\nz\n",
    "pairs.arff": lambda n: (
        b"@attribute a real\n@attribute b real\n@data\n{" + b"0 1," * n + b"}\n"
    ),
    "cells.arff": lambda n: b"@attribute a real\n@data\n" + b"'x'," * n + b"\n",
    "small number.data": lambda n: b"1,0." + b"0" * n + b"1,0\n1,2,0\n",
}


def read_texts(path):
    for need_label in (True, False):
        try:
            with open_rows(path, None, need_label=need_label) as table:
                for _ in table:
                    pass
        except InputError as error:
            assert len(str(error)) < 5000


def read_numbers(path):
    for need_label in (True, False):
        try:
            load_numbers(path, need_label=need_label)
        except InputError as error:
            assert len(str(error)) < 5000


def guess(path):
    detect(path)
    find_stray_word(path)


@pytest.mark.parametrize("shape", TEXTS)
def test_texts(shape, write, growth):
    assert growth(read_texts, lambda n: write(f"{n}{shape}", TEXTS[shape](n)), 2000) < 30


@pytest.mark.parametrize("shape", NUMBERS)
def test_numbers(shape, write, growth):
    assert growth(read_numbers, lambda n: write(f"{n}{shape}", NUMBERS[shape](n)), 2000) < 30


@pytest.mark.parametrize("shape", ["digits", "long", "columns", "names"])
def test_guesses(shape, write, growth):
    cells = {
        "digits": lambda n: "a,b,c\n" + f"1,{'1' * n}x,0\n" * 3,
        "long": lambda n: "a,b,c\n" + f"1,{'1' * n},0\n" * 3,
        "columns": lambda n: ("1," * n + "x\n") * 4,
        "names": lambda n: ",".join(f"c{i}" for i in range(n)) + "\n" + ("1," * n + "\n") * 3,
    }[shape]
    assert growth(guess, lambda n: write(f"{n}.csv", cells(n)), 4000) < 30


@pytest.mark.parametrize("missing", [False, True])
def test_columns_matched_by_name(missing, write, growth):
    """A table of a hundred thousand columns, asked of a model that knows them by name."""

    def read(given):
        path, columns = given
        try:
            load_numbers(path, columns=columns, need_label=False)
        except InputError as error:
            assert missing and len(str(error)) < 5000

    def make(n):
        names = [f"c{i}" for i in range(n)]
        path = write(f"{n}.csv", ",".join(names) + "\n" + ",".join(["1"] * n) + "\n")
        return path, [*reversed(names), *(["x"] if missing else [])]

    assert growth(read, make, 1500) < 30


@pytest.mark.parametrize(
    "names", [lambda n: ["a"] * n, lambda n: ["a", "predicted_a"] * n, lambda n: [f"a{n}"] * n]
)
def test_new_names(names, growth):
    assert growth(lambda given: find_free_names(given, given), names, 1000) < 30
    assert find_free_names((), ["a", "a", "a"]) == ("a", "predicted_a", "predicted_a_2")


def test_columns_of_one_name_are_written(write, tmp_path, growth):
    def copy(path):
        with open_rows(path, Layout(text=0, header=False), need_label=False) as table:
            table.columns = ("a",) * len(table.columns)
            write_rows(tmp_path / "out.jsonl", table, ["label"], ((row, ["x"]) for row in table))

    assert growth(copy, lambda n: write(f"{n}.csv", "b," * n + "\n"), 1000) < 30


@pytest.mark.parametrize(
    "labels",
    [
        lambda n: ["a" + "\u0316\u0301" * n],  # marks that a normal form sorts
        lambda n: ["\ufdfa" * n],
        lambda n: [" " * i + "a" for i in range(n // 10)],
    ],
)
def test_variants_of_labels(labels, growth):
    assert growth(label_variants, lambda n: dict.fromkeys(labels(n), 1), 3000) < 30
    assert all(len(sentence) < 20_000 for sentence in label_variants({"a" * 999: 1, "A" * 999: 1}))


def test_whole_numbers_as_labels_have_at_most_64_bits(write):
    """Python's sets would take quadratic time for multiples of 2^61 - 1."""
    (row,) = open_rows(
        write("a.jsonl", '{"text": "a", "label": 18446744073709551616}'), None, need_label=True
    )
    assert row.label == 2**64
    path = write("a.jsonl", '{"text": "a", "label": 2305843009213693951000}')
    with pytest.raises(InputError, match="a number of up to 64 bits"):
        list(open_rows(path, None, need_label=True))
