"""The work of ``hardlimit correct``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from hardlimit.cli import json_output, live_models, models, terminal
from hardlimit.cli.live_models import quoted
from hardlimit.foundation.formatting import plural

if TYPE_CHECKING:
    from hardlimit.cli.commands.correct.command import CorrectOptions
    from hardlimit.live.receipt import Receipt

# Numbers of texts that are named.
_NAMED = 20


def run(options: CorrectOptions) -> None:
    """Correct one answer, and tell what it did."""
    models.require(options.model)
    if options.label is None:
        raise click.UsageError("Missing option '--label': which label is right?")
    if not options.label.strip():
        raise click.UsageError(f"--label {options.label!r} is empty: which label is right?")
    limits = {
        "influence": options.influence,
        "rate": live_models.read_rate(options.correction_rate),
    }
    with live_models.open_live(options, private=options.private, **limits) as live:
        example = live_models.read_example(live, options.text)
        with live_models.telling(live, options.by):
            receipt = live.correct(
                example,
                live_models.find_label(live, options.label),
                by=options.by,
                margin=options.margin,
                step=options.step,
                guards=options.guards,
                new_class=options.new_class,
                dry_run=options.dry_run,
            )
    if options.as_json:
        json_output.print_json(receipt.to_dict())
    else:
        terminal.say(sentence(receipt))


def sentence(receipt: Receipt) -> str:
    """Say what a correction did, in one line."""
    before, after = receipt.before, receipt.after
    done = "would correct" if receipt.dry_run else f"corrected #{receipt.id}"
    parts = [
        f"{done}: now {quoted(after.label)} (margin {after.margin:.2f}, was "
        f"{quoted(before.label)} {before.margin:.2f})"
    ]
    if receipt.new_class:
        parts.append(f"{quoted(receipt.label)} is a new class")
    if receipt.n_remembered:
        parts.append(told_flips(receipt))
    for numbers, what in ((receipt.flagged, "flipped"), (receipt.guards_in_the_way, "in the way")):
        if numbers and (numbers != receipt.flagged or what == "flipped"):
            parts.append(f"guards {what}: {', '.join(f'#{one}' for one in numbers)}")
    return "; ".join(parts)


def told_flips(receipt: Receipt) -> str:
    """Say which remembered texts changed sides."""
    n = len(receipt.flips)
    told = f"of {plural(receipt.n_remembered, 'remembered text')} {n or 'none'} changed sides"
    named = ", ".join(f"#{flip.number}" for flip in receipt.flips[:_NAMED])
    return f"{told}: {named}{', ...' if n > _NAMED else ''}" if n else told
