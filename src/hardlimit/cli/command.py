"""What a command is: options that are typed, and work that is imported when it is invoked."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import click

from hardlimit.cli import outputs, terminal

# 128 + SIGINT, which shells report for a program that Ctrl-C ended.
INTERRUPTED = 130


class Command(click.Command):
    """A command whose callback is the class of its options.

    Invoking it makes an object of that class and hands it to ``run`` of the module ``run`` beside
    the class. This is the one place where the command line imports late: ``--help`` and the
    completion of a shell need the options only, which import no more than click.
    """

    def invoke(self, ctx: click.Context) -> None:
        """Import the work, and do it."""
        # click allows commands without a callback; ours are all made by `command_of`.
        assert self.callback is not None
        # By the class and not by the name: a name with a dash is no name of a module.
        package = self.callback.__module__.rpartition(".")[0]
        options = self.callback(**ctx.params)
        before = outputs.look(options.written)
        try:
            work = importlib.import_module(f"{package}.run")
            work.run(options)
        except KeyboardInterrupt:
            terminal.error(outputs.describe_interruption(before))
            raise click.exceptions.Exit(INTERRUPTED) from None


def command_of(name: str, options: Callable[..., Any]) -> Command:
    """Make a command of a class of options, with its docstring as the help text."""
    return click.command(name, cls=Command)(options)
