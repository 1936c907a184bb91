"""``hardlimit rules``: the update rules, and everything that multiplies with them."""

from __future__ import annotations

import click

from hardlimit.cli.command import command_of
from hardlimit.cli.options import Options, as_json


@click.argument("rule", metavar="[NAME]", required=False)
@as_json
class RulesOptions(Options):
    """List rules and all other choices, or explain one of them.

    Each is listed with its parameters, their defaults and their ranges, as NAME:VALUES takes them.
    'train' refuses combinations that do not work, and gives the reason.

    \b
      hardlimit rules
      hardlimit rules passive-aggressive
    """

    rule: str | None
    as_json: bool


command = command_of("rules", RulesOptions)
