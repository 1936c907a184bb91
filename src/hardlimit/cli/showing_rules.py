"""Showing what there is to choose from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import click

from hardlimit import describing
from hardlimit.cli import building, choices, listing, models, terminal


class _Section(NamedTuple):
    """A kind of choices: its key in JSON, its title, where it comes from, the default."""

    key: str
    title: str
    entries: Callable[[], list[listing.Entry]]
    default: str = ""


_SECTIONS = (
    _Section("orders", "Orders: --order NAME", listing.orders, "shuffled"),
    _Section("schedules", "Schedules: --schedule ETA multiplies the steps", listing.schedules),
    _Section("readouts", "Read-outs of one fit: --readout NAME", listing.readouts, "averaged"),
    _Section("guards", "Guards against noise, any of them together", listing.guards),
)
_OPTION_OF = {
    "lambda-trick": "--lambda LAM",
    "alpha-bound": "--alpha-bound ALPHA",
    "margin": "--margin B",
}


def run(*, as_json: bool) -> None:
    """Print everything, for people or machines."""
    if as_json:
        found = {section.key: section.entries() for section in _SECTIONS}
        found = {"rules": listing.rules(), **found}
        models.say_json({key: [_plain(one) for one in entries] for key, entries in found.items()})
        return
    terminal.say(terminal.paint("Rules: --rule NAME --set KEY=VALUE", "bold"))
    terminal.say()
    for rule in listing.rules():
        _show_rule(rule)
    for section in _SECTIONS:
        _show_section(section)
    terminal.say("hardlimit train FILE -o MODEL --rule NAME --set KEY=VALUE --order NAME ...")


def run_one(name: str, *, as_json: bool) -> None:
    """Print one rule with what its docstring says: update, ranges, guarantee, example, source."""
    found = next((rule for rule in listing.rules() if rule.name == name), None)
    if found is None:
        names = [rule.name for rule in listing.rules()]
        raise click.UsageError(
            f"there is no rule {name!r}; there are {', '.join(names)}{choices.near(name, names)}"
        )
    if as_json:
        models.say_json({**_plain(found), "statement": listing.statement(name)})
        return
    _show_rule(found)
    terminal.say(listing.statement(name))


def _show_rule(rule: listing.Entry) -> None:
    defaults = dict(zip(building.DEFAULT_RULES, ("texts", "numbers"), strict=True))
    of = f"  (default for {defaults[rule.name]})" if rule.name in defaults else ""
    terminal.say(terminal.paint(rule.name, "bold") + of)
    for line in terminal.wrapped(rule.summary):
        terminal.say(line)
    terminal.facts(
        [
            (f"--set {one.name}={describing.value_named(one.default)}", one.range)
            for one in rule.parameters
        ],
        indent=4,
    )
    terminal.say()


def _show_section(section: _Section) -> None:
    terminal.say(terminal.paint(section.title, "bold"))
    pairs = []
    for one in section.entries():
        default = " (default)" if one.name == section.default else ""
        pairs.append((_OPTION_OF.get(one.name, one.name), one.summary + default))
        pairs += [("", f"{p.name} : {p.range}") for p in one.parameters if p.range]
    terminal.facts(pairs)
    terminal.say()


def _plain(entry: listing.Entry) -> dict[str, Any]:
    return {
        "name": entry.name,
        "summary": entry.summary,
        "parameters": [parameter._asdict() for parameter in entry.parameters],
    }
