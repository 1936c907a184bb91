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
    help="Show the N heaviest terms, for or against; the rest is summed up.",
)
@click.option("--terms", is_flag=True, help="Each fragment of a word for itself.")
@options.as_json
def command(model: str, text: str, top: int, terms: bool, as_json: bool) -> None:
    """Show which terms of TEXT decided, and by how much.

    For models of texts. The contributions add up to the score. With many classes they are those
    for the answer against the runner-up. Where the model looks at fragments of words, what they add
    is shown with their words; --terms and --json show every term as the model has it. TEXT may be
    '-' for standard input, which is one text.
    """
    import os
    import sys

    from hardlimit.cli import contributions, models, terminal

    answer = models.answer_of(model)
    if text == "-":
        text = sys.stdin.buffer.read().decode("utf-8", "replace")
    elif os.path.isfile(text):
        terminal.remark(
            f"{text!r} is explained as a text; to explain what is in that file: "
            f"hardlimit explain {models.quoted(model)} - < {models.quoted(text)}"
        )
    if as_json or terms:
        explanation = answer.explain(text, top=top)
    else:
        explanation = contributions.share_among_words(answer.explain(text), text, top)
    if as_json:
        models.say_json(contributions.plain(explanation, contributions.bar_of(answer)))
    else:
        contributions.show(explanation, contributions.bar_of(answer))
