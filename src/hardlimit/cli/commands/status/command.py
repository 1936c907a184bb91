"""``hardlimit status``: how well a live model does."""

from __future__ import annotations

import click

from hardlimit.cli.command import command_of
from hardlimit.cli.live_models import LiveOptions
from hardlimit.cli.options import as_json, ledger_option


@click.argument("model")
@click.option(
    "--windows",
    default=8,
    show_default=True,
    type=click.IntRange(min=0),
    metavar="N",
    help="Show the course in at most N lines.",
)
@ledger_option
@as_json
class StatusOptions(LiveOptions):
    """Show how often MODEL was right, and whether it still fits.

    Each answer that was confirmed or corrected counts as it was before its label was learnt.
    People report mistakes more often than right answers, so confirm some as well. The live
    probability follows these answers, the fitted one is that of the model file. Drift compares the
    latest answers with those before: words that MODEL does not know, answers less often right than
    their probability says. Guards that do not hold are named.
    """

    windows: int


command = command_of("status", StatusOptions)
