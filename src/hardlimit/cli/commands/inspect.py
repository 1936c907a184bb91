"""``hardlimit inspect``: what is in a model file."""

from __future__ import annotations

import click

from hardlimit.cli import options


@click.command()
@click.argument("model")
@click.option(
    "--top",
    type=click.IntRange(min=0),
    metavar="N",
    help="Show the N most telling terms of each class (default 10), or the N largest weights of a "
    "model of numbers (default: all if few).",
)
@click.option("--verify", is_flag=True, help="Compare every byte with its digest first.")
@click.option(
    "--distances",
    metavar="FILE",
    help="Measure how far the labelled rows of FILE lie from the boundary, and show the nearest.",
)
@options.as_json
def command(
    model: str, top: int | None, verify: bool, distances: str | None, as_json: bool
) -> None:
    """Show what MODEL is, how it was trained, its telling terms."""
    from hardlimit.cli import inspecting

    inspecting.run(model, top=top, verify=verify, distances=distances, as_json=as_json)
