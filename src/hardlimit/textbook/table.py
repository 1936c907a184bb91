"""A table as text for a page of some width, as Markdown, and as CSV."""

from __future__ import annotations

import csv
import io
import itertools
import re
import textwrap
from collections.abc import Callable, Sequence
from typing import Any

from hardlimit.textbook.columns import Column
from hardlimit.textbook.writing import format_exactly, format_short, format_shorter

Line = list[str] | None  # None: here lines were left out
WIDE, TIGHT = (2, 3), (1, 2)  # spaces between columns, and between groups of them
ATTEMPTS = ((3, WIDE), (2, WIDE), (2, TIGHT), (1, WIDE), (1, TIGHT))


def make_lines(
    columns: Sequence[Column],
    steps: Sequence[Any],
    write: Callable[[Any], str],
    gap_at: int | None = None,
) -> list[Line]:
    """The cells of each line; what is written once an epoch stays empty after its first line."""
    lines: list[Line] = []
    epoch = None
    for number, step in enumerate(steps):
        if number == gap_at:
            # After a gap the epoch is said again, for its first line is missing.
            lines.append(None)
            epoch = None
        first, epoch = getattr(step, "epoch", number) != epoch, getattr(step, "epoch", number)
        lines.append([_cell(c, step, first, write) for c in columns])
    if gap_at == len(steps):  # only the first lines are kept
        lines.append(None)
    return lines


def _cell(column: Column, step: int, first: bool, write: Callable[[Any], str]) -> str:
    if column.once and not first:
        return ""
    value = column.of(step)
    return value if isinstance(value, str) else write(value)


def render_text(
    columns: Sequence[Column],
    steps: Sequence[Any],
    width: int | None,
    gap_at: int | None,
    left_out: str,
) -> list[str]:
    """Columns side by side where they fit, without what can be spared if need be, else stacked."""
    # From the widest form to the tightest; the first one that fits is taken.
    for write, (least, gaps) in itertools.product((format_short, format_shorter), ATTEMPTS):
        kept = [c for c in columns if c.wide < least]
        lines: list[Line] = [_heads(kept), *make_lines(kept, steps, write, gap_at)]
        widths = [max(len(line[i]) for line in lines if line) for i in range(len(kept))]
        text = [_lay_out(kept, line, widths, gaps) if line else left_out for line in lines]
        if width is None or max(map(len, text)) <= width:
            return text
    assert width is not None  # without a limit the first attempt fits
    return _stack(columns, steps, width, gap_at, left_out)


def _heads(columns: Sequence[Column]) -> list[str]:
    return [column.head for column in columns]


def _lay_out(
    columns: Sequence[Column], line: list[str], widths: list[int], gaps: tuple[int, int]
) -> str:
    within, between = gaps
    text = ""
    for column, cell, width in zip(columns, line, widths, strict=True):
        gap = between if column.opens else within
        text += " " * (gap if text else 0) + cell.rjust(width)
    return text.rstrip()


def _stack(
    columns: Sequence[Column], steps: Sequence[Any], width: int, gap_at: int | None, left_out: str
) -> list[str]:
    """A paragraph a step, its vectors below one another."""
    text: list[str] = []
    for line in make_lines(columns, steps, format_short, gap_at):
        text += [left_out] if line is None else _paragraph(columns, line, width)
    return text


def _paragraph(columns: Sequence[Column], line: list[str], width: int) -> list[str]:
    # An update that did not happen has no delta worth a line.
    quiet = any(c.head == "update" and cell == "no" for c, cell in zip(columns, line, strict=True))
    single: list[str] = []
    vectors: list[tuple[str, str]] = []
    for head, cells, can_be_spared in _groups(columns, line):
        if not any(cells) or (quiet and can_be_spared):
            continue
        if len(cells) == 1:
            single.append(f"{head} {cells[0]}")
        else:
            vectors.append((head, "(" + ", ".join(cells) + ")"))
    column = max((len(head) for head, _ in vectors), default=0) + 2
    text_lines = textwrap.wrap(", ".join(single), width)
    for head, text in vectors:
        wrapped = textwrap.wrap(text, width - column - 2)
        text_lines.append("  " + head.ljust(column) + wrapped[0])
        text_lines += [" " * (column + 2) + more for more in wrapped[1:]]
    return text_lines


def _groups(columns: Sequence[Column], line: list[str]) -> list[tuple[str, list[str], bool]]:
    """Cells of one vector together, under the part of their heads that they share."""
    groups: list[tuple[str, list[str], bool]] = []
    for column, cell in zip(columns, line, strict=True):
        name = column.head.rstrip("0123456789,")
        if groups and groups[-1][0] == name and name != column.head:
            groups[-1][1].append(cell)
        else:
            groups.append((name, [cell], column.wide > 0))
    return groups


def render_markdown(
    columns: Sequence[Column], steps: Sequence[Any], gap_at: int | None, left_out: str
) -> list[str]:
    """A table of pipes."""
    text = [_join_cells(_heads(columns)), "|" + "---:|" * len(columns)]
    for line in make_lines(columns, steps, format_short, gap_at):
        text.append(_join_cells([left_out, *[""] * (len(columns) - 1)] if line is None else line))
    return text


def escape_markdown(text: str) -> str:
    r"""Write names from data so that Markdown shows them: no tags, links, code or cells.

    >>> escape_markdown("<script>"), escape_markdown("x <= 0")
    ('&lt;script>', 'x <= 0')
    >>> print(escape_markdown("a|b"))
    a\|b
    """
    text = re.sub(r"[\\|`\[]", r"\\\g<0>", text.replace("\n", " "))
    # As Markdown has it: "<" begins a tag only before one of these.
    return re.sub(r"<(?=[A-Za-z/!?])|&(?=#?\w+;)", _escape_entity, text)


def _escape_entity(found: re.Match[str]) -> str:
    return "&lt;" if found[0] == "<" else "&amp;"


def _join_cells(cells: Sequence[str]) -> str:
    return "| " + " | ".join(map(escape_markdown, cells)) + " |"


def render_csv(columns: Sequence[Column], steps: Sequence[Any]) -> str:
    """All columns in every line, all digits."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(_heads(columns))
    # Without `once`: a line of CSV is read by itself.
    full = [Column(c.head, c.of) for c in columns]
    writer.writerows(line for line in make_lines(full, steps, format_exactly) if line)
    return out.getvalue()
