"""``hardlimit bake``: model and corrections as one file."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from hardlimit.cli import json_output, live_models, models, outputs, terminal
from hardlimit.cli.command import command_of
from hardlimit.cli.live_models import LiveOptions
from hardlimit.cli.options import (
    as_json,
    by_option,
    ledger_option,
    output_option,
    threshold_option,
)
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.records import to_plain
from hardlimit.predictions import answerers

if TYPE_CHECKING:
    from hardlimit.live.bake import Baked


@click.argument("model")
@output_option("new.hardlimit", "The model file to write.", "FILE")
@threshold_option
@by_option("Who writes it.")
@ledger_option
@as_json
class BakeOptions(LiveOptions):
    """Write MODEL and its corrections as one new model file.

    --threshold gives the new file another decision threshold. A model without corrections may be of
    any kind then, and keeps its training state.

    Every command reads it as any other model; it has no training state. Weights of texts are single
    precision there, and new terms count in the length of a text: the answers to all corrections and
    guards are compared, and those that differ are named.
    """

    output: str
    threshold: float | None
    by: str


def run(options: BakeOptions) -> None:
    """Write the new file."""
    models.require(options.model)
    outputs.refuse_inputs(options.output, options.model)
    outputs.check_writable(options.output)
    if options.threshold is not None and not _has_ledger(options):
        _write_threshold(options, options.threshold)
        return
    with live_models.open_live(options, threshold=options.threshold) as live:
        baked = live.bake(options.output, by=options.by)
    show(baked, options.as_json)


def _has_ledger(options: BakeOptions) -> bool:
    from hardlimit.live.opening import SUFFIX  # late: as all of `live`

    return options.ledger is not None or os.path.lexists(options.model + SUFFIX)


def _write_threshold(options: BakeOptions, threshold: float) -> None:
    """Write a model without corrections, of any kind, with another threshold."""
    classifier = models.load(options.model)
    answerers.decide_by(classifier, threshold)
    has_state = classifier.fitted.restore() is not None
    classifier.save(options.output, training_state=has_state)
    if options.as_json:
        json_output.print_json(
            {"path": options.output, "corrections": 0, "guards": 0, "changed": []}
        )
        return
    terminal.say(f"{options.output}: {options.model} with the threshold {threshold:g}")


def show(baked: Baked, as_json: bool) -> None:
    """Say what was written, and which answers differ."""
    if as_json:
        json_output.print_json(to_plain(baked))
        return
    terminal.say(
        f"{baked.path}: with {plural(baked.corrections, 'correction')} and "
        f"{plural(baked.guards, 'guard')} that hold"
    )
    if baked.changed:
        named = ", ".join(f"#{one}" for one in baked.changed)
        terminal.remark(f"the answers to {named} differ there")


command = command_of("bake", BakeOptions, run)
