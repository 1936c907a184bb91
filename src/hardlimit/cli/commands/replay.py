"""``hardlimit replay``: the model as it was."""

from __future__ import annotations

import click

from hardlimit.cli import json_output, live_models, models, outputs, terminal
from hardlimit.cli.command import command_of
from hardlimit.cli.commands import bake
from hardlimit.cli.live_models import LiveOptions, quoted
from hardlimit.cli.options import as_json, ledger_option, option
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.records import to_plain


@click.argument("model")
@option("--until ENTRY", "The last entry.", type=click.IntRange(min=0))
@option("-o --output FILE", "Write the model of then as a model file.")
@ledger_option
@as_json
class ReplayOptions(LiveOptions):
    """Replay the corrections of MODEL, whole or until one of them.

    All are replayed from the first one, without snapshots. Whole, the result is compared with
    MODEL as it is now, to the last bit.

    \b
      hardlimit replay spam.hardlimit --until 40 -o before.hardlimit
    """

    until: int | None
    output: str | None


def run(options: ReplayOptions) -> None:
    """Replay, and tell what the model was."""
    models.require(options.model)
    if options.output is not None:
        outputs.refuse_inputs(options.output, options.model)
        outputs.check_writable(options.output)
    with live_models.open_live(options, read_only=True) as live:
        if options.until is None:
            live.verify()
        past = live if options.until is None else live.replay(options.until)
        holds = past.n_entries - len(past.undone())
        plain = {
            "entries": past.n_entries,
            "undone": sorted(past.undone()),
            "classes": past.classes,
            "guards": [entry.id for entry, _ in past.guards()],
            "fingerprint": past.fingerprint,
            "weights": past.digest(),
        }
        baked = None if options.output is None else past.bake(options.output)
    if options.as_json:
        json_output.print_json(plain | ({} if baked is None else {"baked": to_plain(baked)}))
        return
    same = "; the same weights as now, to the last bit" if options.until is None else ""
    hold = "holds" if holds == 1 else "hold"
    entries = plural(past.n_entries, "entry", "entries")
    terminal.say(f"{entries}, of which {holds} {hold}{same}")
    terminal.say(f"classes: {', '.join(map(quoted, past.classes))}")
    terminal.say(f"fingerprint: {past.fingerprint}")
    if baked is not None:
        bake.show(baked, False)


command = command_of("replay", ReplayOptions, run)
