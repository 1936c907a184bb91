"""``python -m benchmarks.readme``: renew the tables of README.md and docs/ that are computed."""

from __future__ import annotations

import re
from pathlib import Path

from benchmarks import store
from benchmarks.readme_table import readme_table
from hardlimit.classifiers.model import compatibility_table
from hardlimit.rules._table import markdown_table

ROOT = Path(__file__).resolve().parents[1]
README, CHOICES = ROOT / "README.md", ROOT / "docs" / "choices.md"


def replaced(text: str, name: str, table: str) -> str:
    """Return the text with the table between the marks of that name."""
    marks = rf"(<!-- {name}:[^\n]*-->\n).*?(<!-- end of {name} -->)"
    return re.sub(marks, lambda found: found[1] + table + found[2], text, flags=re.S)


if __name__ == "__main__":
    text = README.read_text()
    text = replaced(text, "rules", markdown_table())
    README.write_text(replaced(text, "figures", readme_table(store.read())))
    CHOICES.write_text(replaced(CHOICES.read_text(), "choices", compatibility_table.markdown()))
