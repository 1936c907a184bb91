"""``python -m benchmarks.readme``: update the computed tables of README.md and docs/."""

from __future__ import annotations

import re
from pathlib import Path

from benchmarks import compatibility_table, page_tables, store, what_works
from benchmarks.readme_table import readme_table
from hardlimit.rules._table import markdown_table

ROOT = Path(__file__).resolve().parents[1]
README, CHOICES = ROOT / "README.md", ROOT / "docs" / "choices.md"
WHAT_WORKS = ROOT / "docs" / "what-works.md"


def replace_table(text: str, name: str, table: str) -> str:
    """Return the text with the table between the marks of that name."""
    marks = rf"(<!-- {name}:[^\n]*-->\n).*?(<!-- end of {name} -->)"
    return re.sub(marks, lambda found: found[1] + table + found[2], text, flags=re.S)


if __name__ == "__main__":
    for page in page_tables.pages():
        page.write_text(page_tables.fill(page.read_text(), store.read()))
    text = README.read_text()
    text = replace_table(text, "rules", markdown_table())
    README.write_text(replace_table(text, "figures", readme_table(store.read())))
    CHOICES.write_text(
        replace_table(CHOICES.read_text(), "choices", compatibility_table.markdown())
    )
    WHAT_WORKS.write_text(replace_table(WHAT_WORKS.read_text(), "works", what_works.markdown()))
