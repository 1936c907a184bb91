"""Tables of the stored results in the pages of the documentation.

A page marks the place with ``<!-- results of ROW: TITLE -->`` and ``<!-- end of results -->``;
TITLE is that of the table as it is stored. Numbers with a decimal point in the text of such a page
stand in one of its tables: :func:`unsupported` finds those that do not.
"""

from __future__ import annotations

import re
from pathlib import Path

from benchmarks.harness import RowRecord
from benchmarks.tables import markdown_table

DOCS = Path(__file__).resolve().parents[1] / "docs"
MARKED = re.compile(r"(<!-- results of (\w+): (.+?) -->\n)(.*?)(<!-- end of results -->)", re.S)
FENCED = re.compile(r"^(```+|:::+).*?^\1$", re.S | re.M)
NUMBER = re.compile(r"(?<![\w.])\d+\.\d+(?![\w.]*\d)")


def pages() -> list[Path]:
    """Return the pages that show results."""
    found = [page for page in DOCS.rglob("*.md") if "_build" not in page.parts]
    return sorted(page for page in found if MARKED.search(page.read_text()))


def fill(text: str, rows: dict[str, RowRecord]) -> str:
    """Return a page with the tables as they are stored."""

    def table(found: re.Match[str]) -> str:
        grids = {grid["title"]: grid for grid in rows[found[2]].get("grids", ())}
        grid = grids[found[3]]
        # A mean and its error stay on one line.
        shown = markdown_table(grid["head"], grid["lines"]).replace(
            " ± ", "\N{NO-BREAK SPACE}±\N{NO-BREAK SPACE}"
        )
        return found[1] + shown + found[5]

    return MARKED.sub(table, text)


def unsupported(text: str) -> list[str]:
    """Return the numbers of the text that stand in no table of the page."""
    known = {number for found in MARKED.finditer(text) for number in NUMBER.findall(found[4])}
    prose = FENCED.sub("", MARKED.sub("", text))
    prose = re.sub(r"`[^`]*`", "", prose)  # parameters and versions are no results
    return [number for number in NUMBER.findall(prose) if number not in known]
