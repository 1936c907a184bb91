"""``hardlimit key``: who may use a service."""

from __future__ import annotations

import click

from hardlimit.cli.command import command_of
from hardlimit.cli.options import Options, as_json

ACTIONS = ("add", "list", "remove")
SCOPES = ("predict", "correct", "admin")  # a test compares


@click.argument("action", metavar="[add|list|remove]")
@click.argument("model")
@click.argument("name", required=False)
@click.option(
    "--scope",
    type=click.Choice(SCOPES),
    default=SCOPES[0],
    show_default=True,
    help="What it allows: to ask; also to correct; all.",
)
@click.option("--keys", metavar="FILE", help="The file of keys; default: MODEL.keys.")
@as_json
class KeyOptions(Options):
    """Keys that open MODEL's service: add, list, remove.

    \b
    add NAME       make a key and show it, this once: only its digest is kept
    list           show names and scopes
    remove NAME    make a key worthless, also for a service that runs

    What NAME corrects is signed with it. Clients send the header 'Authorization: Bearer KEY'.

    \b
      hardlimit key add spam.hardlimit alice --scope correct
    """

    action: str
    model: str
    name: str | None
    scope: str
    keys: str | None
    as_json: bool


command = command_of("key", KeyOptions)
