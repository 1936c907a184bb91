"""``hardlimit explain``: which terms decided, and by how much."""

from __future__ import annotations

import click

from hardlimit.cli import options


@click.command()
@click.argument("model")
@click.argument("text")
@click.option(
    "--top",
    default=15,
    show_default=True,
    type=click.IntRange(min=1),
    metavar="N",
    help="Show the N heaviest terms; the rest is summed up.",
)
@options.as_json
def command(model: str, text: str, top: int, as_json: bool) -> None:
    """Show which terms of TEXT decided, and by how much.

    The contributions add up to the score. With many classes they are those for the answer against
    the runner-up. TEXT may be '-' for standard input.
    """
    import sys

    from hardlimit.cli import contributions, models

    classifier = models.load(model)
    explanation = classifier.explain(sys.stdin.read() if text == "-" else text, top=top)
    if as_json:
        models.say_json(contributions.plain(explanation))
    else:
        contributions.show(explanation)
