"""Figures and tables as text."""

from __future__ import annotations

from collections.abc import Iterable

from benchmarks.harness import FigureRecord


def format_number(value: float) -> str:
    """Return a figure with the digits that matter.

    >>> format_number(0.98924), format_number(17.26), format_number(612345.0)
    ('0.9892', '17.3', '612,345')
    """
    if abs(value) < 10:
        return f"{value:.4f}" if abs(value) < 1 else f"{value:.2f}"
    return f"{value:.1f}" if abs(value) < 1000 else f"{value:,.0f}"


def format_quantity(value: float, unit: str) -> str:
    """Return a figure with its unit; a ratio has a multiplication sign.

    >>> format_quantity(3.0, "x"), format_quantity(12.0, "ms")
    ('3.00 ×', '12.0 ms')
    """
    return f"{format_number(value)} {'×' if unit == 'x' else unit}".rstrip()


def markdown_table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a Markdown table."""
    lines = [list(head), ["---"] * len(list(head)), *map(list, rows)]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def terminal_table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a table for the terminal: the first column to the left, the others to the right.

    >>> print(terminal_table(("set", "last"), [("wdbc", "3.5")]))
    set   last
    wdbc   3.5
    """
    lines = [list(head), *map(list, rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if i else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(line, widths, strict=True))
        )
        for line in lines
    )


def format_target(figure: FigureRecord) -> str:
    """Return the target of a figure."""
    if figure["target"] is None:
        return ""
    sense = {">=": "≥", "<=": "≤"}[figure["sense"]]
    return f"{sense} {format_quantity(figure['target'], figure['unit'])}"
