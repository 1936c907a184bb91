"""The work of ``hardlimit key``."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from hardlimit.cli import json_output, models, terminal
from hardlimit.cli.commands.key.command import ACTIONS
from hardlimit.foundation.formatting import escape_controls
from hardlimit.service.keys import SUFFIX, KeyFile

if TYPE_CHECKING:
    from hardlimit.cli.commands.key.command import KeyOptions


def run(options: KeyOptions) -> None:
    """Make, list or remove keys."""
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
