"""Tables on pages of any width, as Markdown and as CSV."""

import csv
import io
from typing import NamedTuple

import pytest

from hardlimit.textbook.columns import Column
from hardlimit.textbook.table import make_lines, render_csv, render_markdown, render_text
from hardlimit.textbook.writing import format_short


class Line(NamedTuple):
    """A step with a few numbers."""

    epoch: int
    example: int
    w: tuple


STEPS = [Line(1, 0, (0, 0)), Line(1, 1, (10, -2)), Line(2, 0, (7, 5))]
COLUMNS = [
    Column("epoch", lambda s: s.epoch, once=True),
    Column("no", lambda s: s.example + 1),
    Column("w1", lambda s: s.w[0], opens=True),
    Column("w2", lambda s: s.w[1]),
    Column("again", lambda s: 100 * s.w[0], wide=1),
    Column("rest", lambda s: "yes", wide=2),
]


def test_what_is_written_once_an_epoch_stays_empty_after_it():
    lines = make_lines(COLUMNS[:2], STEPS, str)
    assert lines == [["1", "1"], ["", "2"], ["2", "1"]]


def test_a_gap_repeats_the_epoch_behind_it():
    lines = make_lines(COLUMNS[:2], STEPS, str, gap_at=1)
    assert lines == [["1", "1"], None, ["1", "2"], ["2", "1"]]


def test_without_a_limit_everything_stands_there():
    text = render_text(COLUMNS, STEPS, None, None, "")
    assert text[0].split() == ["epoch", "no", "w1", "w2", "again", "rest"]
    assert text[2].split() == ["2", "10", "-2", "1000", "yes"]
    assert len({len(line) for line in text}) == 1, "columns are aligned"


@pytest.mark.parametrize(("width", "heads"), [(60, 6), (26, 5), (19, 4)])
def test_columns_that_can_be_spared_go_first(width, heads):
    text = render_text(COLUMNS, STEPS, width, None, "")
    assert len(text[0].split()) == heads and max(map(len, text)) <= width


def test_a_page_too_narrow_for_columns_has_paragraphs():
    text = render_text(COLUMNS, STEPS, 14, None, "")
    assert max(map(len, text)) <= 14
    assert [line for line in text if "w" in line] == ["  w  (0, 0)", "  w  (10, -2)", "  w  (7, 5)"]


def test_lines_left_out_are_said():
    assert render_text(COLUMNS, STEPS, None, 1, "... 9 lines ...")[2] == "... 9 lines ..."
    markdown = render_markdown(COLUMNS[:2], STEPS, 1, "... 9 lines ...")
    assert markdown[3] == "| ... 9 lines ... |  |"


def test_markdown_aligns_numbers_to_the_right():
    assert render_markdown(COLUMNS[1:3], STEPS[:1], None, "") == [
        "| no | w1 |",
        "|---:|---:|",
        "| 1 | 0 |",
    ]


def test_csv_has_every_cell_in_every_line():
    rows = list(csv.reader(io.StringIO(render_csv(COLUMNS, STEPS))))
    assert rows[0] == ["epoch", "no", "w1", "w2", "again", "rest"]
    assert [row[0] for row in rows[1:]] == ["1", "1", "2"]


def test_cells_are_written_as_asked():
    (line,) = make_lines([Column("w", lambda s: 2 / 3)], STEPS[:1], format_short)
    assert line == ["0.6667"]
