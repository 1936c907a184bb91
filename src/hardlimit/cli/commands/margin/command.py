"""``hardlimit margin``: the margin of weights that are given."""

from __future__ import annotations

import click

from hardlimit.cli.command import command_of
from hardlimit.cli.options import LayoutOptions, as_json, option, points_options


@click.argument("source", metavar="FILE")
@option(
    "--weights LIST",
    "A weight for each column and last that of the bias, such as 1,-1/2,0.",
    required=True,
)
@points_options
@as_json
class MarginOptions(LayoutOptions):
    """Measure the margin of given weights on labelled points.

    FILE holds numbers and a label of two classes, as numeric CSV or svmlight; '-' is standard
    input. The second class in sorted order is t = +1. The margin gamma is the smallest t w.x; it
    is above 0 if the weights separate the classes. All numbers are exact fractions.

    \b
      hardlimit margin points.csv --weights 1,1,-1
      hardlimit margin points.csv --weights 1/2,-1,0 --bias-feature 1
      hardlimit margin points.csv --weights -1,2 --bias-feature none --json
    """

    source: str
    weights: str
    bias_feature: str
    as_json: bool


command = command_of("margin", MarginOptions)
