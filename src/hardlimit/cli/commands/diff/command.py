"""``hardlimit diff``: the terms whose weights moved most."""

from __future__ import annotations

import click

from hardlimit.cli.command import command_of
from hardlimit.cli.live_models import LiveOptions
from hardlimit.cli.options import as_json, ledger_option, top_option


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


command = command_of("diff", DiffOptions)
