"""``hardlimit log``: all entries of a ledger."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from hardlimit.cli import json_output, live_models, terminal
from hardlimit.cli.command import command_of
from hardlimit.cli.live_models import LiveOptions
from hardlimit.cli.options import as_json, ledger_option
from hardlimit.foundation.formatting import plural

if TYPE_CHECKING:
    from hardlimit.live.entry import Entry


@click.argument("model")
@click.option("--last", type=click.IntRange(min=1), metavar="N", help="Only the last N entries.")
@click.option("--by", metavar="NAME", help="Only the entries of one author.")
@click.option("--verify", is_flag=True, help="Check the whole chain, and replay every entry.")
@ledger_option
@as_json
class LogOptions(LiveOptions):
    """List the corrections of MODEL: when, who, what they did.

    Every entry is compared with its fingerprint. An entry that was undone has a '-' before its
    number. Times are UTC.
    """

    last: int | None
    by: str | None
    verify: bool


def run(options: LogOptions) -> None:
    """List the entries."""
    with live_models.open_live(options, read_only=True) as live:
        if options.verify:
            live.verify()
        gone = live.undone()
        first = 1 if options.last is None else max(1, live.n_entries - options.last + 1)
        entries = [one for one in live.log(first) if options.by in (None, one.author)]
    if options.as_json:
        from hardlimit.live.entry import entry_to_plain  # late: as all of `live`

        json_output.print_json([entry_to_plain(one, one.id in gone) for one in entries])
        return
    if entries:
        rows = [_row(one, gone) for one in entries]
        for line in terminal.texts_table(("entry", "time", "by", "what", "text"), rows):
            terminal.say(line)
    else:
        terminal.say("no corrections")
    if options.verify:
        terminal.remark(f"{plural(live.n_entries, 'entry', 'entries')}, all as they were written")


def _row(entry: Entry, gone: set[int]) -> tuple[str, ...]:
    from hardlimit.live.kinds import kind_of  # late: as all of `live`

    mark = "-" if entry.id in gone else ""
    author = terminal.escape_controls(entry.author)
    time = entry.time[:19].replace("T", " ")
    what, text = kind_of(entry).tell(entry), live_models.text_of(entry)
    return f"{mark}#{entry.id}", time, author, what, text


command = command_of("log", LogOptions, run)
