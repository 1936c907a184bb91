"""``hardlimit key``: who may use a service."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from hardlimit.cli import json_output, models, terminal
from hardlimit.cli.command import command_of
from hardlimit.cli.options import Options, as_json, option
from hardlimit.foundation.formatting import escape_controls

if TYPE_CHECKING:
    from hardlimit.service.keys import KeyFile

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
@option("--keys FILE", "The file of keys; default: MODEL.keys.")
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


def run(options: KeyOptions) -> None:
    """Make, list or remove keys."""
    from hardlimit.service.keys import SUFFIX, KeyFile  # late: --help needs none of it

    models.require(options.model)
    if options.action not in ACTIONS:
        raise click.UsageError(f"{options.action!r}: there are {', '.join(ACTIONS)}")
    if bool(options.name) is (options.action == "list"):
        wants = "takes no name" if options.name else "wants the NAME of a key"
        raise click.UsageError(f"key {options.action} {wants}")
    keys = KeyFile(options.keys or options.model + SUFFIX)
    if options.action == "list":
        _show(keys, options)
    elif options.action == "add":
        _add(keys, options)
    else:
        keys.remove(options.name or "")
        if options.as_json:
            json_output.print_json({"removed": options.name})
        else:
            terminal.say(f"removed the key of {options.name}")


def _add(keys: KeyFile, options: KeyOptions) -> None:
    name = options.name or ""
    token = keys.add(name, options.scope)
    if options.as_json:
        json_output.print_json({"name": name, "scope": options.scope, "key": token})
    else:
        terminal.say(token)
        terminal.remark(f"the key of {name}, scope '{options.scope}': it is shown this once only")


def _show(keys: KeyFile, options: KeyOptions) -> None:
    found = keys.keys() if os.path.lexists(keys.path) else []
    if options.as_json:
        plain = [{"name": one.name, "scope": one.scope, "made": one.made} for one in found]
        json_output.print_json({"keys": plain})
        return
    rows = [(escape_controls(one.name), one.scope, one.made) for one in found]
    for line in terminal.table(("name", "scope", "made"), rows, indent=0) if rows else ["no keys"]:
        terminal.say(line)


command = command_of("key", KeyOptions, run)
