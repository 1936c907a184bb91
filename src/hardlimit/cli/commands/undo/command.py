"""``hardlimit undo``: an entry that never was."""

from __future__ import annotations

import click

from hardlimit.cli.command import command_of
from hardlimit.cli.live_models import LiveOptions
from hardlimit.cli.options import as_json


@click.argument("model")
@click.argument("entry")
@click.option("--by", default="", metavar="NAME", help="Who takes it back.")
@click.option("--dry-run", is_flag=True, help="Tell what would happen, and change nothing.")
@click.option("--ledger", metavar="FILE", help="The ledger, a file or postgresql://...")
@as_json
class UndoOptions(LiveOptions):
    """Take back ENTRY of MODEL's ledger, to the last bit.

    The model is as if the entry had never been; later corrections are made anew on it. ENTRY is a
    number that 'hardlimit log' shows. An undo is an entry too, and can itself be undone.
    """

    entry: str
    by: str
    dry_run: bool


command = command_of("undo", UndoOptions)
