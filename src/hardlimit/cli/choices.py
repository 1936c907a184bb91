"""Choices as the classifier's parameters, and what is refused before anything is read."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import click

from hardlimit import guards, orders, readouts
from hardlimit.classifiers.model import compatibility
from hardlimit.classifiers.model.ask import STREAM, Ask
from hardlimit.classifiers.model.choices import stream_order
from hardlimit.classifiers.model.compatibility import Combination
from hardlimit.cli.errors import usage_error
from hardlimit.cli.spelling import parse_choice
from hardlimit.exceptions import HardlimitError, InputError

if TYPE_CHECKING:
    from hardlimit.cli.choice_options import ChoiceOptions
    from hardlimit.cli.models import Classifier
    from hardlimit.rules import Rule


def choose(options: ChoiceOptions, rule: Rule) -> dict[str, Any]:
    """Return what was asked for as the classifier's parameters, those not given left out."""
    listed = _parse_kept(options.keep)
    names = [readouts.REGISTER.name_of(one) if one != "all" else one for one in listed]
    readout = readout_name(options.readout)
    kept = _kept(readout, names, rule, options.order or orders.Shuffled())
    if readout is None and kept not in (None, "all") and "averaged" not in kept:
        # Who keeps one read-out means it to answer; nothing else of it could.
        readout = kept[0]
    asked = {
        "order": options.order,
        "schedule": options.schedule,
        "guard": order_guards(options.guard) or None,
        "readout": readout,
        "averaging": _averaging([options.readout, *listed]),
        "keep": kept,
    }
    return {name: value for name, value in asked.items() if value is not None}


def readout_name(readout: object) -> str | None:
    """Return the name of a read-out; None where there is none."""
    return None if readout is None else readouts.REGISTER.name_of(readout)


def order_guards(given: guards.Guards) -> guards.Guards:
    """Return the guards in the order of the register, and refuse one that is given twice."""
    # So that the order on the command line changes nothing.
    try:
        return tuple(sorted(guards.resolve(given), key=lambda one: one.place))
    except HardlimitError as error:
        raise usage_error(error) from None


def _averaging(given: Iterable[Any]) -> str | None:
    """Return how the mean counts: None where no read-out that was typed has one."""
    ways = {one.averaging for one in given if hasattr(one, "averaging")}
    if len(ways) > 1:
        both = " and ".join(f"averaged:{way}" for way in sorted(ways))
        raise click.UsageError(f"--readout, --keep: {both}: a model has one mean, name it once")
    return next(iter(ways), None)


def _parse_kept(text: str | None) -> list[Any]:
    """Read ``--keep``: read-outs, or the word all."""
    words = [word.strip() for word in (text or "").split(",") if word.strip()]
    if "all" in words and len(words) > 1:
        raise click.UsageError("--keep: 'all' stands alone; every read-out is in it")
    return [
        word if word == "all" else parse_choice(word, readouts.REGISTER, "--keep") for word in words
    ]


def _kept(
    readout: str | None, listed: list[str], rule: Rule, order: orders.Order
) -> str | tuple[str, ...] | None:
    """Return what is remembered: what was asked for, and the read-out that is to answer."""
    named = [("readout", readout)] if readout else []
    for option, name in [*named, *(("keep", name) for name in listed if name != "all")]:
        # Checked one by one: the message then names the option that was typed.
        try:
            compatibility.check_readout(Combination(rule, order, readout=name), option)
        except InputError as error:
            raise usage_error(error) from None
    if listed == ["all"]:
        return "all"
    if listed:
        # A dict keeps the order that was typed, since the first one answers, and drops repetitions.
        return tuple(dict.fromkeys([*listed, *filter(None, [readout])]))
    if readout is None or readout in readouts.DEFAULT:
        return None
    # Some rules have no average: of the usual read-outs only those that the rule has are kept.
    usual = compatibility.resolve_kept(readouts.DEFAULT, Combination(rule, order), "post")
    return (*usual, readout)


def _given(classifier: Classifier, ask: Ask) -> Mapping[str, Any]:
    """Return the parameters, in the order of a stream where none was asked for."""
    given = classifier.get_params(deep=False)
    return dict(stream_order(given)) if ask.way == STREAM else given


def check_parameters(classifier: Classifier, ask: Ask) -> None:
    """Refuse, before anything is read, what does not go together."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # repeated, and then shown, when learning begins
        try:
            classifier.check_parameters(_given(classifier, ask), ask)
        except HardlimitError as error:
            raise usage_error(error) from None
