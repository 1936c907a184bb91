"""``hardlimit report``: a report on a model, measured on labelled rows."""

from __future__ import annotations

import click

from hardlimit.cli.command import command_of
from hardlimit.cli.options import (
    AskedLive,
    LayoutOptions,
    jobs,
    layout_options,
    live_mode,
    option,
    threshold_option,
)


@click.argument("model")
@click.argument("source", metavar="FILE")
@option("-o --output HTML", "File for the page.", default="-", show_default="-")
@option("--train FILE", "The training file, to report rows that are in both.")
@option("--positive LABEL", "Which of two classes is the positive one.")
@threshold_option
@option(
    "--examples N",
    "Show N errors and N uncertain rows.",
    default=8,
    show_default=True,
    type=click.IntRange(min=0),
)
@live_mode
@layout_options()
@jobs
class ReportOptions(LayoutOptions, AskedLive):
    """Write a report on MODEL and labelled rows that are new to it.

    One HTML file: how good the model is, with confidence intervals, how it was trained, where it
    errs and why. It loads nothing, runs no script, and the same model and rows give the same bytes.
    FILE is read as the training file was, unless options say otherwise. Rows without labels are
    reported on without the figures that need labels. With --live it is the report of the model that
    'hardlimit bake' would write, with all corrections in it.

    \b
      hardlimit report spam.hardlimit held-out.csv -o report.html
      hardlimit report --live spam.hardlimit held-out.csv -o report.html
    """

    model: str
    source: str
    output: str
    train: str | None
    positive: str | None
    examples: int
    jobs: int | None


command = command_of(
    "report", ReportOptions, first="output train label text positive threshold examples live"
)
