"""Workbooks that are written: the cells of the rows, and what Excel has no place for."""

from __future__ import annotations

import io

import pytest

from hardlimit.exceptions import InputError
from hardlimit.readers import open_rows, write_rows, xlsx_writing
from hardlimit.readers.xlsx_writing import write_workbook

openpyxl = pytest.importorskip("openpyxl")


def read(path) -> list[tuple]:
    sheet = openpyxl.load_workbook(path).active
    assert all(cell.data_type != "f" for row in sheet.iter_rows() for cell in row)
    return [tuple(cell.value for cell in row) for row in sheet.iter_rows()]


ROWS = [
    ["=1+1", "+49 30", "@sum", "-", "-5", "007", "12.5", "", "a\tb\nc", "<b>&amp;</b>"],
    [
        "'quoted'",
        "ß 日本 🎉",
        " blanks ",
        "1e5",
        "nan",
        "0",
        "123456789012345678",
        "True",
        "_x41_",
        "x",
    ],
]


def test_rows_come_back_as_they_were(tmp_path) -> None:
    """Texts stay texts, formulas too, and only plain numbers are numbers."""
    source = tmp_path / "in.csv"
    with open_rows(_csv(source, [["text", *"bcdefghij"], *ROWS]), need_label=False) as table:
        names = write_rows(
            tmp_path / "out.xlsx", table, ("label", "score"), ((row, ["=x", 0.25]) for row in table)
        )
    assert names == ("label", "score")
    head, first, second = read(tmp_path / "out.xlsx")
    assert head == ("text", *"bcdefghij", "label", "score")
    assert first[:4] == ("=1+1", "+49 30", "@sum", "-") and first[4:7] == (-5, "007", 12.5)
    assert first[7:] == (None, "a\tb\nc", "<b>&amp;</b>", "=x", 0.25)
    assert second[:5] == ("'quoted'", "ß 日本 🎉", " blanks ", "1e5", "nan")
    assert second[5:8] == (0, "123456789012345678", "True")
    with open_rows(tmp_path / "out.xlsx", need_label=True) as again:  # and our reader reads it
        assert [row.text for row in again] == ["=1+1", "'quoted'"]


def _csv(path, rows):
    import csv

    with open(path, "w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)
    return path


def test_what_xml_cannot_hold_is_written_as_excel_does() -> None:
    file = io.BytesIO()
    texts = ["bell\x07", "\ud800", "\uffff", "_x0041_", "\x00"]
    assert write_workbook(file, None, [texts], "o.xlsx") == []
    import zipfile

    sheet = zipfile.ZipFile(file).read("xl/worksheets/sheet1.xml").decode()
    for written in ("bell_x0007_", "_xD800_", "_xFFFF_", "_x005F_x0041_", "_x0000_"):
        assert f">{written}<" in sheet


def test_what_was_escaped_is_read_as_it_was(tmp_path) -> None:
    """Also what Excel wrote: it escapes the end of a line."""
    row = ["bell\x07", "\uffff", "_x0041_", "_x005F_", "\x00", "a\rb"]
    with open(tmp_path / "o.xlsx", "wb") as file:
        write_workbook(file, ["text", *"bcdef"], [row], "o.xlsx")
    with open_rows(tmp_path / "o.xlsx", need_label=False) as table:
        assert [list(one.fields) for one in table] == [row]


def test_floats_of_numpy_are_numbers(tmp_path) -> None:
    import numpy as np

    with open(tmp_path / "o.xlsx", "wb") as file:
        write_workbook(file, None, [[np.float64(0.25), np.float64("nan")]], "o.xlsx")
    assert read(tmp_path / "o.xlsx") == [(0.25, "nan")]


def test_limits_are_kept_and_told(monkeypatch) -> None:
    cut = write_workbook(io.BytesIO(), ["a"], [["y" * 40_000], ["z" * 32_767]], "o.xlsx")
    assert cut == [
        "o.xlsx: 1 cell is longer than 32,767 characters, which a workbook has no place for, and "
        "cut; .csv keeps all"
    ]
    # Excel counts units of UTF-16, and half an emoji is no text
    assert len(xlsx_writing._cut("\U0001f389" * 32_767)) == 16_383
    assert xlsx_writing._cut("y" + "\U0001f389" * 16_383) == "y" + "\U0001f389" * 16_383
    monkeypatch.setattr(xlsx_writing, "MOST_ROWS", 3)
    write_workbook(io.BytesIO(), ["a"], [["1"]] * 2, "o.xlsx")
    with pytest.raises(InputError, match="at most 3 rows"):
        write_workbook(io.BytesIO(), ["a"], [["1"]] * 3, "o.xlsx")


def test_the_same_rows_give_the_same_bytes() -> None:
    first, second = io.BytesIO(), io.BytesIO()
    for file in (first, second):
        write_workbook(file, ["a", "b"], ROWS, "o.xlsx")
    assert first.getvalue() == second.getvalue()


@pytest.mark.parametrize("suffix", ["csv", "tsv"])
def test_a_csv_for_a_spreadsheet(tmp_path, suffix) -> None:
    """The mark of UTF-8, and nothing that a spreadsheet runs."""
    source = _csv(tmp_path / "in.csv", [["text", "=n"], ["=1+1", "-5"], ["- so", "+x"]])
    out = tmp_path / f"out.{suffix}"
    with open_rows(source, need_label=False) as table:
        write_rows(out, table, ("label",), ((row, ["@x"]) for row in table), spreadsheet=True)
    comma = "," if suffix == "csv" else "\t"
    lines = [["text", "'=n", "label"], ["'=1+1", "-5", "'@x"], ["'- so", "'+x", "'@x"]]
    assert (
        out.read_bytes()
        == b"\xef\xbb\xbf" + "".join(comma.join(line) + "\n" for line in lines).encode()
    )
    with (
        open_rows(source, need_label=False) as table,
        pytest.raises(InputError, match="only CSV and TSV are marked"),
    ):
        write_rows(tmp_path / "o.jsonl", table, ("label",), [], spreadsheet=True)


@pytest.mark.parametrize("name", ["o.xlsx.gz", "o.xlsm", "o.xlsm.zst"])
def test_no_spreadsheet_opens_a_workbook_under_another_name(tmp_path, name) -> None:
    source = _csv(tmp_path / "in.csv", [["text"], ["a"]])
    with (
        open_rows(source, need_label=False) as table,
        pytest.raises(InputError, match="ends with .xlsx: a workbook is packed already"),
    ):
        write_rows(tmp_path / name, table, ("label",), ((row, ["x"]) for row in table))
    assert not (tmp_path / name).exists()
