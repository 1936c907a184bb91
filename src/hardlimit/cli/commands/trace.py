"""``hardlimit trace``: the table of the blackboard, step by step."""

from __future__ import annotations

from typing import Any

import click

from hardlimit.cli import choices


@click.command()
@click.argument("source", metavar="FILE")
@click.option(
    "--label", metavar="COLUMN", help="Column of the label: name, or number from 0; default: last."
)
@click.option("--header/--no-header", default=None, help="The first row holds names.")
@click.option("--delimiter", metavar="CHAR", help="Between the fields; 'tab' for a tab.")
@click.option(
    "--rule", metavar="NAME", help="Update rule ('hardlimit rules'); default: perceptron."
)
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="KEY=VALUE",
    help="Parameter of the rule; may be given again.",
)
@click.option(
    "--order",
    type=choices.Name(["cyclic", "shuffled", "random", "batch", "worst"]),
    default="cyclic",
    help="cyclic (default): one by one, as the rows lie; shuffled: anew each epoch; random: drawn "
    "with replacement; batch: all violators at once; worst: the one that needs it most.",
)
@click.option("--seed", type=click.IntRange(min=0), metavar="N", help="Of the order; default 0.")
@click.option(
    "--combine",
    type=choices.Name(choices.COMBINATIONS),
    help="How a batch puts the corrections together; default: as the rule does.",
)
@click.option(
    "--schedule",
    metavar="ETA",
    help="Learning rate: a number such as 1/2, or 1/step, 1/sqrt(step), 1/(A+step/B), projection, "
    "line-search; default 1.",
)
@choices.guard_options
@click.option(
    "--until",
    type=click.Choice(["separated", "margin", "none"]),
    default="separated",
    help="Stop once no pattern is wrong (default), once all have the margin that is required, or "
    "never before --epochs.",
)
@click.option(
    "--patient/--impatient",
    default=True,
    help="Look for that only where no pattern was wrong when it was seen (default), or after every "
    "epoch, as solutions of exercises in relaxation count.",
)
@click.option(
    "--bias-feature",
    metavar="VALUE",
    default="-1",
    help="Of every row: -1 (default) makes its weight w0 the threshold, 1 the bias; none: through "
    "the origin.",
)
@click.option(
    "--epochs",
    type=click.IntRange(min=1),
    default=100,
    metavar="N",
    help="Epochs, iterations of a batch or picks of the worst at most; default 100.",
)
@click.option(
    "--exact/--float",
    "exact",
    default=None,
    help="Fractions, where 0.1 is 1/10 (default, unless the rule takes roots), up to 2,000 digits; "
    "or floats.",
)
@click.option(
    "--format",
    "style",
    type=click.Choice(["text", "markdown", "json", "csv"]),
    help="Of the output; default: by the extension of -o, else text.",
)
@click.option(
    "--lines",
    type=click.IntRange(min=0),
    metavar="N",
    help="Print N lines of the table at most, the first and the last; 0: all. Default: 60 of text "
    "and Markdown, all of JSON and CSV.",
)
@click.option(
    "-o", "--output", metavar="FILE", help="Write a .txt, .md, .json or .csv instead of printing."
)
@click.option(
    "--plot",
    metavar="FILE",
    help="Draw the line after each correction too, as .png, .svg or .pdf; of two columns.",
)
def command(**given: Any) -> None:
    """Show every step of learning, as on the blackboard.

    FILE holds numbers and a label of two classes, as numeric CSV or svmlight; '-' is standard
    input. The second class in sorted order is t = +1.

    \b
      hardlimit trace points.csv
      hardlimit trace points.csv --order batch --format markdown
      hardlimit trace points.csv --rule margin-perceptron --set b=1/2 --until margin
      hardlimit trace points.csv --plot steps.svg
    """  # noqa: D301
    from hardlimit.cli import tracing

    tracing.run(given)
