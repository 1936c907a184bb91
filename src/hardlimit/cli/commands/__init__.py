"""The commands: one folder each, found by its name.

``__init__.py``
    its docstring begins with the line that ``hardlimit --help`` shows.
``command.py``
    the options as a class of fields, whose docstring is the help text, and ``command``.
``run.py``
    ``run(options)``, which does the work; imported when the command is invoked, with everything
    that it needs.

Names and summaries are listed without importing any command.
"""

from __future__ import annotations

import importlib
import pkgutil

import click


def names() -> list[str]:
    """Return the names of all commands, sorted."""
    # The names of the folders only: importing every command to list it would be felt.
    found = (info.name for info in pkgutil.iter_modules(__path__))
    return sorted(name for name in found if not name.startswith("_"))


def summary(name: str) -> str:
    """Return what a command does, in one line."""
    package = importlib.import_module(f"{__name__}.{name}")
    # With python -OO docstrings are gone: a list without summaries is still a list.
    return (package.__doc__ or "").strip().partition("\n")[0]


def load(name: str) -> click.Command:
    """Import the options of one command."""
    command = importlib.import_module(f"{__name__}.{name}.command").command
    assert isinstance(command, click.Command)  # a slip of ours, not of a user
    return command
