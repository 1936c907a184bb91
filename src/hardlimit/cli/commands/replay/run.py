"""The work of ``hardlimit replay``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardlimit.cli import json_output, live_models, models, outputs, terminal
from hardlimit.cli.commands.bake import run as baking
from hardlimit.cli.live_models import quoted
from hardlimit.foundation.formatting import plural

if TYPE_CHECKING:
    from hardlimit.cli.commands.replay.command import ReplayOptions


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
        json_output.print_json(plain | ({} if baked is None else {"baked": baked._asdict()}))
        return
    same = "; the same weights as now, to the last bit" if options.until is None else ""
    hold = "holds" if holds == 1 else "hold"
    entries = plural(past.n_entries, "entry", "entries")
    terminal.say(f"{entries}, of which {holds} {hold}{same}")
    terminal.say(f"classes: {', '.join(map(quoted, past.classes))}")
    terminal.say(f"fingerprint: {past.fingerprint}")
    if baked is not None:
        baking.show(baked, False)
