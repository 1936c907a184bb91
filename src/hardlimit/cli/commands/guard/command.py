"""``hardlimit guard``: texts that no correction may flip."""

from __future__ import annotations

import click

from hardlimit.cli.command import command_of
from hardlimit.cli.live_models import LiveOptions
from hardlimit.cli.options import (
    LayoutOptions,
    as_json,
    by_option,
    layout_options,
    ledger_option,
    margin_option,
)

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


command = command_of(
    "guard",
    GuardOptions,
    first="label text by margin as_json",
)
