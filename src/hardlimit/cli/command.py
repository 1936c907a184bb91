"""What a command is: options that are typed, and work that is imported when it is invoked."""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from hardlimit.cli import help_pages, outputs, terminal
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


class Context(click.Context):
    """A call of a command, whose help keeps names whole."""

    formatter_class = help_pages.Formatter


class Command(click.Command):
    """A command whose callback is the class of its options.

    Invoking it makes an object of that class and hands it to ``work``, or to ``run`` of the module
    ``run`` beside the class. The command line imports late: ``--help`` and the completion of a
    shell need the options only, which import no more than click.

    first : the options that ``-h`` shows; without any, all of them.
    """

    context_class = Context
    work: Callable[[Any], None] | None = None
    first: tuple[str, ...] = ()

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Return all parameters; the two options of help come last."""
        *params, long = super().get_params(ctx)
        return [*params, *([_SHORT_HELP] if self.first else []), long]

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write what it does, with ``-h`` in a sentence."""
        if ctx.meta.get(_IS_SHORT):
            help_pages.write_summary(inspect.cleandoc(self.help or ""), formatter)
        else:
            super().format_help_text(ctx, formatter)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write all options, or with ``-h`` those that matter first."""
        if ctx.meta.get(_IS_SHORT):
            help_pages.write_first(self.get_params(ctx), self.first, ctx, formatter)
        else:
            help_pages.write_options(self.get_params(ctx), ctx, formatter)

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
            work = self.work or importlib.import_module(f"{package}.run").run
            with workers.using(options.jobs or workers.ALL_CORES):
                work(options)
        except KeyboardInterrupt:
            terminal.error(outputs.describe_interruption(before))
            raise click.exceptions.Exit(INTERRUPTED) from None


# Whether `-h` asked for the help; kept in the context, where click makes the page.
_IS_SHORT = "hardlimit.short_help"


def _show_short_help(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        ctx.meta[_IS_SHORT] = True
        click.echo(ctx.get_help(), color=ctx.color)
        ctx.exit()


_SHORT_HELP = click.Option(
    ["-h", "short_help"],
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_short_help,
    help="Show the options that are used most, and exit.",
)


def _takes_one_value(parameter: click.Parameter) -> bool:
    """Tell an option with one value, such as --text or --header, from a flag and from a list."""
    if not isinstance(parameter, click.Option) or parameter.multiple or parameter.count:
        return False
    # --json twice says the same; --header and --no-header do not
    return not parameter.is_flag or bool(parameter.secondary_opts)


def command_of(
    name: str,
    options: Callable[..., Any],
    work: Callable[[Any], None] | None = None,
    first: str = "",
) -> Command:
    """Make a command of a class of options, with its docstring as the help text.

    work : what it does; default: ``run`` of the module ``run`` beside the class.
    first : the fields of the options that ``-h`` shows; ``--help`` shows all.
    """
    # Said here too: click remembers the option of help of the first context, with a parent or not.
    names = {"help_option_names": ["--help"] if first else ["-h", "--help"]}
    command = click.command(name, cls=Command, context_settings=names)(options)
    command.work, command.first = work, tuple(first.split())
    for parameter in command.params:
        if type(parameter.type) is click.types.StringParamType and _names_file(parameter):
            parameter.type = FileName()
    return command


def _names_file(parameter: click.Parameter) -> bool:
    return bool(_FILES.search(parameter.metavar or str(parameter.name).upper()))
