"""``hardlimit inspect``: what is in a model file."""

from __future__ import annotations

import click

from hardlimit.cli.command import command_of
from hardlimit.cli.options import Options, as_json, option


@click.argument("model")
@option(
    "--top N",
    "Show the N most telling terms of each class (default 10), or the N largest weights of a "
    "model of numbers (default: all if few).",
    type=click.IntRange(min=0),
)
@option("--verify", "Check the digests of the whole file first.")
@option(
    "--distances FILE",
    "Measure how far the labelled rows of FILE lie from the boundary, and show the nearest.",
)
@as_json
class InspectOptions(Options):
    """Show what MODEL is, how it was trained, its most telling terms."""

    model: str
    top: int | None
    verify: bool
    distances: str | None
    as_json: bool


command = command_of("inspect", InspectOptions)
