"""``hardlimit correct``: one text and its right label."""

from __future__ import annotations

import click

from hardlimit.cli.command import command_of
from hardlimit.cli.live_models import LiveOptions
from hardlimit.cli.options import (
    LayoutOptions,
    as_json,
    by_option,
    correction_rate,
    dry_run,
    influence,
    layout_options,
    ledger_option,
    margin_option,
    private_option,
)

POLICIES = ("refuse", "solve", "flag")  # a test compares


@click.argument("model")
@click.argument("example", metavar="[TEXT]", required=False)
@click.option(
    "--label",
    metavar="LABEL",
    help="The right label, one of the model's; with --file the column of the labels.",
)
@click.option("--file", metavar="FILE", help="Correct all rows of a file, all or none of them.")
@click.option(
    "--new-class",
    is_flag=True,
    help="Make a class of a label that the model does not know, which is an error else.",
)
@by_option("Who says so.")
@margin_option(1.0, "By how much the label beats every other one afterwards.")
@click.option(
    "--step",
    type=float,
    default=0.0,
    show_default=True,
    metavar="S",
    help="Move at least so far, in squared lengths of the text's row; about 2 for texts from "
    "elsewhere than those of training.",
)
@click.option(
    "--guards",
    type=click.Choice(POLICIES),
    default=POLICIES[0],
    show_default=True,
    help="Where it would flip a guard: refuse it, solve for the smallest change that leaves the "
    "guards, or only flag them.",
)
@dry_run
@private_option
@correction_rate
@influence
@ledger_option
@layout_options(label=False, sets=False)
@as_json
class CorrectOptions(LayoutOptions, LiveOptions):
    """Correct MODEL's answer to TEXT, at once and with a guarantee.

    The smallest change of the weights is made after which TEXT has LABEL with the margin. MODEL
    itself is never written: the correction is an entry of the ledger beside it, MODEL.ledger, on
    disk when the command ends. TEXT may be '-' for standard input; of a model of mail it may be the
    file of a mail; of a model of numbers it is a row, as '1.5, 0, 2'; of a model of several columns
    the JSON of a row.

    With --file all rows of a file are corrected, one after the other, all or none of them. It is
    read as the training file was, unless options say otherwise, and a table of receipts is printed.

    \b
      hardlimit correct spam.hardlimit --label ham "meeting at 3" --by alice
      hardlimit correct spam.hardlimit --label spam - < message.txt
      hardlimit correct spam.hardlimit --file corrections.csv --label folder
    """

    example: str | None
    file: str | None
    by: str
    margin: float
    step: float
    guards: str
    new_class: bool
    dry_run: bool
    private: bool
    correction_rate: str | None
    influence: float | None


command = command_of(
    "correct",
    CorrectOptions,
    first=("label", "file", "new_class", "by", "margin", "guards", "dry_run", "text", "as_json"),
)
