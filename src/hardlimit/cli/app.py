"""The program: finds the command, runs it, and turns whatever happens into an exit code."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Sequence
from typing import TextIO

import click

from hardlimit import __version__
from hardlimit.cli import commands, signals, streams, terminal
from hardlimit.cli.command import INTERRUPTED, Context

NAME = "hardlimit"
DATA, USAGE = 1, 2  # 2 is click's own
# What to do instead where memory ran out, by command.
_SMALLER = "with a smaller model (train --features hash=18)"
_LESS_MEMORY = {
    "bake": "bake a model of fewer terms or classes",
    "certify": "certify fewer rows or columns",
    "confirm": f"confirm shorter texts, or try again {_SMALLER}",
    "correct": f"correct shorter texts, or try again {_SMALLER}",
    "diff": "diff models of fewer terms",
    "evaluate": f"evaluate fewer rows at once, or {_SMALLER}",
    "explain": f"try again {_SMALLER}",
    "export": "export a model of fewer columns or classes",
    "guard": "guard fewer texts at once",
    "inspect": f"try again {_SMALLER}",
    "key": "try again",
    "log": "log the last entries only (--last 1000)",
    "make": "make a model of fewer weights",
    "margin": "measure the margin of fewer rows",
    "predict": f"predict fewer rows at once, or {_SMALLER}",
    "replay": "replay fewer entries (--until 1000)",
    "report": f"report on fewer rows, or {_SMALLER}",
    "serve": "serve a smaller model, or take smaller bodies (--max-body 1000000)",
    "status": f"try again {_SMALLER}",
    "undo": "undo a later entry",
    "why": "ask why about a shorter text",
    "trace": "trace fewer rows, or fewer epochs",
    "tune": "tune on fewer rows, or with --features hash=18",
    "train": "train on fewer rows, or with --features hash=18",
}
# What other programs call the commands.
_OTHER_NAMES = {
    "fit": "train", "learn": "train", "test": "evaluate", "score": "evaluate", "eval": "evaluate",
    "classify": "predict", "info": "inspect", "show": "inspect", "prove": "certify",
    "list": "rules",
}  # fmt: skip
# The name that click's completion scripts set; users have it in their shell profiles.
_COMPLETION = "_HARDLIMIT_COMPLETE"


class Invoked:
    """What every command understands."""

    def __init__(self) -> None:
        self.traceback = False
        self.command = ""
        self.failure = DATA  # the exit code of an error other than one of usage


def _want_quiet(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    if value:
        terminal.set_quiet(True)


def _want_traceback(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    if value:
        ctx.ensure_object(Invoked).traceback = True


def _common_options() -> list[click.Parameter]:
    """Return the options that stand before a command, and after it."""
    given = {"is_flag": True, "expose_value": False, "is_eager": True}
    quiet, traceback = (
        "Results and errors only: no progress, no notes.",
        "Show where an error arose.",
    )
    return [
        click.Option(["-q", "--quiet"], **given, callback=_want_quiet, help=quiet),
        click.Option(["--traceback"], **given, callback=_want_traceback, help=traceback),
    ]


class Program(click.Group):
    """All commands, each imported when it is called."""

    context_class = Context

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names by discovery."""
        # By discovery, so that a new folder is a new command without an entry anywhere.
        return commands.names()

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load one command, or answer None for a name that is none."""
        if cmd_name not in commands.names():
            return None
        command = commands.load(cmd_name)
        # Python keeps the module: a second call in one process must not add the option twice.
        if not any(parameter.name == "traceback" for parameter in command.params):
            command.params += _common_options()
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands by what a person wants; none of them is imported for it."""
        for title, summaries in commands.GROUPS.items():
            with formatter.section(title):
                formatter.write_dl(list(summaries.items()), col_max=10)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; for a name that is none, name the nearest."""
        name = args[0]
        # A word with a dash is an unknown option, which click names better than as a command.
        if name not in commands.names() and not name.startswith("-"):
            from hardlimit.foundation.suggesting import suggest

            hint = suggest(name, commands.names(), _OTHER_NAMES) or f"there are {_all_commands()}"
            raise click.UsageError(f"No such command '{name}'; {hint}", ctx)
        # Kept before the command runs: what an error says depends on which command it was.
        ctx.ensure_object(Invoked).command = name
        return super().resolve_command(ctx, args)


def _all_commands() -> str:
    return ", ".join(commands.names())


@click.group(
    NAME,
    cls=Program,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Start with 'hardlimit demo': it needs no file. 'hardlimit COMMAND -h' shows the most "
    "used options of a command, 'hardlimit COMMAND --help' all of them.",
)
@click.version_option(__version__, prog_name=NAME, message="%(prog)s %(version)s")
def program() -> None:
    """Linear classifiers that learn from their errors: raw text in, a classifier out.

    \b
      hardlimit train messages.csv --text message --label folder -o spam.hardlimit
      echo "win a prize now" | hardlimit predict spam.hardlimit
      hardlimit explain spam.hardlimit "win a prize now"
    """  # noqa: D301


# Before the command and after it: people add it at the end of the line that failed.
program.params += _common_options()


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code; every error becomes a sentence."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    # First of all: even the error of a wrong command line needs somewhere to go.
    with streams.opened():
        code = _run(words, Invoked())
        return streams.finish(code)


def _run(words: list[str], settings: Invoked) -> int:
    # Python's own form, with file and line, speaks to programmers.
    usual, warnings.showwarning = warnings.showwarning, _show_warning
    try:
        # Inside the try: a signal may come until the last moment.
        with signals.raising():
            return _completion() if _COMPLETION in os.environ else _invoke(words, settings)
    except BrokenPipeError:  # whoever read us has seen enough
        return 0
    # Also KeyboardInterrupt and SystemExit: nothing may reach the user as a traceback unasked.
    except BaseException as error:
        return _failed(error, settings)
    finally:
        # For callers in one process, such as tests and notebooks.
        warnings.showwarning = usual
        terminal.set_quiet(False)


def _invoke(words: list[str], settings: Invoked) -> int:
    # Two columns stay free, as in click's own help.
    width = terminal.width() - 2
    # No system passes one on; callers of `main` may.
    if any("\0" in word for word in words):
        raise click.UsageError("a zero byte is no part of a name or a value")
    try:
        # not click's own main(): it answers a closed pipe with 1
        # Without a word they want to know what there is, which is no error.
        asked = words or ["--help"]
        with program.make_context(NAME, asked, obj=settings, terminal_width=width) as ctx:
            program.invoke(ctx)
        # Here, where a closed pipe is still seen as one; at exit Python would print a traceback.
        sys.stdout.flush()
    except click.exceptions.Exit as leave:
        return leave.exit_code
    return 0


def _completion() -> int:
    from click.shell_completion import shell_complete

    return shell_complete(program, {}, NAME, _COMPLETION, os.environ[_COMPLETION])


def _failed(error: BaseException, settings: Invoked) -> int:
    """Say what went wrong and return the exit code."""
    if settings.traceback and not isinstance(error, SystemExit):
        import traceback

        terminal.note("".join(traceback.format_exception(error)).rstrip())
    # Before ClickException, its base: it shows the usage line, and has a code of its own.
    if isinstance(error, click.UsageError):
        _show_usage(error.ctx)
        terminal.error(_shortened(error.format_message()))
        return USAGE
    if isinstance(error, click.ClickException):
        terminal.error(_shortened(error.format_message()))
        return settings.failure
    if isinstance(error, KeyboardInterrupt | click.Abort):
        terminal.error(signals.with_notes("interrupted", error))
        return INTERRUPTED
    if isinstance(error, signals.Terminated):
        terminal.error(signals.with_notes(f"ended by {error.name}", error))
        return error.exit_code
    if isinstance(error, SystemExit):
        return error.code if isinstance(error.code, int) else settings.failure
    terminal.error(_sentence(error, settings.command))
    return settings.failure


def _show_usage(ctx: click.Context | None) -> None:
    """Show how a command is called, and where its options are described."""
    if ctx is None:
        return
    terminal.note(f"{ctx.get_usage()}\nTry '{ctx.command_path} --help' for help.\n")


def _shortened(message: str) -> str:
    # click repeats what it was given, however long.
    from hardlimit.exceptions import shorten  # late: --help shows no error

    return shorten(message, 1000)


def _sentence(error: BaseException, command: str) -> str:
    # Late: --help shows no error, and is to be quick.
    from hardlimit.cli import errors
    from hardlimit.exceptions import HardlimitError

    if isinstance(error, HardlimitError):
        return errors.sentence(error, errors.face_of(command))
    # str() of an OSError begins with "[Errno 2]", which says nothing to people.
    if isinstance(error, OSError) and error.strerror:
        from hardlimit.foundation.temporary_folder import find_advice

        where, advice = f"{error.filename}: " if error.filename else "", find_advice(error)
        return where + error.strerror + (f"; {advice}" if advice else "")
    if isinstance(error, MemoryError):
        return f"out of memory: {_LESS_MEMORY.get(command, 'free some, and try again')}"
    # On one line, so that a log keeps one error a line.
    what = " ".join(str(error).split())
    return f"unexpected {type(error).__name__}: {what} (--traceback shows where)"


def _show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """Say our own warnings in a sentence; those of other packages are no affair of the user."""
    # Late, as in `_sentence`.
    from hardlimit.cli import errors
    from hardlimit.exceptions import HardlimitWarning

    if isinstance(message, HardlimitWarning):
        terminal.remark(errors.sentence(message))
