"""``hardlimit rules``: the update rules, and everything that multiplies with them."""

from __future__ import annotations

from dataclasses import dataclass

import click

from hardlimit.cli.command import command_of
from hardlimit.cli.options import as_json


@click.argument("rule", metavar="[RULE]", required=False)
@as_json
@dataclass(frozen=True, kw_only=True)
class RulesOptions:
    """List what there is to choose from, or tell all of one RULE.

    Rules, orders, schedules, read-outs and guards, with their parameters and ranges. 'train'
    refuses combinations that do not work, with the reason.
    """

    rule: str | None
    as_json: bool


command = command_of("rules", RulesOptions)
