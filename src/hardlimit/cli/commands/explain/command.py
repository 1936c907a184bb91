"""``hardlimit explain``: which terms decided, and by how much."""

from __future__ import annotations

import click

from hardlimit.cli.command import command_of
from hardlimit.cli.options import COUNT, Options, as_json, option, threshold_option, top_option


@click.argument("model")
@click.argument("text")
@top_option(
    15, "Show the N terms with the largest contributions, for or against; the others are summed."
)
@option("--against LABEL", "Explain the predicted class against this one; default: the runner-up.")
@option(
    "--label LABEL",
    "Of several labels a row, the one to explain, predicted or not; default: of texts those "
    "that are predicted, of numbers all.",
)
@option(
    "--row N",
    "Of a file of rows, the one to explain, from 1; of numbers and texts in several columns "
    "the default is 1.",
    type=COUNT,
)
@option(
    "--html FILE",
    "Write a page instead: the whole text with the words that decided marked, and the table.",
)
@threshold_option
@option("--terms", "Show each fragment of a word as a term of its own.")
@as_json
class ExplainOptions(Options):
    """Show which terms of TEXT decided, and by how much.

    The contributions add up to the score. With more than two classes they are those for the
    predicted class against the runner-up; --against names another. Where the model counts
    fragments of words, their contributions are added to those of their words; --terms and --json
    show every term as the model has it. TEXT may be '-' for standard input, which is one text. On a
    terminal with colours the sentences follow, with the words that decided marked.

    For models of mail TEXT may be the file of a mail, or '-'; what each part of the mail adds is
    shown too.

    For models of texts in several columns TEXT is a file, of which --row N is explained, or a JSON
    object of the texts.

    TEXT may be a file of rows too, as the training file was, of which --row N is explained.

    Of several labels a text each that is predicted is explained by itself.

    For models of numbers TEXT is a file, of which --row N is explained, or the numbers of a row,
    as '1.5, 0, 2'. What adds up is the columns, or for kernels the rows that the model keeps.

    \b
      hardlimit explain spam.hardlimit "win a prize now" --html why.html
      hardlimit explain points.hardlimit new.csv --row 3 --against no
    """

    model: str
    text: str
    top: int
    against: str | None
    label: str | None
    row: int | None
    html: str | None
    threshold: float | None
    terms: bool
    as_json: bool

    @property
    def written(self) -> tuple[str | None, ...]:
        """The page."""
        return (self.html,)


command = command_of("explain", ExplainOptions)
