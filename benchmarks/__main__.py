"""``python -m benchmarks [ROW ...] [--repetitions N] [--quick]``."""

from __future__ import annotations

import argparse
import sys

from benchmarks import report, rows, store
from benchmarks.corpora import Missing
from benchmarks.harness import Grid, Settings
from benchmarks.tables import columns


def main() -> int:
    """Measure the rows named (all of them without a name), keep and write the results."""
    known = rows.rows()
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("rows", nargs="*", metavar="ROW", help=", ".join(known))
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--quick", action="store_true", help="small samples; nothing is kept")
    parser.add_argument("--corpus", help="for text_to_predictions: this one anew")
    options = parser.parse_args()
    unknown = [name for name in options.rows if name not in known]
    if unknown:
        parser.error(f"no row {', '.join(unknown)}; there are {', '.join(known)}")
    settings = Settings(options.repetitions, options.quick, options.corpus)
    for name in options.rows or known:
        measure(name, known[name], settings)
    if not settings.quick:
        report.write(store.read())
    return 0


def measure(name: str, module, settings: Settings) -> None:
    """Measure one row, print it, and keep it unless the run is a quick one."""
    print(f"{name}: {module.TITLE}", file=sys.stderr, flush=True)
    skipped: list[str] = []
    figures, grids = [], []
    try:
        for found in module.figures(settings, skipped):
            (grids if isinstance(found, Grid) else figures).append(found)
            print(lines(found), flush=True)
    except Missing as missing:
        skipped.append(str(missing))
    for reason in skipped:
        print(f"  skipped: {reason}", flush=True)
    if figures and not settings.quick:
        store.keep(
            name,
            module.TITLE,
            figures,
            skipped,
            anew=bool(settings.corpus),
            grids=grids,
            repetitions=settings.repetitions,
        )


def lines(found) -> str:
    """Return a figure or a table for the terminal."""
    if isinstance(found, Grid):
        return f"\n{found.title}\n\n{columns(found.head, found.lines)}"
    return line(found)


def line(figure) -> str:
    """Return one figure as a line for the terminal."""
    record = figure.record()
    parts = [f"  {figure.name}: {report.quantity(figure.measured, figure.unit)}"]
    if figure.asked is not None:
        parts.append(f"asked {report.asked(record)}: {'yes' if figure.reached else 'NO'}")
    parts += [text for text in (figure.ours, figure.theirs, figure.remark) if text]
    return "; ".join(parts)


if __name__ == "__main__":
    sys.exit(main())
