"""``hardlimit why``: what made an answer of a live model."""

from __future__ import annotations

import click

from hardlimit.cli.command import command_of
from hardlimit.cli.live_models import LiveOptions
from hardlimit.cli.options import as_json, ledger_option, top_option


@click.argument("model")
@click.argument("text")
@top_option(10, "Show the N largest terms and corrections, for or against.")
@ledger_option
@as_json
class WhyOptions(LiveOptions):
    """Show the terms and the corrections that made the answer to TEXT.

    Of each term, what MODEL gave it and what corrections added to it; of each correction that
    touches TEXT, how much it pushed the answer, who made it and when. Both add up to the margin of
    the answer over its best rival. TEXT may be '-' for standard input; of a model of several
    columns it is the JSON of a row.
    """

    text: str
    top: int


command = command_of("why", WhyOptions)
