"""Order, schedule, guards and read-outs: the options, and what they choose.

The lists are written out, so that ``--help`` need not import the package; a test compares them with
what there is.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from hardlimit.cli import wording
from hardlimit.foundation.discovery import file_names

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hardlimit.cli.models import Classifier

_F = TypeVar("_F", bound=Callable[..., Any])

ORDERS = ("shuffled", "cyclic", "random", "worst", "batch")
COMBINATIONS = ("sum", "average")
# From the names of files, so that --help imports none of them.
COMPARED = tuple(n for n in file_names("hardlimit.readouts") if n not in ("averaged", "last"))
READOUTS = ("averaged", "last", *COMPARED)
AVERAGINGS = ("post", "pre", "ciml")
STREAMED = ("averaged", "last")
SCHEDULES = "constant, NUMBER, 1/step, 1/sqrt(step), 1/(A+step/B), line-search, projection"
DECIDED = ("order", "combine", "schedule", "keep", "averaging", "alpha_bound", "lambda_", "margin")


class Name(click.Choice):  # type: ignore[type-arg]
    """One of some names; the error for another has the nearest."""

    def get_invalid_choice_message(self, value: Any, ctx: click.Context | None) -> str:
        """Say what there is, and what may have been meant."""
        return super().get_invalid_choice_message(value, ctx) + near(value, self.choices)


def near(given: str, names: Iterable[str]) -> str:
    """The end of a sentence on a name that is none.

    >>> near("cylic", ORDERS), near("x", ORDERS)
    ("; did you mean 'cyclic'?", '')
    """
    import difflib

    found = difflib.get_close_matches(str(given), list(names), n=1)
    return f"; did you mean {found[0]!r}?" if found else ""


def _listed(names: tuple[str, ...]) -> str:
    return f"{names[0]} (default), {', '.join(names[1:-1])} or {names[-1]}"


_GUARDS = (
    click.option(
        "--alpha-bound",
        type=click.IntRange(min=1),
        metavar="N",
        help="Noise guard: leave a row alone after N corrections.",
    ),
    click.option(
        "--lambda",
        "lambda_",
        type=float,
        metavar="VALUE",
        help="Noise guard: count VALUE times a row's own corrections to its margin.",
    ),
    click.option(
        "--margin",
        type=float,
        metavar="VALUE",
        help="Noise guard: require this margin of a rule that requires 0.",
    ),
)
_OPTIONS = (
    click.option(
        "--order",
        type=Name(ORDERS),
        metavar="NAME",
        help=f"Who is seen next: {_listed(ORDERS)}.",
    ),
    click.option(
        "--combine",
        type=Name(COMBINATIONS),
        metavar="NAME",
        help="--order batch: the sum or the average of the corrections; default: what the rule "
        "prefers.",
    ),
    click.option(
        "--schedule",
        metavar="ETA",
        help=f"Multiplies the steps of rules that allow it: {SCHEDULES}.",
    ),
    *_GUARDS,
    click.option(
        "--readout",
        type=Name(READOUTS),
        metavar="NAME",
        help="Weights that answer: the mean over all rounds (default, averaged: steadier), "
        f"{', '.join(READOUTS[1:-1])} or {READOUTS[-1]}.",
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


def choice_options(function: _F) -> _F:
    """Add the options that say in which order, how far and with which answer is learnt."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


def guard_options(function: _F) -> _F:
    """Add the guards against noise alone."""
    for option in reversed(_GUARDS):
        function = option(function)
    return function


def chosen(given: dict[str, Any], rule: Any) -> dict[str, Any]:
    """Return what was asked for as the classifier's parameters, those not given left out."""
    asked: dict[str, Any] = {
        "order": _order(given),
        "schedule": schedule(given["schedule"]),
        "guard": guards(given) or None,
        "readout": given["readout"],
        "averaging": given["averaging"],
    }
    kept = asked["keep"] = _kept(given, rule, asked["order"])
    if asked["readout"] is None and kept not in (None, "all") and "averaged" not in kept:
        asked["readout"] = kept[0]
    return {name: value for name, value in asked.items() if value is not None}


def _order(given: dict[str, Any]) -> Any:
    from hardlimit import orders

    if given["combine"] is None:
        return given["order"]
    if given["order"] != "batch":
        raise click.UsageError("--combine is for --order batch, where corrections come together")
    return orders.Batch(given["combine"])


def schedule(text: str | None) -> Any:
    """Read ``--schedule``; None where nothing was said."""
    from hardlimit import schedules

    try:
        return schedules.resolve(text)
    except (ValueError, TypeError) as error:
        said = re.sub(r"^\w+: got (\w+)=.*?, ", _of_parameter, str(error))
        said = said.removeprefix("schedule: ") + near(text or "", schedules.names())
        raise click.UsageError(f"--schedule {text}: {said}") from None


def _of_parameter(found: re.Match[str]) -> str:
    """Name A or B of a schedule; of a number there is one only."""
    return "" if found[1] == "value" else f"{found[1].upper()}: "


def guards(given: dict[str, Any]) -> tuple[Any, ...]:
    """Read the options of the guards."""
    from hardlimit import guards

    kinds = (
        ("lambda_", guards.LambdaTrick),
        ("alpha_bound", guards.AlphaBound),
        ("margin", guards.Margin),
    )
    try:
        return tuple(kind(given[name]) for name, kind in kinds if given[name] is not None)
    except ValueError as error:
        raise click.UsageError(wording.of_commands(str(error))) from None


def _kept(given: dict[str, Any], rule: Any, order: Any) -> Any:
    """Return what is remembered: what was asked for, and the read-out that is to answer."""
    from hardlimit import orders, readouts

    loop = orders.resolve(order or "shuffled").loop
    readout = given["readout"]
    named = [("--readout", readout)] if readout else []
    listed = [part.strip() for part in (given["keep"] or "").split(",") if part.strip()]
    if listed != ["all"]:
        named += [("--keep", name) for name in sorted(listed, key="all".__eq__)]
    for option, name in named:  # 'all' beside others last, so that a slip is named first
        if name not in readouts.READOUTS:
            if name == "all":
                raise click.UsageError("--keep: 'all' stands alone; every read-out is in it")
            there = ", ".join(readouts.READOUTS) + near(name, readouts.READOUTS)
            raise click.UsageError(f"{option}: no read-out {name!r}; there are all, {there}")
        if reason := readouts.reason_against(name, rule, loop):
            said = wording.of_commands(reason, with_names=True)
            raise click.UsageError(f"{option}: {name!r} does not go with {said}")
    if listed == ["all"]:
        return "all"
    if listed:
        return tuple(dict.fromkeys([*listed, *filter(None, [readout])]))
    if readout is None or readout in readouts.DEFAULT:
        return None
    usual = [name for name in readouts.DEFAULT if not readouts.reason_against(name, rule, loop)]
    return (*usual, readout)


def check(classifier: Classifier) -> None:
    """Refuse, before anything is read, what does not go together."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # said again, and then to be read, when learning begins
        try:
            classifier.check_parameters()
        except (ValueError, TypeError) as error:
            said = wording.of_commands(str(error), with_names=True)
            raise click.UsageError(said) from None
