"""``hardlimit rules``: the update rules there are."""

from __future__ import annotations

import click

from hardlimit.cli import options


@click.command()
@options.as_json
def command(as_json: bool) -> None:
    """List the update rules and their parameters."""
    from hardlimit import rules
    from hardlimit.cli import models, terminal

    described = rules.describe()
    if as_json:
        models.say_json(described)
        return
    for entry in described:
        terminal.say(terminal.paint(entry["name"], "bold"))
        for line in terminal.wrapped(entry["line"]):
            terminal.say(line)
        for parameter in entry["parameters"]:
            terminal.say(f"    --set {parameter}")
    terminal.say()
    terminal.say("hardlimit train FILE -o MODEL --rule NAME --set KEY=VALUE")
