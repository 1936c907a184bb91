"""``hardlimit undo``: an entry that never was."""

from __future__ import annotations

from typing import Any

import click

from hardlimit.cli import json_output, live_models, models, terminal
from hardlimit.cli.command import command_of
from hardlimit.cli.commands.correct import told_flips
from hardlimit.cli.live_models import LiveOptions, quoted
from hardlimit.cli.options import as_json, by_option, dry_run, ledger_option


@click.argument("model")
@click.argument("entry", required=False)
@by_option("Who takes it back.")
@dry_run
@ledger_option
@as_json
class UndoOptions(LiveOptions):
    """Take back ENTRY of MODEL's ledger, to the last bit.

    The model is as if the entry had never been; later corrections are made anew on it. ENTRY is a
    number that 'hardlimit log' shows; without it the last entry that holds is taken back, other
    than an undo. An undo is an entry too, and can itself be undone by its number.

    \b
      hardlimit undo spam.hardlimit
      hardlimit undo spam.hardlimit 57
    """

    entry: str | None
    by: str
    dry_run: bool


def run(options: UndoOptions) -> None:
    """Take back one entry, and tell what it did."""
    models.require(options.model)
    number = None if options.entry is None else live_models.read_number(options.entry)
    how: dict[str, Any] = {"by": options.by, "dry_run": options.dry_run}
    with live_models.open_live(options) as live, live_models.telling(live, options.by):
        receipt = live.undo_last(**how) if number is None else live.undo(number, **how)
    if options.as_json:
        json_output.print_json(receipt.to_dict())
        return
    target = f"#{receipt.target}"
    told = f"would undo {target}" if receipt.dry_run else f"#{receipt.id} undid {target}"
    parts = [told]
    if receipt.after.label is not None:
        after, before = receipt.after, receipt.before
        parts[0] += (
            f": now {quoted(after.label)} (margin {after.margin:.2f}, was "
            f"{quoted(before.label)} {before.margin:.2f})"
        )
    if receipt.n_remembered:
        parts.append(told_flips(receipt))
    if receipt.refused:
        named = ", ".join(f"#{one}" for one in receipt.refused)
        parts.append(f"later corrections that do not hold any more: {named}")
    if receipt.flagged:
        named = ", ".join(f"#{one}" for one in receipt.flagged)
        parts.append(f"guards that do not hold any more: {named}")
    terminal.say("; ".join(parts))


command = command_of("undo", UndoOptions, run)
