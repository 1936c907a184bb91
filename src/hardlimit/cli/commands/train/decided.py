"""Options that do not go with ``--train-from``: what the earlier model has decided."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from hardlimit.cli.options import given_names
from hardlimit.cli.table_options import NAMES
from hardlimit.describing import name_choice

if TYPE_CHECKING:
    from hardlimit.cli.commands.train.command import TrainOptions

DECIDED = (
    "rule",
    "order",
    "schedule",
    "guard",
    "keep",
    "seed",
    "start",
    "multiclass",
    "until",
    "features",
    "scale",
    "probability",
    "shards",
    "mixing",
    "map",
    "kernel",
    "budget",
    "bias_feature",
    *NAMES,
)


def refuse_decided_options(options: TrainOptions) -> None:
    """Refuse what an earlier model has already decided."""
    for option in given_names(options, DECIDED):
        raise click.UsageError(
            f"{option} does not go with --train-from: the earlier model has decided that"
        )
    readout = options.readout
    if getattr(readout, "averaging", "post") != "post":
        raise click.UsageError(
            f"--readout {name_choice(readout)} does not go with --train-from: the earlier model "
            "has decided how the mean counts; use --readout averaged"
        )
    if readout is not None and not readout.streamed:
        raise click.UsageError(
            f"--readout {name_choice(readout)} does not go with --train-from: it is made of rows "
            "that are known from the start; use --readout last or averaged, or train anew on all "
            "rows"
        )
