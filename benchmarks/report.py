"""``RESULTS.md``, written from the stored results."""

from __future__ import annotations

from pathlib import Path

from benchmarks.harness import FigureRecord, RowRecord
from benchmarks.tables import format_quantity, format_target, markdown_table

HERE = Path(__file__).resolve().parent
HEAD = """\
# Results

`make bench` writes this file from `benchmarks/results.json`; do not edit it. Every ratio is
computed from medians of repetitions, taken in turns in one run, with one thread each. Compare
ratios within one run, never seconds across runs.
"""


def format_reached(figure: FigureRecord) -> str:
    """Return whether the target was reached, in one word."""
    return {True: "yes", False: "**no**", None: ""}[figure["reached"]]


def render_row(row: RowRecord) -> str:
    """Return the heading and the table of one row."""
    columns = ("figure", "hardlimit", "compared with", "measured", "target", "reached", "remark")
    lines = (
        (
            figure["name"],
            figure["ours"],
            figure["theirs"],
            format_quantity(figure["measured"], figure["unit"]),
            format_target(figure),
            format_reached(figure),
            figure["remark"],
        )
        for figure in row["figures"]
    )
    grids = "".join(
        f"\n{grid['title']}\n\n{markdown_table(grid['head'], grid['lines'])}"
        for grid in row.get("grids", ())
    )
    skipped = "".join(f"\nSkipped: {reason}\n" for reason in row["skipped"])
    times = row.get("repetitions", 1)
    when = f"{row['date']}, {times} repetition{'s' if times > 1 else ''}"
    return f"\n## {row['title']}\n\n{when}\n\n{markdown_table(columns, lines)}{grids}{skipped}"


def render_machines(rows: dict[str, RowRecord]) -> str:
    """Return a paragraph for each machine that the rows were measured on."""
    known: dict[str, list[str]] = {}
    for name, row in rows.items():
        what = "; ".join(f"{key} {value}" for key, value in row["machine"].items())
        known.setdefault(what, []).append(name)
    if len(known) == 1:
        return f"\nMachine: {next(iter(known))}.\n"
    return "".join(f"\nMachine of {', '.join(names)}: {what}.\n" for what, names in known.items())


def render_results(rows: dict[str, RowRecord]) -> str:
    """Return the whole of ``RESULTS.md``."""
    return HEAD + render_machines(rows) + "".join(map(render_row, rows.values()))


def write(rows: dict[str, RowRecord], folder: Path = HERE) -> None:
    """Write ``RESULTS.md`` beside the stored results."""
    (folder / "RESULTS.md").write_text(render_results(rows), encoding="utf-8")
