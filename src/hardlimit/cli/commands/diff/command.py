"""``hardlimit diff``: the terms whose weights moved most."""

from __future__ import annotations

import click

from hardlimit.cli.command import command_of
from hardlimit.cli.live_models import LiveOptions
from hardlimit.cli.options import as_json


@click.argument("model")
@click.argument("other", required=False)
@click.option(
    "--top",
    default=20,
    show_default=True,
    type=click.IntRange(min=1),
    metavar="N",
    help="Show the N weights that moved most.",
)
@click.option("--ledger", metavar="FILE", help="The ledger, a file or postgresql://...")
@as_json
class DiffOptions(LiveOptions):
    """Compare two models, or MODEL and its corrections.

    With OTHER, another model file, all weights of both are compared by their terms. Without it, the
    weights of MODEL with those that its corrections make of them.
    """

    other: str | None
    top: int


command = command_of("diff", DiffOptions)
