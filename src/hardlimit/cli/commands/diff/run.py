"""The work of ``hardlimit diff``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardlimit.cli import json_output, live_models, models, terminal
from hardlimit.cli.live_models import quoted
from hardlimit.foundation.formatting import plural
from hardlimit.live import compare, compare_live

if TYPE_CHECKING:
    from hardlimit.cli.commands.diff.command import DiffOptions


def run(options: DiffOptions) -> None:
    """Compare, and show what moved most."""
    models.require(options.model)
    if options.other is None:
        with live_models.open_live(options, read_only=True) as live:
            found = compare_live(live, options.top)
    else:
        models.require(options.other)
        found = compare(options.model, options.other, options.top)
    if options.as_json:
        plain = found._asdict()
        plain["moved"] = [one._asdict() for one in found.moved]
        json_output.print_json(plain)
        return
    for labels, what in ((found.added, "new"), (found.removed, "gone")):
        if labels:
            terminal.say(f"{what}: {', '.join(map(quoted, labels))}")
    terminal.say(f"{plural(found.n_moved, 'weight')} moved, by {found.distance:.4f} together")
    rows = [
        (f"{one.after - one.before:+.4f}", f"{one.before:+.4f}", f"{one.after:+.4f}",
         quoted(one.label), terminal.escape_controls(one.term))
        for one in found.moved
    ]  # fmt: skip
    for line in terminal.table(("moved", "before", "after", "for", "term"), rows):
        terminal.say(line)
