"""``hardlimit report``: one page on a model and the rows it is judged by."""

from __future__ import annotations

from typing import Any

import click

from hardlimit.cli import options


@click.command()
@click.argument("model")
@click.argument("source", metavar="FILE")
@click.option(
    "-o", "--output", metavar="HTML", default="-", help="Write the page here.", show_default="-"
)
@click.option("--train", metavar="FILE", help="The training file: rows that stand there too.")
@click.option("--positive", metavar="LABEL", help="Which of two classes is the positive one.")
@click.option(
    "--examples",
    default=8,
    show_default=True,
    type=click.IntRange(min=0),
    metavar="N",
    help="Show N errors and N uncertain rows.",
)
@options.layout_options()
def command(model: str, source: str, output: str, **given: Any) -> None:
    """Write a page on MODEL and labelled rows it has not seen.

    One HTML file that holds everything: how good the model is and how sure that is, how it was
    trained, where it errs and why. It loads nothing, runs no script, and is the same byte for byte
    whenever it is made from the same model and rows. FILE is read as the training file was, unless
    options say otherwise. Rows without labels are reported on as far as that goes.

    \b
      hardlimit report spam.hardlimit held-out.csv -o report.html
    """  # noqa: D301
    from hardlimit.cli import reporting

    reporting.run(model, source, output, given)
