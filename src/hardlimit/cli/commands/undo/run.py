"""The work of ``hardlimit undo``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hardlimit.cli import json_output, live_models, models, terminal
from hardlimit.cli.commands.correct.run import told_flips
from hardlimit.cli.live_models import quoted

if TYPE_CHECKING:
    from hardlimit.cli.commands.undo.command import UndoOptions


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
