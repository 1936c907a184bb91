"""``hardlimit tune``: labelled rows in; a table of candidates and the best model out."""

from __future__ import annotations

from typing import Any

import click

from hardlimit.cli.choice_options import tried_options
from hardlimit.cli.command import command_of
from hardlimit.cli.options import (
    LayoutOptions,
    Sources,
    as_json,
    jobs,
    layout_options,
    note_option,
    option,
    output_option,
)
from hardlimit.cli.table_options import TableOptions, column_options

SCORINGS = ("accuracy", "macro-f1", "micro-f1")  # a test compares


@click.argument("words", nargs=-1, required=True, metavar="FILE...")
@output_option("best.hardlimit", "The model file to write.")
@layout_options(several=True)
@column_options
@tried_options
@option("--epochs LIST", "Epochs at most, such as 5,10; default: as for train.")
@option(
    "--features LIST",
    "Features of texts as for train, each with one value or more: words=1-1,1-2,chars=none.",
)
@option(
    "--column-weights LIST",
    "Of mixed tables: weights of numbers, categories and texts, such as 1:1:4,1:1:8.",
    name="weights",
)
@option(
    "--folds N",
    "Parts of the rows, each of which is held out in turn.",
    type=click.IntRange(2, 100),
    default=5,
    show_default=True,
)
@click.option(
    "--scoring",
    type=click.Choice(SCORINGS),
    default=SCORINGS[0],
    show_default=True,
    help="What the best candidate is best in; macro-f1 counts rare classes as much as others, and "
    "micro-f1 is of several labels a text.",
)
@option(
    "--nested",
    "Also judge the search itself on rows that it has not seen; costs a search for each fold.",
)
@jobs
@option("--plot FILE", "Also draw the candidates, as .svg, .png or .pdf.")
@note_option
@as_json
class TuneOptions(TableOptions, LayoutOptions, Sources):
    """Try candidates, and train the one that answers best.

    Candidates are spelled as for train: a parameter may have several values, as C=0.1,1, and an
    option may be given again. All combinations are tried; without any of these options, 24 usual
    candidates are.

    Each candidate is judged by cross-validation: it answers rows that it has not learnt from. With
    many rows all candidates are judged on a ninth of them, the best third on a third, and the best
    third of these on all. The best one then learns from all rows and is saved.

    \b
      hardlimit tune sms.csv -o m.hardlimit
      hardlimit tune sms.csv --rule passive-aggressive:C=0.1,0.3,1 -o m.hardlimit
      hardlimit tune sms.csv --features words=1-1,1-2 --epochs 5,10 -o m.hardlimit
      hardlimit tune x.csv --rule perceptron --rule arow:r=0.1,1 -o m.hardlimit
    """

    output: str
    texts: tuple[str, ...]
    rule: tuple[list[Any], ...]
    order: tuple[list[Any], ...]
    schedule: tuple[list[Any], ...]
    guard: tuple[list[Any], ...]
    readout: tuple[list[Any], ...]
    scale: tuple[list[Any], ...]
    map: tuple[list[Any], ...]
    kernel: tuple[list[Any], ...]
    epochs: str | None
    features: str | None
    weights: str | None
    folds: int
    scoring: str
    nested: bool
    jobs: int | None
    plot: str | None
    note: str | None
    as_json: bool

    @property
    def written(self) -> tuple[str | None, ...]:
        """The files that the command writes."""
        return self.output, self.plot


command = command_of(
    "tune", TuneOptions, first="output texts label rule features epochs scale folds scoring nested"
)
