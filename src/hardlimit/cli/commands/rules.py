"""``hardlimit rules``: the update rules, and everything that multiplies with them."""

from __future__ import annotations

import click

from hardlimit.cli import options


@click.command()
@click.argument("rule", metavar="[RULE]", required=False)
@options.as_json
def command(rule: str | None, as_json: bool) -> None:
    """List what there is to choose from, or tell all of one RULE.

    Rules, orders, schedules, read-outs and guards, with their parameters and ranges. What does not
    go together is refused by train, with the reason.
    """
    from hardlimit.cli import showing_rules

    if rule is None:
        showing_rules.run(as_json=as_json)
    else:
        showing_rules.run_one(rule, as_json=as_json)
