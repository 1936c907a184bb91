"""``python -m benchmarks.readme``: update the computed tables of README.md and docs/."""

from __future__ import annotations

import re
from pathlib import Path

from benchmarks import compatibility_table, page_tables, store, what_works
from benchmarks.readme_table import comparison, short_table
from hardlimit.rules._table import markdown_table

ROOT = Path(__file__).resolve().parents[1]
README, DOCS = ROOT / "README.md", ROOT / "docs"


def replace_table(text: str, name: str, table: str) -> str:
    """Return the text with the table between the marks of that name."""
    marks = rf"(<!-- {name}:[^\n]*-->\n).*?(<!-- end of {name} -->)"
    return re.sub(marks, lambda found: found[1] + table + found[2], text, flags=re.S)


def fill(page: Path, name: str, table: str) -> None:
    """Write the table of that name into a page."""
    page.write_text(replace_table(page.read_text(), name, table))


if __name__ == "__main__":
    for page in page_tables.pages():
        page.write_text(page_tables.fill(page.read_text(), store.read()))
    fill(README, "figures", short_table(store.read()))
    fill(DOCS / "comparison.md", "figures", comparison(store.read()))
    fill(DOCS / "rules.md", "rules", markdown_table())
    fill(DOCS / "choices.md", "choices", compatibility_table.markdown())
    fill(DOCS / "what-works.md", "works", what_works.markdown())
