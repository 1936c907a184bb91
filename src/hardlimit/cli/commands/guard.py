"""``hardlimit guard``: texts that no correction may flip."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

import click

from hardlimit.classifiers.model.forms import ByForm
from hardlimit.cli import json_output, live_models, models, terminal
from hardlimit.cli.command import command_of
from hardlimit.cli.live_models import LiveOptions, quoted
from hardlimit.cli.options import (
    LayoutOptions,
    as_json,
    by_option,
    layout_options,
    ledger_option,
    margin_option,
)
from hardlimit.foundation.formatting import plural

if TYPE_CHECKING:
    from hardlimit.live.model import LiveModel

ACTIONS = ("add", "list", "remove", "check")


@click.argument("action", metavar="[add|list|remove|check]")
@click.argument("model")
@click.argument("words", nargs=-1, metavar="[FILE... | ENTRY...]")
@layout_options()
@by_option("Who guards.")
@margin_option(0.01, "What a correction that is solved with the guards leaves them at least.")
@ledger_option
@as_json
class GuardOptions(LayoutOptions, LiveOptions):
    """Guard texts that no correction of MODEL may flip.

    \b
    add FILE...      guard the texts of files; MODEL must give their labels now
    list             show all guards
    remove ENTRY...  guard them no more, by the numbers that 'list' shows
    check            end with 1 if a guard does not hold now

    \b
      hardlimit guard add spam.hardlimit must-pass.jsonl --label folder
      hardlimit guard check spam.hardlimit
    """

    action: str
    words: tuple[str, ...]
    by: str
    margin: float


FAILED = 1


def run(options: GuardOptions) -> None:
    """Do what was asked with the guards of a model."""
    models.require(options.model)
    if options.action not in ACTIONS:
        raise click.UsageError(f"{options.action!r}: there are {', '.join(ACTIONS)}")
    reads = options.action in ("list", "check")
    if bool(options.words) is reads:
        wanted = "takes no file" if reads else "wants files" if options.action == "add" else ""
        raise click.UsageError(f"guard {options.action} {wanted or 'wants numbers of guards'}")
    with live_models.open_live(options, read_only=reads) as live:
        if options.action == "add":
            _add(live, options)
        elif options.action == "remove":
            _remove(live, options)
        else:
            _show(live, options)


def _add(live: LiveModel, options: GuardOptions) -> None:
    live.base.form.do(_CheckTexts())
    from hardlimit.cli import rows_to_answer  # late: only new guards are read from files
    from hardlimit.predictions import answerers

    data = rows_to_answer.read(
        answerers.Living(live), options.words, options.layout, need_label=False
    )
    labels = [_label(live, label) for label in data.labels]
    pairs = list(zip(data.examples, labels, strict=True))
    with live_models.telling(live, options.by):
        numbers = live.add_guards(pairs, by=options.by, margin=options.margin)
    if options.as_json:
        json_output.print_json({"guards": numbers})
    else:
        last = f" to #{numbers[-1]}" if len(numbers) > 1 else ""
        terminal.say(f"{plural(len(numbers), 'guard')}: #{numbers[0]}{last}")


class _CheckTexts(ByForm[None]):
    """Refuses rows of numbers."""

    def numbers(self) -> None:
        """Refuse them."""
        raise click.UsageError("guard add reads texts, and this is a model of numbers")

    def one_text(self) -> None:
        """Take texts."""


def _label(live: LiveModel, label: Hashable) -> Hashable | None:
    return None if label in (None, "") else live_models.find_label(live, label)


def _remove(live: LiveModel, options: GuardOptions) -> None:
    numbers = [live_models.read_number(word) for word in options.words]
    with live_models.telling(live, options.by):
        for number in numbers:
            live.remove_guard(number, by=options.by)
    if options.as_json:
        json_output.print_json({"removed": numbers})
    else:
        terminal.say(f"removed {plural(len(numbers), 'guard')}")


def _show(live: LiveModel, options: GuardOptions) -> None:
    found = live.guards()
    broken = [entry.id for entry, now in found if now.label != entry.label]
    if options.as_json:
        plain = [
            {
                "id": entry.id,
                "label": entry.label,
                "now": now.label,
                "margin": now.margin,
                "holds": entry.id not in broken,
                "author": entry.author,
                "time": entry.time,
                "text": entry.text,
            }
            for entry, now in found
        ]
        json_output.print_json({"guards": plain, "broken": broken})
    elif options.action == "list":
        rows = [
            (f"#{entry.id}", quoted(entry.label), f"{now.margin:.2f}" if entry.id not in broken
             else f"now {quoted(now.label)}", live_models.text_of(entry))
            for entry, now in found
        ]  # fmt: skip
        for line in terminal.texts_table(("guard", "label", "margin", "text"), rows):
            terminal.say(line)
    else:
        named = ": " + ", ".join(f"#{one}" for one in broken) if broken else ""
        holding = len(found) - len(broken)
        hold = "holds" if holding == 1 else "hold"
        terminal.say(f"{holding} of {plural(len(found), 'guard')} {hold}{named}")
    if options.action == "check" and broken:
        raise click.exceptions.Exit(FAILED)


command = command_of("guard", GuardOptions, run, first="label text by margin as_json")
