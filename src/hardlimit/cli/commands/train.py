"""``hardlimit train``: labelled texts in, a model file out."""

from __future__ import annotations

from typing import Any

import click

from hardlimit.cli import options


def _known_order(ctx: click.Context, _: click.Parameter, name: str | None) -> str | None:
    """Refuse an unknown order before anything is read."""
    if name is not None:
        from hardlimit import orders
        from hardlimit.exceptions import HardlimitError

        try:
            orders.resolve(name)
        except HardlimitError as error:
            raise click.UsageError(str(error), ctx) from None
    return name


@click.command()
@click.argument("source", metavar="FILE")
@click.option("-o", "--output", required=True, metavar="MODEL", help="The model file to write.")
@options.layout_options()
@click.option("--rule", metavar="NAME", help="Update rule; 'hardlimit rules' lists them.")
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
    help="Rounds: 10 for texts, at most 1000 for numbers.",
)
@click.option(
    "--order",
    callback=_known_order,
    metavar="NAME",
    help="Who is seen next: shuffled (default) or cyclic.",
)
@click.option("--seed", type=click.IntRange(min=0), metavar="N", help="Of the order; default 0.")
@click.option("--readout", type=click.Choice(["averaged", "last"]), help="What answers.")
@click.option(
    "--multiclass", type=click.Choice(["coupled", "ovr"]), help="Classes learn jointly or not."
)
@click.option(
    "--until", type=click.Choice(["separated", "margin"]), help="Stop early when reached."
)
@click.option(
    "--features",
    metavar="LIST",
    help="Such as words=1-2,chars=none,hash=20,tf=raw,idf=none,norm=none,bias=1.",
)
@click.option("--class-weight", metavar="LIST", help="'balanced', or LABEL=WEIGHT,...")
@click.option(
    "--holdout",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    metavar="PART",
    help="Keep this part out of training and measure on it: 0.2",
)
@click.option(
    "--max-false-positive",
    type=click.FloatRange(0, 1),
    metavar="RATE",
    help="Two classes: choose the decision threshold on held-out texts.",
)
@click.option("--positive", metavar="LABEL", help="Which of two classes is the positive one.")
@click.option("--train-from", metavar="MODEL", help="Continue an earlier model on new rows.")
@click.option("--slim", is_flag=True, help="Leave the training state out of the file.")
@options.as_json
def command(**given: Any) -> None:
    """Train a classifier on labelled texts.

    FILE is CSV, TSV, JSON Lines, or a folder with a folder per class; numbers come as svmlight or
    numeric CSV. It may be compressed; '-' is standard input. Columns with obvious names need no
    --text and --label.

    \b
      hardlimit train messages.csv --text message --label folder -o spam.hardlimit
      hardlimit train mails/ -o spam.hardlimit --holdout 0.2 --max-false-positive 0.001
      hardlimit train new.csv --train-from spam.hardlimit -o spam.hardlimit
    """  # noqa: D301
    from hardlimit.cli import training

    training.run(given)
