"""``hardlimit demo``: the whole job on texts that every machine has."""

from __future__ import annotations

import click

from hardlimit.cli import options


@click.command()
@click.option("-o", "--output", metavar="MODEL", help="Keep the model in this file.")
@options.as_json
def command(output: str | None, as_json: bool) -> None:
    """Try it all on texts that every machine has; needs no file.

    Trains and measures a classifier, in seconds and without a network.

    The texts are the docstrings of Python's own standard library, the classes the families of
    modules they come from.
    """
    from hardlimit.cli import demonstration

    demonstration.run(output, as_json=as_json)
