"""``hardlimit rules``: the update rules, and everything that multiplies with them."""

from __future__ import annotations

import click

from hardlimit.cli import options


@click.command()
@options.as_json
def command(as_json: bool) -> None:
    """List rules, orders, schedules, read-outs and guards.

    Each with its parameters and their ranges. What does not go together is refused by train, with
    the reason.
    """
    from hardlimit.cli import showing_rules

    showing_rules.run(as_json=as_json)
