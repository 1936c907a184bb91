"""``hardlimit predict``: labels and scores for new texts."""

from __future__ import annotations

from typing import Any

import click

from hardlimit.cli import options


@click.command()
@click.argument("model")
@click.argument("source", metavar="[FILE]", default="-")
@click.option(
    "-o", "--output", metavar="FILE", help="Write .csv, .tsv or .jsonl; keeps the columns."
)
@click.option("--scores", is_flag=True, help="The scores of all classes too.")
@options.layout_options(label=False)
@options.as_json
def command(model: str, source: str, output: str | None, **given: Any) -> None:
    """Predict the label of each text.

    Standard input is plain lines, one text each; a FILE is read as the training file was. The
    answers are lines 'label<TAB>score', or JSON Lines with --json. With two classes the score is
    that of the second class, against the first. 'known_features: 0' marks a text without a single
    feature known to the model.

    \b
      echo "win a prize now" | hardlimit predict spam.hardlimit
      hardlimit predict spam.hardlimit new.csv -o scored.csv
    """  # noqa: D301
    from hardlimit.cli import predicting

    predicting.run(model, source, output, given)
