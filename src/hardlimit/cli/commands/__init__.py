"""The commands, one a file: a module of this folder with ``command``, found by its name.

Names are listed without importing anything; only the command that is called, or ``--help``, loads.
"""

from __future__ import annotations

import importlib
import pkgutil

import click


def names() -> list[str]:
    """Return the names of all commands, sorted."""
    found = (info.name for info in pkgutil.iter_modules(__path__))
    return sorted(name for name in found if not name.startswith("_"))


def load(name: str) -> click.Command:
    """Import one command."""
    command = importlib.import_module(f"{__name__}.{name}").command
    assert isinstance(command, click.Command)  # a slip of ours, not of a user
    return command
