"""The options that take a choice of a register, spelled ``NAME:VALUES``: one row an option.

The names in the help are read from the names of files, so that ``--help`` need not import what they
name; a test compares them with what there is. A value that is typed is read at once
(:mod:`hardlimit.cli.spelling`): a slip is refused before any file is opened.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from hardlimit.cli.options import F, Options, option
from hardlimit.cli.registers import REGISTERS, list_parameters
from hardlimit.foundation.discovery import file_names

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from hardlimit.guards import Guard
    from hardlimit.orders import Order
    from hardlimit.readouts import Readout
    from hardlimit.rules import Rule
    from hardlimit.schedules import Schedule

DEFAULT_RULES = ("passive-aggressive", "perceptron")  # of texts, of numbers; a test compares
ORDERS = ("shuffled", "blocks", "stream", "cyclic", "random", "worst", "batch")
STREAMED = ("averaged", "last")
# The names of their files: nothing is imported for them either.
READOUTS = (*STREAMED, *(n for n in file_names("hardlimit.readouts") if n not in STREAMED))
MORE = "'hardlimit rules' lists all with their values."


class Choice(click.ParamType):  # type: ignore[type-arg]
    """A member of a register with its parameters.

    none : whether ``none`` means to do without.    searches : whether it is a search, in which a
    parameter may have several values.    exact : whether fractions stay fractions.
    """

    def __init__(
        self, option: str, none: bool = False, searches: bool = False, exact: bool = False
    ) -> None:
        self.name, self.none, self.searches, self.exact = option, none, searches, exact

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> Any:
        """Make the object; in a search a list of them."""
        if not isinstance(value, str):
            return value
        from hardlimit.cli import spelling  # late: --help needs none of it

        if self.none and value.lower() == "none":
            return [None] if self.searches else "none"
        register, option = REGISTERS[self.name].load(), f"--{self.name}"
        if self.searches:
            return spelling.parse_choices(value, register, option)
        return spelling.parse_choice(value, register, option, self.exact)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Offer the names; after a name the parameters that have no value yet."""
        from click.shell_completion import CompletionItem

        register = REGISTERS[self.name].load()
        name, colon, listed = incomplete.partition(":")
        if not colon:
            names = [*register.names(), *(["none"] if self.none else [])]
            return [CompletionItem(one) for one in names if one.startswith(name)]
        if name not in register.names():
            return []
        before, _, word = listed.rpartition(",")
        given = {part.partition("=")[0] for part in before.split(",")}
        begun = f"{name}:{before}," if before else f"{name}:"
        return [
            CompletionItem(f"{begun}{key}=")
            for key in list_parameters(register.find(name))
            if key not in given and key.startswith(word)
        ]


def choice_option(
    name: str, help: str, *, multiple: bool = False, **asked: Any
) -> Callable[[F], F]:
    """Add the option of a register; ``asked`` as :class:`Choice` takes it."""
    return click.option(
        f"--{name}",
        type=Choice(name, **asked),
        multiple=multiple or asked.get("searches", False),
        metavar="NAME:VALUES",
        help=help,
    )


def _listed(names: tuple[str, ...]) -> str:
    return f"{names[0]} (default), {', '.join(names[1:-1])} or {names[-1]}"


def _of(package: str) -> str:
    *most, last = file_names(f"hardlimit.{package}")
    return f"{', '.join(most)} or {last}"


def rule_option(default: str, **asked: Any) -> Callable[[F], F]:
    """Add ``--rule``."""
    return choice_option(
        "rule",
        f"Update rule, such as passive-aggressive:C=0.3; default: {default}. {MORE}",
        **asked,
    )


def guard_option(**asked: Any) -> Callable[[F], F]:
    """Add ``--guard``; the guards that are given work together."""
    return choice_option(
        "guard",
        f"Guard against noise, such as alpha-bound:3: {_of('guards')}; may be given again.",
        multiple=True,
        **asked,
    )


def schedule_option(**asked: Any) -> Callable[[F], F]:
    """Add ``--schedule``."""
    return choice_option(
        "schedule",
        "Multiplies the steps of rules that allow it, such as constant:0.5, or power:0.5 for "
        f"1/sqrt(step): {_of('schedules')}.",
        **asked,
    )


def choice_options(function: F) -> F:
    """Add the options of :class:`ChoiceOptions`."""
    for add in reversed(_OPTIONS):
        function = add(function)
    return function


map_option = choice_option(
    "map",
    "Of numbers: learn from products of columns, polynomial:2 (all up to that degree) or cross "
    "(pairs). The model does the same to new rows.",
)
scale_help = (
    "Scale numbers: rows to length 1, columns to -1..1 (maxabs), or to mean 0 and deviation 1 "
    "(standard); default: none. The model does the same to new rows."
)
order_help = (
    f"Which row is shown next: {_listed(ORDERS)}. Batch takes combine=sum or average of the "
    "corrections, and theta, the length of a step below which it ends."
)
readout_help = (
    "Which weights answer: averaged (default), the mean over all rows shown, which is steadier; "
    f"{', '.join(READOUTS[1:-1])} or {READOUTS[-1]}. averaged:pre or averaged:ciml count otherwise."
)
_OPTIONS = (
    rule_option("passive-aggressive for texts, perceptron for numbers"),
    choice_option("order", order_help),
    schedule_option(),
    guard_option(),
    choice_option("readout", readout_help),
    option(
        "--keep LIST",
        "Read-outs to remember, such as last,voted, or all; with --holdout each is measured. "
        "Without --readout the first of them answers, or averaged where it is one of them.",
    ),
    choice_option("scale", scale_help, none=True),
    map_option,
    choice_option(
        "kernel",
        "Of numbers: learn in the space of a kernel, such as rbf:0.5, polynomial:3 or linear.",
    ),
    choice_option(
        "budget",
        "With --kernel: how many corrections are kept, and what becomes of the others, such as "
        f"forgetron:100: {_of('budgets')}; default: all.",
    ),
)


def tried_options(function: F) -> F:
    """Add the options of a search; each may be given again, and its parameters have several values.

    The guards of one candidate are one guard: more of them are more candidates.
    """
    helps = {
        "rule": f"Update rules, such as passive-aggressive:C=0.1,0.3,1. {MORE}",
        "order": f"Orders of the rows: {', '.join(ORDERS)}.",
        "schedule": "Schedules of the steps, such as power:0.5, or none.",
        "guard": f"Guards against noise, such as alpha-bound:alpha=1,3, or none: {_of('guards')}.",
        "readout": f"Weights that answer: {', '.join(READOUTS)}.",
        "scale": "Of numbers: none, rows, maxabs or standard.",
        "map": "Of numbers: products of columns, such as polynomial:2, or none.",
        "kernel": "Of numbers: kernels that compare rows, such as rbf:gamma=0.1,1.",
    }
    none = ("schedule", "guard", "scale", "map")
    for name, help in reversed(helps.items()):
        function = choice_option(name, help, none=name in none, searches=True)(function)
    return function


class ChoiceOptions(Options):
    """Which rule learns, in which order, how far and under which guards, and what answers."""

    rule: Rule | None = None
    order: Order | None = None
    schedule: Schedule | None = None
    guard: tuple[Guard, ...] = ()
    readout: Readout | None = None
    keep: str | None = None
    scale: Any = None
    map: Any = None
    kernel: Any = None
    budget: Any = None
