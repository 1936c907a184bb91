"""``hardlimit export``: a linear model as an ONNX file."""

from __future__ import annotations

import click

from hardlimit.cli.command import command_of
from hardlimit.cli.options import Options, as_json, output_option


@click.argument("model", metavar="MODEL")
@output_option("model.onnx", "The ONNX file to write.", "FILE")
@click.option(
    "--dtype",
    type=click.Choice(["float64", "float32"]),
    default="float64",
    show_default=True,
    help="Type of the input and of all numbers; float32 is for runtimes that know no other, "
    "and may answer otherwise where scores nearly tie.",
)
@as_json
class ExportOptions(Options):
    """Write a linear model of numbers or of a table as ONNX.

    Other programs run it. The input is X, a row each, or of a table each column by its name; the
    outputs are label, scores, and probabilities if MODEL was trained with --probability. Models of
    texts, votes, feature maps, kernels and several labels have no ONNX file: the reason is said.

    \b
      hardlimit train numbers.csv -o numbers.hardlimit --probability
      hardlimit export numbers.hardlimit -o numbers.onnx
    """

    model: str
    output: str
    dtype: str
    as_json: bool


command = command_of("export", ExportOptions)
