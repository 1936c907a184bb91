"""The work of ``hardlimit explain``: contributions of the terms of one text."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from hardlimit.classifiers.model.explanation import share_among_words
from hardlimit.cli import contributions, invocation, json_output, judges, terminal
from hardlimit.foundation.formatting import format_label
from hardlimit.readers.opening import read_whole

if TYPE_CHECKING:
    from collections.abc import Hashable

    from hardlimit.classifiers.model.text_answer import TextAnswer
    from hardlimit.cli.commands.explain.command import ExplainOptions


def run(options: ExplainOptions) -> None:
    """Explain the answer of a model to one text."""
    answer = judges.open_text_answer(options.model)
    text, against = _text(options), _find_class(answer, options.against)
    # Machines get the model's own terms; words are a summary for people.
    if options.as_json or options.terms:
        explanation = answer.explain(text, top=options.top, against=against)
    else:
        explanation = answer.explain(text, against=against)
        # A model without accents has letters that the text as it was typed has not.
        explanation = share_among_words(explanation, str(answer.prepare([text])[0]), options.top)
    threshold = contributions.threshold_of(answer)
    if options.as_json:
        json_output.print_json(contributions.to_json(explanation, threshold))
    else:
        contributions.show(explanation, threshold)


def _find_class(answer: TextAnswer, typed: str | None) -> Hashable | None:
    """Return the class that was typed; labels of numbers are typed as texts."""
    # What is no class is refused by the answer, which names those that there are.
    return next((label for label in answer.classes if format_label(label) == typed), typed)


def _text(options: ExplainOptions) -> str:
    if options.text == "-":
        # As bytes: the locale of the terminal has no say in what a model of UTF-8 sees.
        return read_whole("-").decode("utf-8", "replace")
    # A likely slip, but a text may be the name of a file: so it is a note, not an error.
    if os.path.isfile(options.text):
        model, file = invocation.quoted(options.model), invocation.quoted(options.text)
        terminal.remark(
            f"{options.text!r} is explained as a text; to explain what is in that file: "
            f"hardlimit explain {model} - < {file}"
        )
    return options.text
