"""``hardlimit demo``: the whole job on texts that every machine has."""

from __future__ import annotations

from hardlimit.cli.command import command_of
from hardlimit.cli.options import Options, as_json, jobs, option


@option("-o --output MODEL", "Keep the model in this file.")
@jobs
@as_json
class DemoOptions(Options):
    """Try it all on texts that every machine has; needs no file.

    Trains and measures a classifier in seconds, without a network. The texts are the docstrings of
    Python's own standard library; the classes are the families of modules they come from.
    """

    output: str | None
    jobs: int | None
    as_json: bool


command = command_of("demo", DemoOptions)
