"""``hardlimit confirm``: one text whose answer is right."""

from __future__ import annotations

import click

from hardlimit.cli import json_output, live_models, models, terminal
from hardlimit.cli.command import command_of
from hardlimit.cli.live_models import LiveOptions, quoted
from hardlimit.cli.options import as_json, by_option, ledger_option, option, private_option


@click.argument("model")
@click.argument("text")
@option("--label LABEL", "What the answer has to be; without it whatever it is.")
@by_option("Who says so.")
@private_option
@ledger_option
@as_json
class ConfirmOptions(LiveOptions):
    """Confirm that MODEL's answer to TEXT is right.

    No weight moves. The probabilities of MODEL follow what is confirmed and corrected, and
    'hardlimit status' shows how often it was right: who only corrects mistakes tells too little of
    that. TEXT is given as to 'hardlimit correct'. If the answer is another than LABEL, nothing is
    written.

    \b
      hardlimit confirm spam.hardlimit --label ham "lunch at noon?" --by alice
      hardlimit confirm spam.hardlimit - < message.eml
    """

    text: str
    label: str | None
    by: str
    private: bool


def run(options: ConfirmOptions) -> None:
    """Confirm one answer."""
    models.require(options.model)
    with live_models.open_live(options, private=options.private) as live:
        label = None if options.label is None else live_models.find_label(live, options.label)
        text = live_models.read_example(live, options.text)
        receipt = live.confirm(text, label, by=options.by)
    if options.as_json:
        json_output.print_json(receipt.to_dict())
        return
    now = receipt.after
    terminal.say(
        f"confirmed #{receipt.id}: {quoted(now.label)} (margin {now.margin:.2f}, probability "
        f"{receipt.probability:.2f})"
    )


command = command_of("confirm", ConfirmOptions, run)
