"""The tables of README.md and docs/comparison.md: predictions and use, ratios to scikit-learn."""

from __future__ import annotations

import re
from collections.abc import Sequence

from benchmarks.harness import RowRecord
from benchmarks.tables import format_number, markdown_table

TIMES_AS_FAST = ("features", "epoch", "one_row")
PEERS = ("HashingVectorizer", "TfidfVectorizer", "Perceptron")  # of scikit-learn
# Columns of the table of models in use: row, what its figures begin with, heading.
IN_USE = (
    ("throughput", "imdb", "texts predicted, IMDb"),
    ("latency", "20newsgroups", "one message in a fresh process, 20 newsgroups"),
)
HOW = re.compile(r", (from Python|its command)$")


# The peers that README.md names: the fastest and the most accurate of each kind.
SHORT = ("hardlimit", "fastText", "TfidfVectorizer + LinearSVC", "Vowpal Wabbit")


def short_table(rows: dict[str, RowRecord]) -> str:
    """Return accuracy and seconds beside a few peers, with machine and date."""
    if "text_to_predictions" not in rows:
        return ""
    row = rows["text_to_predictions"]
    return f"{render_predictions(row, SHORT)}\n{render_machine(row)}"


def comparison(rows: dict[str, RowRecord]) -> str:
    """Return the tables that the stored rows have figures for, with machine and date."""
    parts = (
        [render_predictions(rows["text_to_predictions"])] if "text_to_predictions" in rows else []
    )
    if any(name in rows for name, _, _ in IN_USE):
        parts.append(render_use(rows))
    fast = [line for name in TIMES_AS_FAST if name in rows for line in list_ratios(rows[name])]
    if fast:
        parts.append(markdown_table(("times as fast as scikit-learn", "hardlimit"), fast))
    if rows:
        parts.append(render_machine(next(iter(rows.values()))))
    return "\n".join(parts)


def render_machine(row: RowRecord) -> str:
    """Return where and when it was measured, and what is bold."""
    machine = f"{row['machine']['processor']}, one thread, {row['date']}"
    return f"Bold is the best of all that were measured. {machine}.\n"


def render_predictions(row: RowRecord, names: Sequence[str] = ()) -> str:
    """Return accuracy and seconds from raw texts, one line a contestant, one column a corpus.

    names : the contestants; none of them: all.
    """
    cells: dict[str, dict[str, str]] = {"hardlimit": {}}
    for figure in row["figures"]:
        corpus, colon, title = figure["name"].partition(": ")
        if colon:
            cells["hardlimit"][corpus] = figure["ours"]
            cells.setdefault(title, {})[corpus] = figure["theirs"]
    corpora = list(cells["hardlimit"])
    mark_best(cells, corpora)  # among all, also where few are shown
    cells = {name: cells[name] for name in names or cells}
    lines = [
        (name, *(in_two_lines(by.get(corpus, "")) for corpus in corpora))
        for name, by in cells.items()
    ]
    return markdown_table(("raw text to predictions", *corpora), lines)


def in_two_lines(cell: str) -> str:
    """Return accuracy and time one under the other, a number beside its unit.

    >>> in_two_lines("0.9910, **61 ms**")
    '0.9910<br>**61&nbsp;ms**'
    """
    return cell.replace(", ", "<br>").replace(" ", "&nbsp;")


def render_use(rows: dict[str, RowRecord]) -> str:
    """Return what a fitted model of each contestant does in use, one column a row."""
    used = [(rows[name], corpus, head) for name, corpus, head in IN_USE if name in rows]
    cells: dict[str, dict[str, str]] = {"hardlimit": {}}
    for row, corpus, head in used:
        for figure in row["figures"]:
            start, _, title = figure["name"].partition(": ")
            if start == corpus:
                cells["hardlimit"][head] = figure["ours"]
                cells.setdefault(HOW.sub("", title), {})[head] = figure["theirs"]
    heads = [head for _, _, head in used]
    mark_best(cells, heads)
    lines = [(name, *(by.get(head, "") for head in heads)) for name, by in cells.items()]
    return markdown_table(("models in use", *heads), lines)


def mark_best(cells: dict[str, dict[str, str]], columns: list[str]) -> None:
    """Set the best of each column in bold: of cells like ``0.991, 61 ms`` each part by itself."""
    for column in columns:
        rows = [by for by in cells.values() if by.get(column)]
        parts = [by[column].split(", ") for by in rows]
        best = [max(map(goodness, several)) for several in zip(*parts, strict=True)]
        for by, own in zip(rows, parts, strict=True):
            marked = (
                f"**{part}**" if goodness(part) == most else part
                for part, most in zip(own, best, strict=True)
            )
            by[column] = ", ".join(marked)


def goodness(figure: str) -> float:
    """Return a figure as a number of which more is better: a time is negative.

    >>> goodness("0.9910"), goodness("61 ms"), goodness("1,200 texts/s")
    (0.991, -0.061, 1200.0)
    """
    number, _, unit = figure.replace(",", "").partition(" ")
    return float(number) * {"us": -1e-6, "ms": -1e-3, "s": -1.0, "min": -60.0}.get(unit, 1.0)


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
