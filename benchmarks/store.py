"""The results as JSON: one file, one entry a row, each with its own date and machine.

A row measured alone replaces its own entry and leaves the others as they are.
"""

from __future__ import annotations

import datetime
import json
from collections.abc import Sequence
from pathlib import Path

from benchmarks.harness import Figure, Grid, RowRecord
from benchmarks.machine import describe

PATH = Path(__file__).resolve().parent / "results.json"


def read(path: Path = PATH) -> dict[str, RowRecord]:
    """Return every stored row by its name."""
    return json.loads(path.read_text()) if path.exists() else {}


def store_row(
    row: str,
    title: str,
    figures: list[Figure],
    skipped: list[str],
    path: Path = PATH,
    anew: bool = False,
    repetitions: int = 1,
    grids: Sequence[Grid] = (),
) -> None:
    """Replace the figures of a row; with ``anew`` only those of the same names."""
    rows = read(path)
    records = [figure.record() for figure in figures]
    if anew:
        names = {record["name"] for record in records}
        kept = rows[row]["figures"] if row in rows else []
        records = [record for record in kept if record["name"] not in names] + records
    rows[row] = {
        "title": title,
        "date": datetime.date.today().isoformat(),
        "machine": describe(),
        "repetitions": repetitions,
        "figures": records,
        "skipped": skipped,
    }
    if grids:
        rows[row]["grids"] = [grid.record() for grid in grids]
    path.write_text(json.dumps(dict(sorted(rows.items())), indent=1, ensure_ascii=False) + "\n")
