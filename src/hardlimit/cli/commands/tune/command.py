"""``hardlimit tune``: labelled rows in; a table of candidates and the best model out."""

from __future__ import annotations

import click

from hardlimit.cli.command import command_of
from hardlimit.cli.options import (
    LayoutOptions,
    LayoutSettings,
    Sources,
    as_json,
    jobs,
    layout_options,
    note_option,
    output_option,
)
from hardlimit.cli.table_options import TableOptions, table_options

SCORINGS = ("accuracy", "macro-f1", "micro-f1")  # a test compares


@click.argument("words", nargs=-1, required=True, metavar="FILE...")
@output_option("best.hardlimit", "The model file to write.")
@layout_options(several=True, labels=False)
@table_options
@click.option(
    "--try",
    "tried",
    multiple=True,
    metavar="KEY=LIST",
    help="Values to try, such as C=0.1,1 or words=1-1,1-2; given again, all combinations. KEY is "
    "rule, a parameter of the rule, epochs, or of --features of train (words, chars, min-df, ...); "
    "of numbers also scale, of mixed tables column-weights. Default: 24 candidates.",
)
@click.option(
    "--folds",
    type=click.IntRange(2, 100),
    default=5,
    show_default=True,
    metavar="N",
    help="Parts of the rows, each of which is held out in turn.",
)
@click.option(
    "--scoring",
    type=click.Choice(SCORINGS),
    default=SCORINGS[0],
    show_default=True,
    help="What the best candidate is best in; macro-f1 counts rare classes as much as others, and "
    "micro-f1 is of several labels a text.",
)
@click.option(
    "--nested",
    is_flag=True,
    help="Also judge the search itself on rows that it has not seen; costs a search for each fold.",
)
@jobs
@click.option("--plot", metavar="FILE", help="Also draw the candidates, as .svg, .png or .pdf.")
@note_option
@as_json
class TuneOptions(TableOptions, LayoutOptions, Sources):
    """Try candidates, and train the one that answers best.

    Each candidate is judged by cross-validation: it answers rows that it has not learnt from. With
    many rows all candidates are judged on a ninth of them, the best third on a third, and the best
    third of these on all. The best one then learns from all rows and is saved.

    \b
      hardlimit tune messages.csv -o best.hardlimit
      hardlimit tune sms.csv --try words=1-1,1-2 --try C=0.1,0.3,1 -o best.hardlimit
      hardlimit tune points.csv --try rule=perceptron,arow --try scale=none,standard -o m.hardlimit
    """

    output: str
    texts: tuple[str, ...]
    tried: tuple[str, ...]
    folds: int
    scoring: str
    nested: bool
    jobs: int | None
    plot: str | None
    note: str | None
    as_json: bool

    @property
    def layout(self) -> LayoutSettings:
        """The settings that were given; of several columns of texts the first."""
        first = {"text": self.texts[0]} if self.texts else {}
        return {**super().layout, **first}

    @property
    def written(self) -> tuple[str | None, ...]:
        """The files that the command writes."""
        return self.output, self.plot


command = command_of("tune", TuneOptions)
