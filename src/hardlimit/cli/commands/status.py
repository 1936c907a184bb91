"""``hardlimit status``: how well a live model does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

from hardlimit.cli import json_output, live_models, terminal
from hardlimit.cli.command import command_of
from hardlimit.cli.live_models import LiveOptions
from hardlimit.cli.options import as_json, ledger_option
from hardlimit.foundation.formatting import plural

if TYPE_CHECKING:
    from hardlimit.live.model import LiveModel
    from hardlimit.live.scoring import ComparedShare, Drift, EntryWindow, ProgressFigures


@click.argument("model")
@click.option(
    "--windows",
    default=8,
    show_default=True,
    type=click.IntRange(min=0),
    metavar="N",
    help="Show the course in at most N lines.",
)
@ledger_option
@as_json
class StatusOptions(LiveOptions):
    """Show how often MODEL was right, and whether it still fits.

    Each answer that was confirmed or corrected counts as it was before its label was learnt.
    People report mistakes more often than right answers, so confirm some as well. The live
    probability follows these answers, the fitted one is that of the model file. Drift compares the
    latest answers with those before: words that MODEL does not know, answers less often right than
    their probability says. Guards that do not hold are named.
    """

    windows: int


_NOTHING = "-"


def run(options: StatusOptions) -> None:
    """Show progress, probabilities, drift and guards."""
    with live_models.open_live(options, read_only=True) as live:
        progress, drift = live.progress(), live.drift()
        broken, n_guards = live.check_guards(), len(live.guards())
        if options.as_json:
            plain = {"entries": live.n_entries, "progress": progress.to_dict()}
            guards = {"guards": n_guards, "broken": broken, "troubles": live.troubles}
            json_output.print_json({**plain, "drift": drift.to_dict(), **guards})
            return
        for line in terminal.table(("", ""), list(_facts(live, progress, n_guards, broken))):
            terminal.say(line)
        for trouble in live.troubles.values():  # whole, however long
            terminal.say(f"Trouble: {trouble}")
    if progress.n_seen:
        _show_drift(drift)
        _show_windows(progress.windows, options.windows)
    elif live.n_entries == 0:
        terminal.remark("no entries: 'hardlimit correct' and 'hardlimit confirm' make them")


def _facts(
    live: LiveModel, progress: ProgressFigures, n_guards: int, broken: Sequence[int]
) -> Iterator[tuple[str, str]]:
    yield "entries", f"{live.n_entries:,}"
    n = progress.n_seen
    told = f"{n:,}: {progress.n_confirmed:,} confirmed, {progress.n_corrected:,} corrected"
    if progress.n_new_class:
        told += f", of which {progress.n_new_class:,} to a new class"
    yield "answers told", told
    if n:
        yield "right before it was told", f"{_share(progress.accuracy)} ({progress.n_right:,})"
    for name, quality, slope in (
        ("live probability", progress.live, progress.slope),
        ("fitted probability", progress.fitted, progress.fitted_slope),
    ):
        if quality is not None and slope is not None:
            yield (
                name,
                f"mean {quality.mean:.3f}, log loss {quality.log_loss:.3f}, Brier "
                f"{quality.brier:.3f}, slope {slope:.3g}",
            )
    if n_guards:
        named = ": " + ", ".join(f"#{one}" for one in broken) + " not" if broken else ""
        yield "guards that hold", f"{n_guards - len(broken)} of {n_guards}{named}"


def _show_drift(drift: Drift) -> None:
    terminal.heading(f"Drift: the latest {plural(drift.n_recent, 'answer')}, and those before")
    rows = [
        ("unknown words", *_both(drift.unknown)),
        ("right before it was told", *_both(drift.accuracy)),
        ("mean probability", *_both(drift.probability)),
        ("mistakes a day", *(_rate(one) for one in drift.corrections_per_day)),
    ]
    for line in terminal.table(("", ">latest", ">before"), rows):
        terminal.say(line)


def _both(compared: ComparedShare) -> tuple[str, str]:
    return _share(compared.recent), _share(compared.before)


def _show_windows(windows: Sequence[EntryWindow], most: int) -> None:
    if most == 0 or len(windows) < 2:
        return
    terminal.heading("Course")
    each = -(-len(windows) // most)
    rows = [_row(windows[first : first + each]) for first in range(0, len(windows), each)]
    head = ("entries", "until", ">answers", ">right", ">probability")
    for line in terminal.table(head, rows):
        terminal.say(line)


def _row(windows: Sequence[EntryWindow]) -> tuple[str, ...]:
    """Return some windows as one line."""
    n = sum(one.n for one in windows)
    right = sum(one.n * one.accuracy for one in windows) / n
    known = [one for one in windows if one.probability is not None]
    judged = sum(one.n for one in known)
    mean = sum(one.n * (one.probability or 0.0) for one in known) / judged if judged else None
    last = windows[-1]
    until = last.time[:16].replace("T", " ")
    return f"#{windows[0].first} to #{last.last}", until, f"{n:,}", _share(right), _share(mean)


def _share(share: float | None) -> str:
    return _NOTHING if share is None else f"{share:.3f}"


def _rate(rate: float | None) -> str:
    return _NOTHING if rate is None else f"{rate:.3g}"


command = command_of("status", StatusOptions, run)
