"""``hardlimit predict``: labels and scores for new texts."""

from __future__ import annotations

import click

from hardlimit.cli.command import command_of
from hardlimit.cli.options import LayoutOptions, as_json, layout_options


@click.argument("model")
@click.argument("source", metavar="[FILE]", default="-")
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    help="Write .csv, .tsv or .jsonl: FILE with label and score.",
)
@click.option("--scores", is_flag=True, help="Show the scores of all classes too.")
@layout_options(label=False)
@as_json
class PredictOptions(LayoutOptions):
    """Predict the label of each text.

    Standard input is plain lines, one text each; a FILE is read as the training file was. The
    output is a line 'label<TAB>score' for each text, or JSON Lines with --json. With two classes
    the score is that of the second class against the first. 'known_features: 0' marks a text none
    of whose terms the model knows.

    \b
      echo "win a prize now" | hardlimit predict spam.hardlimit
      hardlimit predict spam.hardlimit new.csv -o scored.csv
    """

    model: str
    source: str
    output: str | None
    scores: bool
    as_json: bool


command = command_of("predict", PredictOptions)
