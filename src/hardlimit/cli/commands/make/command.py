"""``hardlimit make``: a rule written by hand as a model file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from hardlimit.cli.choice_options import rule_option
from hardlimit.cli.command import command_of
from hardlimit.cli.options import Options, as_json, option, output_option

if TYPE_CHECKING:
    from hardlimit.rules import Rule


@click.argument("source", metavar="[FILE]", required=False)
@output_option("hand.hardlimit", "The model file to write.")
@option(
    "--weight TERM=NUMBER",
    "Weight of a term, or of a column with --numbers; may be given again.",
    name="weights",
    multiple=True,
)
@option(
    "--threshold NUMBER",
    "The second class is predicted where the score exceeds this; default 0.",
    type=float,
    default=0.0,
)
@option(
    "--classes FIRST,SECOND",
    "The two classes; the second is the one above the threshold.",
    default="no,yes",
    show_default=True,
)
@option("--numbers", "The weights are of columns of a table of numbers.")
@rule_option("as train's; it is the rule of train --train-from")
@as_json
class MakeOptions(Options):
    """Make a model of weights that are known, without training.

    FILE has a line for each weight, a term and a number: CSV, or TSV by its name. The model
    explains, predicts and learns on like one that was trained.

    \b
      hardlimit make -o spam.hardlimit --classes nospam,spam --threshold 2.12 \\
        --weight free=0.124 --weight offer=2.5 --weight lecture=-2.31
      hardlimit explain spam.hardlimit "a free offer"
      hardlimit train mails.csv --train-from spam.hardlimit -o spam.hardlimit
    """

    source: str | None
    output: str
    weights: tuple[str, ...]
    threshold: float
    classes: str
    numbers: bool
    rule: Rule | None
    as_json: bool


command = command_of("make", MakeOptions)
