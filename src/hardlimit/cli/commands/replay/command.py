"""``hardlimit replay``: the model as it was."""

from __future__ import annotations

import click

from hardlimit.cli.command import command_of
from hardlimit.cli.live_models import LiveOptions
from hardlimit.cli.options import as_json, ledger_option


@click.argument("model")
@click.option("--until", type=click.IntRange(min=0), metavar="ENTRY", help="The last entry.")
@click.option("-o", "--output", metavar="FILE", help="Write the model of then as a model file.")
@ledger_option
@as_json
class ReplayOptions(LiveOptions):
    """Replay the corrections of MODEL, whole or until one of them.

    All are replayed from the first one, without snapshots. Whole, the result is compared with
    MODEL as it is now, to the last bit.

    \b
      hardlimit replay spam.hardlimit --until 40 -o before.hardlimit
    """

    until: int | None
    output: str | None


command = command_of("replay", ReplayOptions)
