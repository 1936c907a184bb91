"""``hardlimit bake``: model and corrections as one file."""

from __future__ import annotations

import click

from hardlimit.cli.command import command_of
from hardlimit.cli.live_models import LiveOptions
from hardlimit.cli.options import as_json, by_option, ledger_option


@click.argument("model")
@click.option("-o", "--output", required=True, metavar="FILE", help="The model file to write.")
@by_option("Who writes it.")
@ledger_option
@as_json
class BakeOptions(LiveOptions):
    """Write MODEL and its corrections as one new model file.

    Every command reads it as any other model; it has no training state. Weights of texts are single
    precision there, and new terms count in the length of a text: the answers to all corrections and
    guards are compared, and those that differ are named.
    """

    output: str
    by: str


command = command_of("bake", BakeOptions)
