"""``python -m benchmarks [ROW ...] [--repetitions N] [--quick]``."""

from __future__ import annotations

import argparse
import sys
from types import ModuleType

from benchmarks import report, rows, store
from benchmarks.corpora import Missing
from benchmarks.harness import Figure, Grid, Settings
from benchmarks.tables import terminal_table


def main() -> int:
    """Measure the named rows (without a name all of them), store and write the results."""
    known = rows.rows()
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("rows", nargs="*", metavar="ROW", help=", ".join(known))
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--quick", action="store_true", help="small samples; nothing is stored")
    parser.add_argument(
        "--corpus", help="for text_to_predictions, throughput, latency: measure only this corpus"
    )
    parser.add_argument(
        "--gigabytes", type=float, nargs="+", default=(), help="for growth: sizes of the text"
    )
    options = parser.parse_args()
    unknown = [name for name in options.rows if name not in known]
    if unknown:
        parser.error(f"no row {', '.join(unknown)}; there are {', '.join(known)}")
    gigabytes = tuple(sorted(options.gigabytes))
    settings = Settings(options.repetitions, options.quick, options.corpus, gigabytes)
    for name in options.rows or known:
        measure(name, known[name], settings)
    if not settings.quick:
        report.write(store.read())
    return 0


def measure(name: str, module: ModuleType, settings: Settings) -> None:
    """Measure one row, print it, and store it unless the run is a quick one."""
    print(f"{name}: {module.TITLE}", file=sys.stderr, flush=True)
    skipped: list[str] = []
    figures: list[Figure] = []
    grids: list[Grid] = []
    try:
        for result in module.figures(settings, skipped):
            if isinstance(result, Grid):
                grids.append(result)
            else:
                figures.append(result)
            print(render(result), flush=True)
    except Missing as missing:
        skipped.append(str(missing))
    for reason in skipped:
        print(f"  skipped: {reason}", flush=True)
    if figures and not settings.quick:
        store.store_row(
            name,
            module.TITLE,
            figures,
            skipped,
            anew=bool(settings.corpus),
            grids=grids,
            repetitions=settings.repetitions,
        )


def render(result: Figure | Grid) -> str:
    """Return a figure or a table for the terminal."""
    if isinstance(result, Grid):
        return f"\n{result.title}\n\n{terminal_table(result.head, result.lines)}"
    return render_figure(result)


def render_figure(figure: Figure) -> str:
    """Return one figure as a line for the terminal."""
    record = figure.record()
    parts = [f"  {figure.name}: {report.format_quantity(figure.measured, figure.unit)}"]
    if figure.target is not None:
        parts.append(f"target {report.format_target(record)}: {'yes' if figure.reached else 'NO'}")
    parts += [text for text in (figure.ours, figure.theirs, figure.remark) if text]
    return "; ".join(parts)


if __name__ == "__main__":
    sys.exit(main())
