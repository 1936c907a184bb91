"""``hardlimit rules``: the update rules there are."""

from __future__ import annotations

import click

from hardlimit.cli import options


@click.command()
@options.as_json
def command(as_json: bool) -> None:
    """List the update rules and their parameters."""
    from hardlimit import rules
    from hardlimit.cli import building, describing, models, terminal

    described = rules.describe()
    if as_json:
        models.say_json(
            [
                {
                    "name": rule.name,
                    "summary": rule.summary,
                    "parameters": [
                        {"name": name, "default": default, "range": effect}
                        for name, default, effect in rule.parameters
                    ],
                }
                for rule in described
            ]
        )
        return
    defaults = dict(zip(building.DEFAULT_RULES, ("texts", "numbers"), strict=True))
    for rule in described:
        of = f"  (default for {defaults[rule.name]})" if rule.name in defaults else ""
        terminal.say(terminal.paint(rule.name, "bold") + of)
        for line in terminal.wrapped(rule.summary):
            terminal.say(line)
        terminal.facts(
            [
                (f"--set {name}={describing.value_named(default)}", effect)
                for name, default, effect in rule.parameters
            ],
            indent=4,
        )
        terminal.say()
    terminal.say("hardlimit train FILE -o MODEL --rule NAME --set KEY=VALUE")
