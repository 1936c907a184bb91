"""What a command is: options that are typed, and work that is imported when it is invoked."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from hardlimit.cli import outputs, terminal
from hardlimit.foundation import workers

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

# 128 + SIGINT, which shells report for a program that Ctrl-C ended.
INTERRUPTED = 130


# What the help calls the name of a file; the shell completes it as one.
_FILES = re.compile(r"\b(FILE|MODEL|PROOF|HTML|OTHER)\b")


class FileName(click.types.StringParamType):
    """A name of a file, a folder or an URL."""

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Leave the completion to the shell, which lists files."""
        from click.shell_completion import CompletionItem

        return [CompletionItem(incomplete, type="file")]


class Command(click.Command):
    """A command whose callback is the class of its options.

    Invoking it makes an object of that class and hands it to ``run`` of the module ``run`` beside
    the class. This is the one place where the command line imports late: ``--help`` and the
    completion of a shell need the options only, which import no more than click.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse, and refuse an option that takes one value and is given twice."""
        # click takes the last value and says nothing: half of what was asked for would be ignored.
        _, _, given = self.make_parser(ctx).parse_args(list(args))
        for parameter in {id(one): one for one in given}.values():
            if _takes_one_value(parameter) and sum(one is parameter for one in given) > 1:
                names = " and ".join([*parameter.opts[-1:], *parameter.secondary_opts[-1:]])
                raise click.UsageError(
                    f"{names}: given more than once, and only one value is taken", ctx
                )
        return super().parse_args(ctx, args)

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
            with workers.using(options.jobs or workers.ALL_CORES):
                work.run(options)
        except KeyboardInterrupt:
            terminal.error(outputs.describe_interruption(before))
            raise click.exceptions.Exit(INTERRUPTED) from None


def _takes_one_value(parameter: click.Parameter) -> bool:
    """Tell an option with one value, such as --text or --header, from a flag and from a list."""
    if not isinstance(parameter, click.Option) or parameter.multiple or parameter.count:
        return False
    # --json twice says the same; --header and --no-header do not
    return not parameter.is_flag or bool(parameter.secondary_opts)


def command_of(name: str, options: Callable[..., Any]) -> Command:
    """Make a command of a class of options, with its docstring as the help text."""
    # Said here too: click remembers the option of help of the first context, with a parent or not.
    names = {"help_option_names": ["-h", "--help"]}
    command = click.command(name, cls=Command, context_settings=names)(options)
    for parameter in command.params:
        if type(parameter.type) is click.types.StringParamType and _names_file(parameter):
            parameter.type = FileName()
    return command


def _names_file(parameter: click.Parameter) -> bool:
    return bool(_FILES.search(parameter.metavar or str(parameter.name).upper()))
