"""``hardlimit diff``: the terms whose weights moved most."""

from __future__ import annotations

import click

from hardlimit.cli import json_output, live_models, models, terminal
from hardlimit.cli.command import command_of
from hardlimit.cli.live_models import LiveOptions, quoted
from hardlimit.cli.options import as_json, ledger_option, top_option
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.records import to_plain


@click.argument("model")
@click.argument("other", required=False)
@top_option(20, "Show the N weights that moved most.")
@ledger_option
@as_json
class DiffOptions(LiveOptions):
    """Compare two models, or MODEL and its corrections.

    With OTHER, another model file, all weights of both are compared by their terms. Without it, the
    weights of MODEL with those that its corrections make of them.
    """

    other: str | None
    top: int


def run(options: DiffOptions) -> None:
    """Compare, and show what moved most."""
    from hardlimit.live import compare, compare_live  # late: --help needs none of it

    models.require(options.model)
    if options.other is None:
        with live_models.open_live(options, read_only=True) as live:
            found = compare_live(live, options.top)
    else:
        models.require(options.other)
        found = compare(options.model, options.other, options.top)
    if options.as_json:
        json_output.print_json(to_plain(found))
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


command = command_of("diff", DiffOptions, run)
