"""``hardlimit log``: all entries of a ledger."""

from __future__ import annotations

import click

from hardlimit.cli.command import command_of
from hardlimit.cli.live_models import LiveOptions
from hardlimit.cli.options import as_json, ledger_option


@click.argument("model")
@click.option("--last", type=click.IntRange(min=1), metavar="N", help="Only the last N entries.")
@click.option("--by", metavar="NAME", help="Only the entries of one author.")
@click.option("--verify", is_flag=True, help="Check the whole chain, and replay every entry.")
@ledger_option
@as_json
class LogOptions(LiveOptions):
    """List the corrections of MODEL: when, who, what they did.

    Every entry is compared with its fingerprint. An entry that was undone has a '-' before its
    number. Times are UTC.
    """

    last: int | None
    by: str | None
    verify: bool


command = command_of("log", LogOptions)
