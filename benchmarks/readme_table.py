"""The short tables of the README: predictions by contestant, and ratios to scikit-learn."""

from __future__ import annotations

from benchmarks.harness import RowRecord
from benchmarks.tables import format_number, markdown_table

TIMES_AS_FAST = ("features", "epoch", "one_row")
PEERS = ("HashingVectorizer", "TfidfVectorizer", "Perceptron")  # of scikit-learn


def readme_table(rows: dict[str, RowRecord]) -> str:
    """Return the tables that the stored rows have figures for, with machine and date."""
    parts = (
        [render_predictions(rows["text_to_predictions"])] if "text_to_predictions" in rows else []
    )
    fast = [line for name in TIMES_AS_FAST if name in rows for line in list_ratios(rows[name])]
    if fast:
        parts.append(markdown_table(("times as fast as scikit-learn", "hardlimit"), fast))
    if rows:
        row = next(iter(rows.values()))
        parts.append(f"{row['machine']['processor']}, one thread, {row['date']}.\n")
    return "\n".join(parts)


def render_predictions(row: RowRecord) -> str:
    """Return accuracy and seconds from raw texts, one line a contestant, one column a corpus."""
    cells: dict[str, dict[str, str]] = {"hardlimit": {}}
    for figure in row["figures"]:
        corpus, colon, title = figure["name"].partition(": ")
        if colon:
            cells["hardlimit"][corpus] = f"**{figure['ours']}**"
            cells.setdefault(title, {})[corpus] = figure["theirs"]
    corpora = list(cells["hardlimit"])
    lines = [(name, *(by.get(corpus, "") for corpus in corpora)) for name, by in cells.items()]
    return markdown_table(("raw text to predictions: accuracy, time", *corpora), lines)


def list_ratios(row: RowRecord) -> list[tuple[str, str]]:
    """Return each kind of ratio to scikit-learn, with the range over its corpora or classes."""
    ratios: dict[str, list[float]] = {}
    for figure in row["figures"]:
        # What stands behind a colon is a share, or compares with something else.
        if ": " not in figure["name"] and figure["theirs"].startswith(PEERS):
            kind = figure["name"].rpartition(", ")[0] or figure["name"]
            ratios.setdefault(kind, []).append(figure["measured"])
    return [(f"{row['title']}: {kind}", spread(values)) for kind, values in ratios.items()]


def spread(values: list[float]) -> str:
    """Return the range of some ratios.

    >>> spread([20.04, 15.5]), spread([4.25])
    ('15.5 to 20.0', '4.25')
    """
    low, high = format_number(min(values)), format_number(max(values))
    return low if low == high else f"{low} to {high}"
