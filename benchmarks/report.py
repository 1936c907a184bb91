"""``RESULTS.md``, written from the stored results."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from benchmarks.tables import asked, quantity, table

HERE = Path(__file__).resolve().parent
HEAD = """\
# Results

Written by `make bench` from `benchmarks/results.json`; not edited by hand. Every ratio is made of
medians of repetitions taken turn about in one run, one thread each. Compare ratios within one run,
never seconds across runs.
"""


def verdict(figure: dict[str, Any]) -> str:
    """Return whether the figure was reached, in a word."""
    return {True: "yes", False: "**no**", None: ""}[figure["reached"]]


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
    grids = "".join(
        f"\n{grid['title']}\n\n{table(grid['head'], grid['lines'])}"
        for grid in row.get("grids", ())
    )
    skipped = "".join(f"\nSkipped: {reason}\n" for reason in row["skipped"])
    times = row.get("repetitions", 1)
    when = f"{row['date']}, {times} repetition{'s' if times > 1 else ''}"
    return f"\n## {row['title']}\n\n{when}\n\n{table(columns, lines)}{grids}{skipped}"


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


def write(rows: dict[str, Any], folder: Path = HERE) -> None:
    """Write ``RESULTS.md`` beside the stored results."""
    (folder / "RESULTS.md").write_text(results(rows), encoding="utf-8")
