"""Answers of a cluster: a file a shard, in a folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from hardlimit.cli import models, outputs, rows_to_answer, terminal
from hardlimit.cli.command import INTERRUPTED
from hardlimit.cli.commands.predict.showing import wanted_of
from hardlimit.cli.json_output import print_json
from hardlimit.cli.progress import Progress
from hardlimit.distributed import Scored, score
from hardlimit.predictions import answerers

if TYPE_CHECKING:
    from hardlimit.cli.commands.predict.command import PredictOptions


def run(options: PredictOptions) -> None:
    """Let a cluster answer, and say what was written."""
    _check(options)
    models.require(options.model)
    models.remark_corrections(options.model)
    try:
        with Progress(machine=options.progress):
            found = _score(options)
    except KeyboardInterrupt:
        terminal.error(
            f"interrupted; the parts in {options.output} are whole, and the same command goes on"
        )
        raise click.exceptions.Exit(INTERRUPTED) from None
    for note in found.notes:
        terminal.remark(note)
    if options.as_json:
        facts = {"rows": found.rows, "output": found.output, "parts": found.parts}
        print_json({**facts, "kept": found.kept})
        return
    kept = f", {found.kept:,} of them were there already" if found.kept else ""
    parts = terminal.plural(len(found.parts), "part")
    terminal.say(f"{terminal.plural(found.rows, 'row')} in {parts}{kept}: {found.output}")


def _score(options: PredictOptions) -> Scored:
    answerer = answerers.open_answerer(options.model)
    answerers.with_threshold(answerer, options.threshold)
    wanted = wanted_of(options)
    return score(
        options.model,
        options.sources,
        rows_to_answer.layout_of(answerer, options.sources, options.layout, need_label=False),
        cluster=options.cluster,
        output=options.output,
        format=options.output_format,
        shards=options.shards,
        overwrite=options.overwrite,
        scores=wanted.scores,
        probability=wanted.probability,
        top=wanted.top,
        min_probability=wanted.min_probability,
        threshold=wanted.threshold,
        explain=wanted.explain,
    )


def _check(options: PredictOptions) -> None:
    if options.output in (None, "-"):
        raise click.UsageError("--cluster wants a folder for the parts: -o DIR")
    outputs.refuse_inputs(options.output, *options.sources, options.model)
