"""What there is to choose from: names, summaries and parameters, from the docstrings."""

from __future__ import annotations

import inspect
import re
from typing import Any, NamedTuple

from hardlimit.cli.registers import REGISTERS
from hardlimit.foundation.register import Register


class ListedParameter(NamedTuple):
    """A parameter with its default and its range or effect."""

    name: str
    default: object
    range: str


class ListedChoice(NamedTuple):
    """One thing to choose, as the command line names it."""

    name: str
    summary: str
    parameters: tuple[ListedParameter, ...] = ()


def list_entries(register: Register[Any]) -> list[ListedChoice]:
    """Return every member of a register."""
    return [_entry(name, cls) for name, cls in register.members.items()]


def statement(cls: type) -> str:
    """Return what a docstring says below its first line, without the code at its end."""
    below = (inspect.getdoc(cls) or "").partition("\n")[2].partition("\nExamples\n")[0]
    return _unmarked(below.replace("\n::\n", "")).strip("\n")


def _entry(name: str, cls: Any) -> ListedChoice:
    ranges: dict[str, str] = getattr(cls, "ranges", {})
    parameters = (
        ListedParameter(key, one.default, _unmarked(ranges.get(key, "")) or _said_of(key, cls))
        for key, one in inspect.signature(cls).parameters.items()
    )
    return ListedChoice(name, _first_line(cls), tuple(parameters))


def _first_line(cls: type) -> str:
    return _unmarked((cls.__doc__ or "").strip().splitlines()[0])


def _said_of(parameter: str, cls: type) -> str:
    """Return the paragraph ``parameter : ...`` of the docstring, or the one below its name."""
    # The forms in which our docstrings describe a parameter.
    end = r"(?:\n\n|\n *\w+ : |\n {4}\w+\n|\Z)"
    found = re.search(rf"^ *{parameter}(?: : |\n +)(.*?){end}", cls.__doc__ or "", re.S | re.M)
    return _unmarked(" ".join(found[1].split())).rstrip(".") if found else ""


def _unmarked(text: str) -> str:
    """Return a text without marks: a class of this package by the name that is typed.

    >>> _unmarked("as for :class:`AROW`, :class:`~hardlimit.guards.AlphaBound`: ``w``")
    'as for arow, alpha-bound: w'
    """
    return re.sub(r":[a-z]+:`~?([\w.]+)`", _named, text).replace("``", "")


def _named(found: re.Match[str]) -> str:
    name = found[1].rpartition(".")[2]
    for place in REGISTERS.values():
        for typed, cls in place.load().members.items():
            if cls.__name__ == name:
                return typed
    return name
