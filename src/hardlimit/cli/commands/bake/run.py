"""The work of ``hardlimit bake``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardlimit.cli import json_output, live_models, models, outputs, terminal
from hardlimit.foundation.formatting import plural

if TYPE_CHECKING:
    from hardlimit.cli.commands.bake.command import BakeOptions
    from hardlimit.live.bake import Baked


def run(options: BakeOptions) -> None:
    """Write the new file."""
    models.require(options.model)
    outputs.refuse_inputs(options.output, options.model)
    outputs.check_writable(options.output)
    with live_models.open_live(options) as live:
        baked = live.bake(options.output, by=options.by)
    show(baked, options.as_json)


def show(baked: Baked, as_json: bool) -> None:
    """Say what was written, and which answers differ."""
    if as_json:
        json_output.print_json(baked._asdict())
        return
    terminal.say(
        f"{baked.path}: with {plural(baked.corrections, 'correction')} and "
        f"{plural(baked.guards, 'guard')} that hold"
    )
    if baked.changed:
        named = ", ".join(f"#{one}" for one in baked.changed)
        terminal.remark(f"the answers to {named} differ there")
