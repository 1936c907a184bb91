"""The shared text sets, where they are."""

import tarfile
from collections import Counter

import pytest

from hardlimit.readers import Layout, open_rows, write_rows


def test_sms_spam(shared):
    table = open_rows(shared("sms_spam/SMSSpamCollection"), need_label=True)
    rows = list(table)
    assert len(rows) == 5574
    assert Counter(row.label for row in rows) == {"ham": 4827, "spam": 747}
    assert len(rows) - len({(row.label, row.text) for row in rows}) == 403
    assert any(row.text.startswith('"') for row in rows)
    assert any(row.text.count('"') % 2 for row in rows)
    assert table.notes() == []
    layout = table.layout
    assert (layout.format, layout.text, layout.label, layout.header) == ("tsv", 1, 0, False)


def test_sms_spam_through_csv(shared, tmp_path):
    path, out = shared("sms_spam/SMSSpamCollection"), tmp_path / "out.csv"
    with open_rows(path, need_label=True) as table:
        write_rows(out, table, ["n"], ((row, [row.line]) for row in table))
    before = [row.fields for row in open_rows(path, need_label=True)]
    asked = open_rows(out, Layout(text=1, label=0, header=False), need_label=True)
    assert [row.fields[:2] for row in asked] == before


@pytest.mark.parametrize(("part", "count"), [("train", 10_003), ("test", 3_080)])
def test_banking77(shared, part, count):
    table = open_rows(shared(f"banking77/{part}.csv"), need_label=True)
    rows = list(table)
    assert len(rows) == count
    assert len({row.label for row in rows}) == 77
    assert (table.layout.text, table.layout.label) == ("text", "category")


@pytest.mark.slow
def test_twenty_newsgroups(shared, tmp_path):
    with tarfile.open(shared("20newsgroups/20news-bydate.tar.xz")) as archive:
        archive.extractall(tmp_path, filter="data")
    rows = list(open_rows(tmp_path / "20news-bydate-test", need_label=True))
    assert len(rows) == 7532
    assert len({row.label for row in rows}) == 20
    assert all(isinstance(row.text, bytes) for row in rows)
