"""``hardlimit rules``: the update rules, and everything that multiplies with them."""

from __future__ import annotations

import click

from hardlimit.cli import options


@click.command()
@click.argument("name", metavar="[RULE]", required=False)
@options.as_json
def command(name: str | None, as_json: bool) -> None:
    """List rules, orders, schedules, read-outs and guards; or tell all of one RULE.

    Each with its parameters and their ranges. What does not go together is refused by train, with
    the reason.
    """
    from hardlimit.cli import showing_rules

    if name is None:
        showing_rules.run(as_json=as_json)
    else:
        showing_rules.run_one(name, as_json=as_json)
