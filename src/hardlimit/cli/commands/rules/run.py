"""The work of ``hardlimit rules``: list what there is to choose from."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from hardlimit import naming
from hardlimit.cli import json_output, terminal
from hardlimit.cli.choice_options import DEFAULT_RULES, ORDERS, READOUTS
from hardlimit.cli.commands.rules import entries
from hardlimit.cli.json_output import Json
from hardlimit.cli.options import nearest
from hardlimit.cli.registers import REGISTERS
from hardlimit.foundation.records import to_plain

if TYPE_CHECKING:
    from hardlimit.cli.commands.rules.command import RulesOptions
    from hardlimit.foundation.register import Register


class _Section(NamedTuple):
    """A kind of choices: its option, its key in JSON, its title, and what is the default of what.

    Parts of the title that say more follow a comma.
    """

    option: str
    key: str
    title: str
    defaults: Mapping[str, str] = {}

    @property
    def register(self) -> Register[Any]:
        """The choices of this kind."""
        return REGISTERS[self.option].load()

    @property
    def entries(self) -> list[entries.ListedChoice]:
        """The choices, as they are shown."""
        return entries.list_entries(self.register)


_SECTIONS = (
    _Section("rule", "rules", "Rules", dict(zip(DEFAULT_RULES, ("texts", "numbers"), strict=True))),
    _Section("order", "orders", "Orders of the rows", {ORDERS[0]: ""}),
    _Section("schedule", "schedules", "Schedules, which multiply each step"),
    _Section("guard", "guards", "Guards against noise, any of them together"),
    _Section("readout", "readouts", "Read-outs, the weights that answer", {READOUTS[0]: ""}),
    _Section("scale", "scales", "Scalings of numbers"),
    _Section("map", "maps", "Maps of numbers"),
    _Section("kernel", "kernels", "Kernels of numbers"),
    _Section("budget", "budgets", "Budgets of a kernel"),
)


def run(options: RulesOptions) -> None:
    """Print all choices, or those of one name."""
    if options.rule is not None:
        _run_one(options.rule, as_json=options.as_json)
    elif options.as_json:
        json_output.print_json(
            {one.key: [_to_json(entry) for entry in one.entries] for one in _SECTIONS}
        )
    else:
        for section in _SECTIONS:
            _show_section(section)
        terminal.say("hardlimit train FILE -o MODEL --rule NAME:VALUES --order NAME:VALUES ...")


def _run_one(name: str, *, as_json: bool) -> None:
    """Print the choices of a name with their docstrings: update, guarantee, example, source."""
    found = [
        (section, entry) for section in _SECTIONS for entry in section.entries if entry.name == name
    ]
    if not found:
        names = [entry.name for section in _SECTIONS for entry in section.entries]
        listed = ", ".join(dict.fromkeys(names))
        raise click.UsageError(f"there is no {name!r}; there are {listed}{nearest(name, names)}")
    for section, entry in found:
        statement = entries.statement(section.register.find(name))
        if as_json:
            json_output.print_json({**_to_json(entry), "statement": statement})
        else:
            _show(section, entry, f"--{section.option} ")
            terminal.say(statement)


def _show_section(section: _Section) -> None:
    terminal.say(terminal.paint(f"{section.title}: --{section.option} NAME:VALUES", "bold"))
    terminal.say()
    for entry in section.entries:
        _show(section, entry)


def _show(section: _Section, entry: entries.ListedChoice, before: str = "") -> None:
    default = ""
    if entry.name in section.defaults:
        whose = section.defaults[entry.name]
        default = f"  (default for {whose})" if whose else "  (default)"
    terminal.say(terminal.paint(before + entry.name, "bold") + default)
    for line in terminal.wrapped(entry.summary):
        terminal.say(line)
    terminal.facts(
        [(f"{one.name}={_value(one.default)}", one.range) for one in entry.parameters], indent=4
    )
    terminal.say()


def _value(default: object) -> str:
    """Return a default as it is typed; one that must be given, or a list, by its place."""
    if default is inspect.Parameter.empty or default == ():
        return "..."
    return naming.format_value(default)


def _to_json(entry: entries.ListedChoice) -> Json:
    return {"name": entry.name, "summary": entry.summary, "parameters": to_plain(entry.parameters)}
