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
@click.option(
    "--probability",
    is_flag=True,
    help="Show the probability of the answer too; for models trained with --probability.",
)
@click.option(
    "--top",
    type=click.IntRange(min=1),
    metavar="N",
    help="Show the N best classes, with their scores or, if the model has them, probabilities.",
)
@click.option(
    "--min-probability",
    type=click.FloatRange(0, 1),
    metavar="P",
    help="Answer '?' where the probability of the answer is below P, such as 0.9.",
)
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
      hardlimit predict spam.hardlimit new.csv --min-probability 0.9 --top 3
    """

    model: str
    source: str
    output: str | None
    scores: bool
    probability: bool
    top: int | None
    min_probability: float | None
    as_json: bool


command = command_of("predict", PredictOptions)
