"""Ends of records, found without reading their fields, are those that the csv module finds."""

import csv
import io
import random

import pytest

from hardlimit.readers import csv_records
from hardlimit.readers.csv_records import find_record_ends


def _slowly(data, delimiter, targets):
    """The same by the csv module; None where it refuses the file."""
    at, ends = 0, []

    def lines():
        nonlocal at
        for line in io.BytesIO(data):
            at += len(line)
            yield line.decode()

    try:
        for _ in csv.reader(lines(), delimiter=delimiter, strict=True):
            if data[:at].endswith(b"\n"):  # the last one may lack its line end
                ends.append(at)
    except (csv.Error, UnicodeDecodeError):
        return None
    found = (next((end for end in ends if end >= target), None) for target in targets)
    return [end for end in found if end is not None]


@pytest.mark.parametrize("alphabet", ['a",\n', 'ab",\r\n\u00e9', '"a"\t\n', "ab,;\n\r"])
@pytest.mark.parametrize("block", [1, 3, 1 << 20])
def test_any_file(alphabet, block, monkeypatch):
    monkeypatch.setattr(csv_records, "_BLOCK", block)
    draw = random.Random(len(alphabet) * block)
    told = 0
    for _ in range(1500):
        data = "".join(draw.choices(alphabet, k=draw.randrange(24))).encode()
        if draw.random() < 0.05:
            data += b"\xff"
        targets = sorted(draw.sample(range(30), 3))
        delimiter = draw.choice(",\t;")
        found = find_record_ends(io.BytesIO(data), delimiter, 0, targets)
        assert found is None or found == _slowly(data, delimiter, targets), data
        told += found is not None
    assert told > 150


def test_plain_files_are_never_left_to_the_csv_module():
    draw = random.Random(1)
    text = io.StringIO()
    writer = csv.writer(text)
    for _ in range(400):
        writer.writerow("".join(draw.choices('ab", \n\u00e9', k=draw.randrange(9))) for _ in "12")
    data = text.getvalue().encode()
    targets = list(range(7, len(data), 97))
    assert find_record_ends(io.BytesIO(data), ",", 0, targets) == _slowly(data, ",", targets)


def test_places_are_those_of_the_file():
    file = io.BytesIO(b"text,label\na,b\nc,d\n")
    file.seek(11)
    told = []
    assert find_record_ends(file, ",", 11, [3, 16], told.append) == [15, 19]
    assert told == [19]


@pytest.mark.parametrize("delimiter", ["", ",,", "\u00e9"])
def test_rare_delimiters_are_left_to_the_csv_module(delimiter):
    assert find_record_ends(io.BytesIO(b"a\n"), delimiter, 0, [1]) is None
