"""The benchmark of the field in under two minutes: ``make bench-quick``.

Small samples, one run of most things, few peers: enough to see who is how many times faster on
this machine. Nothing is stored, and no figure belongs into RESULTS.md; ``make bench`` measures
those.
"""

from __future__ import annotations

import re
import sys
import time

from benchmarks import rows
from benchmarks.corpora import MAIL, Missing
from benchmarks.harness import Figure, Grid, Settings
from benchmarks.machine import describe
from benchmarks.tables import format_quantity, terminal_table

PEERS = ("sklearn_linear_svc", "vowpal_wabbit", "river")
# Each row with its corpus, and which of its figures the table shows.
PARTS: tuple[tuple[str, str | None, str], ...] = (
    ("text_to_predictions", "sms_spam", "sms_spam: "),
    ("text_to_predictions", MAIL, f"{MAIL}: "),
    ("throughput", "sms_spam", "sms_spam: "),
    ("updates", None, "one SMS message: "),
    ("latency", "sms_spam", "sms_spam: "),
    ("growth", None, r"[\d.]+ GB: (?!seconds)"),
    ("features", None, "words 1-2, "),
    ("reading", None, "svmlight: "),
)
HEAD = ("", "hardlimit", "compared with", "times as fast")
WARNING = "QUICK RUN: small samples, mostly one run; not to be compared with benchmarks/RESULTS.md"


def main() -> int:
    """Measure every part, and print one table for each."""
    started, known = time.perf_counter(), rows.rows()
    print(f"{WARNING}\n{machine()}")
    for name, corpus, shown in PARTS:
        settings = Settings(1, quick=True, corpus=corpus, peers=PEERS)
        print(f"\n{known[name].TITLE}{f', {corpus}' if corpus else ''}\n", flush=True)
        print(render(known[name].figures, settings, shown), flush=True)
    print(f"\n{WARNING}\nIn all {time.perf_counter() - started:.0f} s.")
    return 0


def render(figures, settings: Settings, shown: str) -> str:
    """Return what was measured as text; what is missing on this machine is named."""
    skipped: list[str] = []
    lines, grids = [], []
    try:
        for figure in figures(settings, skipped):
            if isinstance(figure, Grid):
                grids.append(f"\n\n{figure.title}\n\n{terminal_table(figure.head, figure.lines)}")
            elif found := re.match(shown, figure.name):
                lines.append(line(figure, found.end()))
    except Missing as missing:
        skipped.append(str(missing))
    table = terminal_table(HEAD, lines) if lines else ""
    return table + "".join(grids) + "".join(f"\nskipped: {reason}" for reason in skipped)


def line(figure: Figure, at: int) -> tuple[str, ...]:
    """Return one figure as a line of the table; its name from a place on."""
    measured = format_quantity(figure.measured, figure.unit)
    return figure.name[at:], figure.ours, figure.theirs, measured


def machine() -> str:
    """Return what the figures depend on, in one line."""
    facts = describe()
    return "; ".join(facts[name] for name in ("processor", "memory", "system")) + "; one thread"


if __name__ == "__main__":
    sys.exit(main())
