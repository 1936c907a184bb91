"""``hardlimit explain``: which terms decided, and by how much."""

from __future__ import annotations

import click

from hardlimit.cli.command import command_of
from hardlimit.cli.options import Options, as_json


@click.argument("model")
@click.argument("text")
@click.option(
    "--top",
    default=15,
    show_default=True,
    type=click.IntRange(min=1),
    metavar="N",
    help="Show the N terms with the largest contributions, for or against; the others are summed.",
)
@click.option(
    "--against",
    metavar="LABEL",
    help="Explain the predicted class against this one; default: the runner-up.",
)
@click.option("--terms", is_flag=True, help="Show each fragment of a word as a term of its own.")
@as_json
class ExplainOptions(Options):
    """Show which terms of TEXT decided, and by how much.

    For models of texts. The contributions add up to the score. With more than two classes they are
    those for the predicted class against the runner-up; --against names another. Where the model
    counts fragments of words, their contributions are added to those of their words; --terms and
    --json show every term as the model has it. TEXT may be '-' for standard input, which is one
    text.
    """

    model: str
    text: str
    top: int
    against: str | None
    terms: bool
    as_json: bool


command = command_of("explain", ExplainOptions)
