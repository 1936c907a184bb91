"""The options of order, schedule, guards and read-outs, and their values.

The names are written out or read from the names of files, so that ``--help`` need not import what
they name; a test compares them with what there is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

import click

from hardlimit.cli.options import F, Name, Options
from hardlimit.foundation.discovery import file_names

if TYPE_CHECKING:
    from hardlimit.guards import Option

DEFAULT_RULES = ("passive-aggressive", "perceptron")  # of texts, of numbers; a test compares
ORDERS = ("shuffled", "blocks", "stream", "cyclic", "random", "worst", "batch")
COMBINATIONS = ("sum", "average")
STREAMED = ("averaged", "last")
# The names of their files: nothing is imported for them either.
READOUTS = (*STREAMED, *(n for n in file_names("hardlimit.readouts") if n not in STREAMED))
AVERAGINGS = ("post", "pre", "ciml")
SCHEDULES = (
    "constant, NUMBER, 1/step, 1/sqrt(step), 1/(A+step/B), line-search, projection, "
    "optimal(W1,W2,...)"
)


def guard_options(function: F) -> F:
    """Add an option for every guard; the values of those that are given are gathered."""
    # Decorators apply from the last to the first; reversed, --help lists them as written here.
    for option in reversed(_guard_options()):
        function = option(function)
    return function


def _guard_options() -> list[Callable[[F], F]]:
    return [
        click.option(
            one.name,
            # Named by the guard and not by its option, so that `_gather` finds the guard again.
            guard.replace("-", "_"),
            type=one.kind,
            metavar=one.metavar,
            help=one.help,
            callback=_gather,
            # Else click would pass each value on by itself too, beside the gathered ones.
            expose_value=False,
        )
        for guard, one in GUARDS.items()
    ]


def _gather(ctx: click.Context, option: click.Parameter, value: float | None) -> None:
    """Collect the guards in one parameter, so that a new guard is no new field anywhere."""
    # Also without a value: the command finds an empty mapping and needs no test for None.
    gathered = ctx.params.setdefault("guards", {})
    if value is not None:
        gathered[str(option.name).replace("_", "-")] = value


class GuardOption(NamedTuple):
    """The option of a guard."""

    name: str
    kind: click.IntRange | type[float]
    metavar: str
    help: str

    @classmethod
    def of(cls, option: Option) -> GuardOption:
        """Make it of what the guard says; the guard checks the value by itself."""
        return cls(option.flag, float, option.metavar, option.help)


_KNOWN = {
    # The option is named by the symbol of the literature, as textbooks ask for it.
    "lambda-trick": GuardOption(
        "--lambda",
        float,
        "VALUE",
        "Noise guard: count VALUE times a row's own corrections to its margin.",
    ),
    "alpha-bound": GuardOption(
        "--alpha-bound",
        # With 0 no row could correct anything, and nothing would be learned.
        click.IntRange(min=1),
        "N",
        "Noise guard: leave a row alone after N corrections.",
    ),
    "margin": GuardOption(
        "--margin",
        float,
        "VALUE",
        "Noise guard: require this margin of a rule that requires 0.",
    ),
    "box-constraint": GuardOption(
        "--box-constraint",
        float,
        "VALUE",
        "Noise guard: leave a row alone when its steps add up to VALUE.",
    ),
}


def read_guards(known: Mapping[str, GuardOption]) -> dict[str, GuardOption]:
    """Return the options of all guards: those that are known, and the others from their classes."""
    table = dict(known)
    for name in file_names("hardlimit.guards"):
        if name not in table:
            # Late, and for a new guard only: until it has its line above, --help starts slower.
            from hardlimit import guards

            table[name] = GuardOption.of(guards.GUARDS.members[name].option)
    return table


GUARDS = read_guards(_KNOWN)


def choice_options(function: F) -> F:
    """Add the options of :class:`ChoiceOptions`."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


theta_option = click.option(
    "--theta",
    metavar="LENGTH",
    help="--order batch: end at the first step shorter than this, which is no separation; default: "
    "never.",
)


def _listed(names: tuple[str, ...]) -> str:
    return f"{names[0]} (default), {', '.join(names[1:-1])} or {names[-1]}"


_OPTIONS = (
    click.option(
        "--order",
        type=Name(ORDERS),
        metavar="NAME",
        help=f"Which row is shown next: {_listed(ORDERS)}.",
    ),
    click.option(
        "--combine",
        type=Name(COMBINATIONS),
        metavar="NAME",
        help="--order batch: the sum or the average of the corrections; default: what the rule "
        "prefers.",
    ),
    theta_option,
    click.option(
        "--schedule",
        metavar="ETA",
        help=f"Multiplies the steps of rules that allow it: {SCHEDULES}.",
    ),
    guard_options,
    click.option(
        "--readout",
        type=Name(READOUTS),
        metavar="NAME",
        help="Which weights answer: averaged (default), the mean over all rows shown, which is "
        f"steadier; {', '.join(READOUTS[1:-1])} or {READOUTS[-1]}.",
    ),
    click.option(
        "--keep",
        metavar="LIST",
        help="Read-outs to remember, such as last,voted, or all; with --holdout each is measured. "
        "Without --readout the first of them answers, or averaged where it is one of them.",
    ),
    click.option(
        "--averaging",
        type=Name(AVERAGINGS),
        metavar="NAME",
        help=f"What the mean counts: {_listed(AVERAGINGS)}.",
    ),
)


class GuardOptions(Options):
    """The guards against noise: the value of each that was given, by the guard's name."""

    guards: Mapping[str, float] = MappingProxyType({})  # one for all, so it must not change


class ChoiceOptions(GuardOptions):
    """In which order, how far and under which guards is learnt, and which weights answer."""

    order: str | None = None
    combine: str | None = None
    theta: str | None = None
    schedule: str | None = None
    readout: str | None = None
    keep: str | None = None
    averaging: str | None = None

    @property
    def keep_names(self) -> list[str]:
        """The names of ``--keep``."""
        return [name.strip() for name in (self.keep or "").split(",") if name.strip()]
