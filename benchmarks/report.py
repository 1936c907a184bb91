"""``RESULTS.md`` and the table of the README, both written from the stored results."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
HEAD = """\
# Results

Written by `make bench` from `benchmarks/results.json`; not edited by hand. Every ratio is made of
medians of repetitions taken turn about in one run, one thread each. Compare ratios within one run,
never seconds across runs.
"""
BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"


def number(value: float) -> str:
    """Return a figure with the digits that matter.

    >>> number(0.98924), number(17.26), number(612345.0)
    ('0.9892', '17.3', '612,345')
    """
    if abs(value) < 10:
        return f"{value:.4f}" if abs(value) < 1 else f"{value:.2f}"
    return f"{value:.1f}" if abs(value) < 1000 else f"{value:,.0f}"


def quantity(value: float, unit: str) -> str:
    """Return a figure with its unit; a ratio is marked by a multiplication sign.

    >>> quantity(3.0, "x"), quantity(12.0, "ms")
    ('3.00 ×', '12.0 ms')
    """
    return f"{number(value)} {'×' if unit == 'x' else unit}".rstrip()


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a Markdown table."""
    lines = [list(head), ["---"] * len(list(head)), *map(list, rows)]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def verdict(figure: dict[str, Any]) -> str:
    """Return whether the figure was reached, in a word."""
    return {True: "yes", False: "**no**", None: ""}[figure["reached"]]


def asked(figure: dict[str, Any]) -> str:
    """Return what was asked for."""
    if figure["asked"] is None:
        return ""
    sense = {">=": "≥", "<=": "≤"}[figure["sense"]]
    return f"{sense} {quantity(figure['asked'], figure['unit'])}"


def section(row: dict[str, Any]) -> str:
    """Return the heading and the table of one row."""
    columns = ("figure", "hardlimit", "beside", "measured", "asked", "reached", "remark")
    lines = (
        (
            figure["name"],
            figure["ours"],
            figure["theirs"],
            quantity(figure["measured"], figure["unit"]),
            asked(figure),
            verdict(figure),
            figure["remark"],
        )
        for figure in row["figures"]
    )
    skipped = "".join(f"\nSkipped: {reason}\n" for reason in row["skipped"])
    return f"\n## {row['title']}\n\n{row['date']}\n\n{table(columns, lines)}{skipped}"


def machines(rows: dict[str, Any]) -> str:
    """Return a paragraph for each machine that the rows were measured on."""
    known: dict[str, list[str]] = {}
    for name, row in rows.items():
        what = "; ".join(f"{key} {value}" for key, value in row["machine"].items())
        known.setdefault(what, []).append(name)
    if len(known) == 1:
        return f"\nMachine: {next(iter(known))}.\n"
    return "".join(f"\nMachine of {', '.join(names)}: {what}.\n" for what, names in known.items())


def results(rows: dict[str, Any]) -> str:
    """Return the whole of ``RESULTS.md``."""
    return HEAD + machines(rows) + "".join(map(section, rows.values()))


def readme_table(rows: dict[str, Any]) -> str:
    """Return the short table: every figure that something was asked of."""
    lines = [
        (f"{name}: {figure['name']}", quantity(figure["measured"], figure["unit"]), asked(figure))
        for name, row in rows.items()
        for figure in row["figures"]
        if figure["asked"] is not None
    ]
    return table(("measured", "figure", "asked"), lines)


def between_markers(document: str, inside: str) -> str:
    """Put text between the markers of a document; one without markers is returned as it is.

    >>> print(between_markers(f"a {BEGIN} old {END} b", "new"))
    a <!-- measured: begin -->
    new
    <!-- measured: end --> b
    """
    before, begin, rest = document.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        return document
    return f"{before}{BEGIN}\n{inside.strip()}\n{END}{after}"


def write(rows: dict[str, Any], folder: Path = HERE) -> None:
    """Write ``RESULTS.md`` beside the results and the table into the README."""
    (folder / "RESULTS.md").write_text(results(rows), encoding="utf-8")
    readme = folder.parent / "README.md"
    if readme.exists():
        text = readme.read_text(encoding="utf-8")
        readme.write_text(between_markers(text, readme_table(rows)), encoding="utf-8")
