"""Options that do not go with ``--train-from``: what the earlier model has decided."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from hardlimit.cli.choice_options import GUARDS, STREAMED
from hardlimit.cli.options import given_names
from hardlimit.cli.table_options import NAMES

if TYPE_CHECKING:
    from hardlimit.cli.commands.train.command import TrainOptions

DECIDED = (
    "rule",
    "settings",
    "order",
    "combine",
    "theta",
    "schedule",
    "keep",
    "averaging",
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
    "bias_feature",
    *NAMES,
)


def refuse_decided_options(options: TrainOptions) -> None:
    """Refuse what an earlier model has already decided."""
    given = given_names(options, DECIDED)
    given += [GUARDS[name].name for name in options.guards]
    for option in given:
        raise click.UsageError(
            f"{option} does not go with --train-from: the earlier model has decided that"
        )
    if options.readout not in (None, *STREAMED):
        raise click.UsageError(
            f"--readout {options.readout} does not go with --train-from: it is made of rows that "
            "are known from the start; use --readout last or averaged, or train anew on all rows"
        )
