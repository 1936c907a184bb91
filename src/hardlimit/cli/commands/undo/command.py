"""``hardlimit undo``: an entry that never was."""

from __future__ import annotations

import click

from hardlimit.cli.command import command_of
from hardlimit.cli.live_models import LiveOptions
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


command = command_of("undo", UndoOptions)
