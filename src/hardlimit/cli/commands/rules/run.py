"""The work of ``hardlimit rules``: list what there is to choose from."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import click

from hardlimit import describing
from hardlimit.cli import json_output, terminal
from hardlimit.cli.choice_options import DEFAULT_RULES, GUARDS
from hardlimit.cli.commands.rules import entries
from hardlimit.cli.json_output import Json
from hardlimit.cli.options import nearest

if TYPE_CHECKING:
    from hardlimit.cli.commands.rules.command import RulesOptions


class _Section(NamedTuple):
    """A kind of choices: its key in JSON, its title, where it comes from, the default."""

    key: str
    title: str
    entries: Callable[[], list[entries.Entry]]
    default: str = ""


_SECTIONS = (
    _Section("orders", "Orders: --order NAME", entries.order_entries, "shuffled"),
    _Section("schedules", "Schedules: --schedule ETA, times each step", entries.schedule_entries),
    _Section(
        "readouts",
        "Read-outs, the weights that answer: --readout NAME",
        entries.readout_entries,
        "averaged",
    ),
    _Section("guards", "Guards against noise, any of them", entries.guard_entries),
)


def run(options: RulesOptions) -> None:
    """Print all choices, or one rule."""
    if options.rule is not None:
        _run_one(options.rule, as_json=options.as_json)
    elif options.as_json:
        lists = {section.key: section.entries() for section in _SECTIONS}
        lists = {"rules": entries.rule_entries(), **lists}
        json_output.print_json(
            {key: [_to_json(one) for one in found] for key, found in lists.items()}
        )
    else:
        _show_all()


def _lists() -> Json:
    lists = {section.key: section.entries() for section in _SECTIONS}
    lists = {"rules": entries.rule_entries(), **lists}
    return {key: [_to_json(one) for one in found] for key, found in lists.items()}


def _show_all() -> None:
    terminal.say(terminal.paint("Rules: --rule NAME --set KEY=VALUE", "bold"))
    terminal.say()
    for rule in entries.rule_entries():
        _show_rule(rule)
    for section in _SECTIONS:
        _show_section(section)
    terminal.say("hardlimit train FILE -o MODEL --rule NAME --set KEY=VALUE --order NAME ...")


def _run_one(name: str, *, as_json: bool) -> None:
    """Print one rule with its docstring: update, ranges, guarantee, example, source."""
    entry = next((rule for rule in entries.rule_entries() if rule.name == name), None)
    if entry is None:
        names = [rule.name for rule in entries.rule_entries()]
        raise click.UsageError(
            f"there is no rule {name!r}; there are {', '.join(names)}{nearest(name, names)}"
        )
    if as_json:
        json_output.print_json({**_to_json(entry), "statement": entries.statement(name)})
        return
    _show_rule(entry)
    terminal.say(entries.statement(name))


def _show_rule(rule: entries.Entry) -> None:
    defaults = dict(zip(DEFAULT_RULES, ("texts", "numbers"), strict=True))
    of = f"  (default for {defaults[rule.name]})" if rule.name in defaults else ""
    terminal.say(terminal.paint(rule.name, "bold") + of)
    for line in terminal.wrapped(rule.summary):
        terminal.say(line)
    terminal.facts(
        [
            (f"--set {one.name}={describing.format_value(one.default)}", one.range)
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
        pairs.append((_as_typed(one), one.summary + default))
        pairs += [("", f"{p.name} : {p.range}") for p in one.parameters if p.range]
    terminal.facts(pairs)
    terminal.say()


def _as_typed(entry: entries.Entry) -> str:
    """Return what is typed for an entry: of a guard its option, of all others the name."""
    if entry.name not in GUARDS:
        return entry.name
    # The parameter's name and not VALUE: its range is said below by that name.
    return f"{GUARDS[entry.name].name} {entry.parameters[0].name.upper()}"


def _to_json(entry: entries.Entry) -> Json:
    return {
        "name": entry.name,
        "summary": entry.summary,
        "parameters": [parameter._asdict() for parameter in entry.parameters],
    }
