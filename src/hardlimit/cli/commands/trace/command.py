"""``hardlimit trace``: the table of the blackboard, step by step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from hardlimit.cli import starts
from hardlimit.cli.choice_options import choice_option, guard_option, rule_option, schedule_option
from hardlimit.cli.command import command_of
from hardlimit.cli.options import COUNT, LayoutOptions, Name, option, points_options

if TYPE_CHECKING:
    from hardlimit.guards import Guard
    from hardlimit.maps import FeatureMap
    from hardlimit.orders import Order
    from hardlimit.rules import Rule
    from hardlimit.schedules import Schedule

# The pictures of a trace alone, as the options spell them; a test compares.
PICTURES = ("steps", "weight-vectors", "weights", "criterion-surfaces")


@click.argument("source", metavar="FILE")
@points_options
@rule_option("perceptron", exact=True)
@choice_option(
    "order",
    "cyclic (default): row by row, in the order of the file; shuffled: in a new order each epoch; "
    "blocks and stream: blocks of rows in a new order; random: drawn with replacement; batch: all "
    "violators at once, batch:combine=sum or average; worst: the smallest margin first.",
    exact=True,
)
@option("--seed N", "Of the order; default 0.", type=click.IntRange(min=0))
@schedule_option(exact=True)
@guard_option(exact=True)
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
    help="When to check that: only after an epoch without a correction (default), or after every "
    "epoch, as solved exercises on relaxation count.",
)
@choice_option(
    "map", "Trace products of the columns: cross (pairs) or polynomial:2 (all up to that degree)."
)
@choice_option(
    "kernel",
    "Trace the perceptron's dual form in the space of a kernel: polynomial:2, rbf:0.5 or linear.",
)
@option("--start LIST", starts.HELP)
@option(
    "--epochs N",
    "Epochs at most (--order batch: iterations; worst: picks); default 100.",
    type=COUNT,
    default=100,
)
@click.option(
    "--exact/--float",
    "exact",
    default=None,
    help="Compute in fractions, where 0.1 is 1/10 (default, unless the rule takes square roots), "
    "of up to 2,000 digits; or in floating point.",
)
@click.option(
    "--format",
    "style",
    type=click.Choice(["text", "markdown", "json", "csv"]),
    help="Format of the output; default: by the extension of -o, else text.",
)
@option(
    "--lines N",
    "Print N lines of the table at most, the first and the last; 0: all. Default: 60 of text "
    "and Markdown, all of JSON and CSV.",
    type=click.IntRange(min=0),
)
@option("-o --output FILE", "Write a .txt, .md, .json or .csv instead of printing.")
@option(
    "--bounds",
    "Below the table, what the convergence proofs promise of the perceptron, beside what it made.",
)
@option("--plot FILE", "Draw a picture too, as .png, .svg or .pdf; --picture says which.")
@option(
    "--picture NAME",
    "What --plot draws: steps (default), the line after each correction; weight-vectors, the "
    "weights as vectors among the rows; weights, their length between two bounds; "
    "criterion-surfaces, the criteria over two weights.",
    type=Name(PICTURES),
    default="steps",
)
class TraceOptions(LayoutOptions):
    """Show every step of learning, as on the blackboard.

    FILE holds numbers and a label of two classes, as numeric CSV or svmlight; '-' is standard
    input. The second class in sorted order is t = +1.

    \b
      hardlimit trace points.csv
      hardlimit trace points.csv --order batch --format markdown
      hardlimit trace points.csv --rule margin-perceptron:b=1/2 --until margin
      hardlimit trace points.csv --plot steps.svg
    """

    source: str
    rule: Rule | None
    order: Order | None
    seed: int | None
    schedule: Schedule | None
    guard: tuple[Guard, ...]
    until: str
    patient: bool
    bias_feature: str
    map: FeatureMap | None
    kernel: Any
    start: str | None
    epochs: int
    exact: bool | None
    style: str | None
    lines: int | None
    output: str | None
    bounds: bool
    plot: str | None
    picture: str

    @property
    def written(self) -> tuple[str | None, ...]:
        """The table and the picture."""
        return self.output, self.plot


command = command_of(
    "trace",
    TraceOptions,
    first="label rule order schedule until bias_feature epochs style lines plot",
)
