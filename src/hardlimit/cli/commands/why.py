"""``hardlimit why``: what made an answer of a live model."""

from __future__ import annotations

import click

from hardlimit.cli import json_output, live_models, terminal
from hardlimit.cli.command import command_of
from hardlimit.cli.live_models import LiveOptions, quoted
from hardlimit.cli.options import as_json, ledger_option, top_option
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.records import to_plain


@click.argument("model")
@click.argument("text")
@top_option(10, "Show the N largest terms and corrections, for or against.")
@ledger_option
@as_json
class WhyOptions(LiveOptions):
    """Show the terms and the corrections that made the answer to TEXT.

    Of each term, what MODEL gave it and what corrections added to it; of each correction that
    touches TEXT, how much it pushed the answer, who made it and when. Both add up to the margin of
    the answer over its best rival. TEXT may be '-' for standard input; of a model of several
    columns it is the JSON of a row.
    """

    text: str
    top: int


def run(options: WhyOptions) -> None:
    """Explain one answer."""
    with live_models.open_live(options, read_only=True) as live:
        why = live.why(live_models.read_example(live, options.text), options.top)
    if options.as_json:
        json_output.print_json(to_plain(why))
        return
    terminal.say(f"{quoted(why.label)} rather than {quoted(why.rival)}: {why.margin:+.4f}")
    rows = [
        (f"{one.base:+.4f}", f"{one.corrections:+.4f}", terminal.escape_controls(one.term))
        for one in why.terms
    ]
    for line in terminal.table(("model", "corrections", "term"), rows):
        terminal.say(line)
    terminal.say()
    if not why.corrections:
        terminal.say("no correction touches this text")
        return
    touch = "touches" if why.n_corrections == 1 else "touch"
    terminal.say(f"{plural(why.n_corrections, 'correction')} {touch} it; the largest:")
    pushed = [
        (f"{one.push:+.4f}", f"#{one.id}", one.time[:19].replace("T", " "), _author(one.author),
         f"to {quoted(one.label)}")
        for one in why.corrections
    ]  # fmt: skip
    for line in terminal.table(("push", "entry", "time", "by", ""), pushed):
        terminal.say(line)


def _author(author: str) -> str:
    return terminal.escape_controls(author)


command = command_of("why", WhyOptions, run)
