"""What there is to choose from: names, summaries and parameters, from the docstrings."""

from __future__ import annotations

import dataclasses
import inspect
import re
from typing import NamedTuple

from hardlimit import guards, orders, readouts, rules, schedules


class Parameter(NamedTuple):
    """A parameter with its default and its range or effect."""

    name: str
    default: object
    range: str


class Entry(NamedTuple):
    """One thing to choose, as the command line names it."""

    name: str
    summary: str
    parameters: tuple[Parameter, ...] = ()


def rule_entries() -> list[Entry]:
    """Return every update rule."""
    return [
        Entry(one.name, _unmarked(one.summary), tuple(Parameter(*p) for p in one.parameters))
        for one in rules.describe()
    ]


def statement(name: str) -> str:
    """Return what a rule's docstring says below its first line, without the code at its end."""
    found = next(one.cls for one in rules.describe() if one.name == name)
    below = (inspect.getdoc(found) or "").partition("\n")[2].partition("\nExamples\n")[0]
    return _unmarked(below.replace("\n::\n", "")).strip("\n")


def order_entries() -> list[Entry]:
    """Return the orders in which rows are presented."""
    return [_entry(name, cls) for name, cls in orders.ORDERS.members.items()]


def guard_entries() -> list[Entry]:
    """Return the guards against noise."""
    return [_entry(name, cls) for name, cls in guards.GUARDS.members.items()]


def schedule_entries() -> list[Entry]:
    """Return the schedules, by the texts that name them."""
    found = []
    for text in schedules.names():
        example = re.sub("NUMBER|W1|W2|A|B", "1", text).replace(",...", "")
        cls = type(schedules.resolve(example))
        found.append(Entry(text, _first_line(cls)))
    return found


def readout_entries() -> list[Entry]:
    """Return the read-outs, in the order of lists."""
    return [_entry(name, readouts.REGISTER.members[name]) for name in readouts.names()]


def _entry(name: str, cls: type) -> Entry:
    fields = [field for field in dataclasses.fields(cls) if field.init]
    parameters = (Parameter(f.name, f.default, _said_of(f.name, cls)) for f in fields)
    return Entry(name, _first_line(cls), tuple(parameters))


def _first_line(cls: type) -> str:
    return _unmarked((cls.__doc__ or "").strip().splitlines()[0])


def _said_of(parameter: str, cls: type) -> str:
    """Return the paragraph ``parameter : ...`` of the docstring."""
    # The form in which all our docstrings describe a parameter.
    end = r"(?:\n\n|\n *\w+ : |\Z)"
    found = re.search(rf"^ *{parameter} : (.*?){end}", cls.__doc__ or "", re.S | re.M)
    return _unmarked(" ".join(found[1].split())).rstrip(".") if found else ""


def _unmarked(text: str) -> str:
    """Return a text without marks: a class of this package by the name that is typed.

    >>> _unmarked("as for :class:`AROW`, :class:`~hardlimit.guards.AlphaBound`: ``w``")
    'as for arow, alpha-bound: w'
    """
    return re.sub(r":[a-z]+:`~?([\w.]+)`", _named, text).replace("``", "")


def _named(found: re.Match[str]) -> str:
    name = found[1].rpartition(".")[2]
    typed = {one.cls.__name__: one.name for one in rules.describe()}
    for register in (guards.GUARDS, orders.ORDERS, readouts.REGISTER):
        typed |= {cls.__name__: key for key, cls in register.members.items()}
    return typed.get(name, name)
