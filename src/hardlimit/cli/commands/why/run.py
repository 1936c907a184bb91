"""The work of ``hardlimit why``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardlimit.cli import json_output, live_models, terminal
from hardlimit.cli.live_models import quoted
from hardlimit.foundation.formatting import plural

if TYPE_CHECKING:
    from hardlimit.cli.commands.why.command import WhyOptions


def run(options: WhyOptions) -> None:
    """Explain one answer."""
    with live_models.open_live(options, read_only=True) as live:
        why = live.why(live_models.read_example(live, options.text), options.top)
    if options.as_json:
        plain = why._asdict()
        plain["terms"] = [one._asdict() for one in why.terms]
        plain["corrections"] = [one._asdict() for one in why.corrections]
        json_output.print_json(plain)
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
