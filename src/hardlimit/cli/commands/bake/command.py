"""``hardlimit bake``: model and corrections as one file."""

from __future__ import annotations

import click

from hardlimit.cli.command import command_of
from hardlimit.cli.live_models import LiveOptions
from hardlimit.cli.options import (
    as_json,
    by_option,
    ledger_option,
    output_option,
    threshold_option,
)


@click.argument("model")
@output_option("new.hardlimit", "The model file to write.", "FILE")
@threshold_option
@by_option("Who writes it.")
@ledger_option
@as_json
class BakeOptions(LiveOptions):
    """Write MODEL and its corrections as one new model file.

    --threshold gives the new file another decision threshold. A model without corrections may be of
    any kind then, and keeps its training state.

    Every command reads it as any other model; it has no training state. Weights of texts are single
    precision there, and new terms count in the length of a text: the answers to all corrections and
    guards are compared, and those that differ are named.
    """

    output: str
    threshold: float | None
    by: str


command = command_of("bake", BakeOptions)
