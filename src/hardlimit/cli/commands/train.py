"""``hardlimit train``: labelled texts in, a model file out."""

from __future__ import annotations

from typing import Any

import click

from hardlimit.cli import choices, options


@click.command()
@click.argument("source", metavar="FILE")
@click.option("-o", "--output", required=True, metavar="MODEL", help="The model file to write.")
@options.layout_options()
@click.option(
    "--rule",
    metavar="NAME",
    help="Update rule ('hardlimit rules'); default: passive-aggressive for texts, perceptron for "
    "numbers.",
)
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="KEY=VALUE",
    help="Parameter of the rule; may be given again.",
)
@click.option(
    "--epochs",
    type=click.IntRange(min=1),
    metavar="N",
    help="Rounds; default: 10 for texts, since more seldom help; for numbers at most 1000, since "
    "they stop once separated; 1000 iterations of --order batch. With --train-from: 1.",
)
@click.option("--seed", type=click.IntRange(min=0), metavar="N", help="Of the order; default 0.")
@choices.choice_options
@click.option(
    "--multiclass",
    type=click.Choice(["coupled", "ovr"]),
    help="coupled (default): the right class and its best rival learn together; ovr: each class "
    "alone against the rest.",
)
@click.option(
    "--until",
    type=click.Choice(["separated", "margin", "none"]),
    help="Stop early once reached; default: none for texts, separated for numbers.",
)
@click.option(
    "--features",
    metavar="LIST",
    help="Of texts, such as words=1-2,chars=none,hash=20,tf=raw,idf=none,norm=none,bias=1; "
    "default: words=1-2, chars=2-5 where most texts are under 200 characters (else none), "
    "hash=none, tf=sublinear, idf=smooth, norm=l2, bias=0.1.",
)
@click.option(
    "--scale",
    type=click.Choice(["none", "rows", "maxabs", "standard"]),
    help="Of numbers: rows to length 1, columns to -1..1, or to mean 0 and deviation 1; default: "
    "none. The model remembers it.",
)
@click.option("--class-weight", metavar="LIST", help="'balanced', or LABEL=WEIGHT,...")
@click.option(
    "--holdout",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    metavar="PART",
    help="Keep this part out of training and measure on it: 0.2. Equal texts stay on one side; "
    "the saved model saw the training part only.",
)
@click.option(
    "--max-false-positive",
    type=click.FloatRange(0, 1),
    metavar="RATE",
    help="Two classes: choose the decision threshold on held-out rows (--holdout, else a fifth).",
)
@click.option("--positive", metavar="LABEL", help="Which of two classes is the positive one.")
@click.option(
    "--train-from",
    metavar="MODEL",
    help="Continue an earlier model on new rows. Its mean moves slowly after many "
    "examples; with --readout last corrections act at once.",
)
@click.option("--slim", is_flag=True, help="Leave the training state out of the file.")
@options.as_json
def command(**given: Any) -> None:
    """Train a classifier on labelled texts.

    FILE is CSV, TSV, JSON Lines, or a folder with a folder per class; numbers come as svmlight or
    numeric CSV. It may be compressed; '-' is standard input. Columns with obvious names need no
    --text and --label.

    \b
      hardlimit train sms.csv --text message --label folder -o spam.hardlimit
      hardlimit train mails/ -o spam.hardlimit --max-false-positive 0.001
      hardlimit train sms.csv --holdout 0.2 --keep all -o spam.hardlimit
      hardlimit train new.csv --train-from spam.hardlimit -o spam.hardlimit
    """  # noqa: D301
    from hardlimit.cli import training

    training.run(given)
