"""Order, schedule, guards and read-outs as objects, made of what the options say."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from hardlimit import guards, orders, readouts, schedules
from hardlimit.classifiers.model import compatibility
from hardlimit.classifiers.model.ask import STREAM, Ask
from hardlimit.classifiers.model.choices import stream_order
from hardlimit.classifiers.model.compatibility import Combination
from hardlimit.cli.errors import spell, usage_error
from hardlimit.cli.options import nearest
from hardlimit.exceptions import HardlimitError, InputError

if TYPE_CHECKING:
    from fractions import Fraction

    from hardlimit.cli.choice_options import ChoiceOptions
    from hardlimit.cli.models import Classifier
    from hardlimit.rules import Rule

DEFAULT_RULE_HINT = "; it is the default rule, --rule NAME takes another"


def choose(options: ChoiceOptions, rule: Rule) -> dict[str, Any]:
    """Return what was asked for as the classifier's parameters, those not given left out."""
    order = _order(options)
    kept = _kept(options, rule, order)
    readout = options.readout
    if readout is None and kept not in (None, "all") and "averaged" not in kept:
        # Who keeps one read-out means it to answer; nothing else of it could.
        readout = kept[0]
    asked = {
        "order": order,
        "schedule": parse_schedule(options.schedule),
        "guard": make_guards(options.guards) or None,
        "readout": readout,
        "averaging": options.averaging,
        "keep": kept,
    }
    return {name: value for name, value in asked.items() if value is not None}


def _order(options: ChoiceOptions) -> str | orders.Order | None:
    """Return the order with its combination, or its name, or None for the default."""
    if options.combine is None and options.theta is None:
        return options.order
    # Refused and not ignored: the option would seem to have had an effect.
    if options.order != "batch":
        name = "--theta" if options.combine is None else "--combine"
        raise click.UsageError(f"{name} is for --order batch, where corrections come together")
    theta = parse_theta(options.theta)
    return orders.Batch(options.combine, None if theta is None else float(theta))


def parse_theta(text: str | None) -> Fraction | None:
    """Read ``--theta``; None where nothing was said.

    >>> parse_theta("1/10")
    Fraction(1, 10)
    """
    if text is None:
        return None
    from fractions import Fraction  # start-up: most runs need none

    try:
        if (theta := Fraction(text)) > 0:
            return theta
    except (ValueError, ZeroDivisionError):
        pass
    raise click.BadOptionUsage("--theta", f"--theta wants a number > 0; got {text!r}")


def parse_schedule(text: str | None) -> schedules.Schedule | None:
    """Read ``--schedule``; None where nothing was said."""
    try:
        schedule: schedules.Schedule | None = schedules.resolve(text)
    except HardlimitError as error:
        # Of a number there is one only; A and B of 1/(A+step/B) are named.
        part = "" if error.parameter in ("value", "schedule") else f"{error.parameter.upper()}: "
        wanted = spell(error.wanted) + nearest(text or "", schedules.names())
        raise click.UsageError(f"--schedule {text}: {part}wanted {wanted}") from None
    return schedule


def make_guards(values: Mapping[str, float]) -> guards.Guards:
    """Make the guards that were asked for, of the value that each has."""
    # In the order of the register, so that the order on the command line changes nothing.
    kinds: Mapping[str, Any] = guards.GUARDS.members  # each of one parameter
    try:
        return tuple(cls(values[name]) for name, cls in kinds.items() if name in values)
    except HardlimitError as error:
        raise usage_error(error) from None


def _kept(
    options: ChoiceOptions, rule: Rule, order: str | orders.Order | None
) -> str | tuple[str, ...] | None:
    """Return what is remembered: what was asked for, and the read-out that is to answer."""
    # What can be kept depends on the order, so the default must be named here: shuffled.
    resolved = orders.resolve(order or "shuffled")
    readout, listed = options.readout, options.keep_names
    named = [("--readout", readout)] if readout else []
    if listed != ["all"]:  # 'all' beside others comes last, so that a slip is named first
        named += [("--keep", name) for name in sorted(listed, key="all".__eq__)]
    for option, name in named:
        # Checked one by one: the message then names the option that was typed.
        _check_readout(option, name, rule, resolved)
    if listed == ["all"]:
        return "all"
    if listed:
        # A dict keeps the order that was typed, since the first one answers, and drops repetitions.
        return tuple(dict.fromkeys([*listed, *filter(None, [readout])]))
    if readout is None or readout in readouts.DEFAULT:
        return None
    # Some rules have no average: of the usual read-outs only those that the rule has are kept.
    usual = compatibility.resolve_kept(readouts.DEFAULT, Combination(rule, resolved), "post")
    return (*usual, readout)


def _check_readout(option: str, name: str, rule: Rule, order: orders.Order) -> None:
    if name == "all":
        raise click.UsageError("--keep: 'all' stands alone; every read-out is in it")
    if name not in readouts.READOUTS:
        there = ", ".join(readouts.READOUTS) + nearest(name, readouts.READOUTS)
        raise click.UsageError(f"{option}: no read-out {name!r}; there are all, {there}")
    try:
        compatibility.check_readout(Combination(rule, order, readout=name), option.strip("-"))
    except InputError as error:
        raise usage_error(error) from None


def _given(classifier: Classifier, ask: Ask) -> dict[str, Any]:
    """Return the parameters, in the order of a stream where none was asked for."""
    given = classifier.get_params(deep=False)
    return stream_order(given) if ask.way == STREAM else given


def check_parameters(classifier: Classifier, ask: Ask) -> None:
    """Refuse, before anything is read, what does not go together."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # repeated, and then shown, when learning begins
        try:
            classifier.check_parameters(_given(classifier, ask), ask)
        except HardlimitError as error:
            raise usage_error(error) from None
