"""The work of ``hardlimit confirm``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardlimit.cli import json_output, live_models, models, terminal
from hardlimit.cli.live_models import quoted

if TYPE_CHECKING:
    from hardlimit.cli.commands.confirm.command import ConfirmOptions


def run(options: ConfirmOptions) -> None:
    """Confirm one answer."""
    models.require(options.model)
    with live_models.open_live(options, private=options.private) as live:
        label = None if options.label is None else live_models.find_label(live, options.label)
        text = live_models.read_example(live, options.text)
        receipt = live.confirm(text, label, by=options.by)
    if options.as_json:
        json_output.print_json(receipt.to_dict())
        return
    now = receipt.after
    terminal.say(
        f"confirmed #{receipt.id}: {quoted(now.label)} (margin {now.margin:.2f}, probability "
        f"{receipt.probability:.2f})"
    )
