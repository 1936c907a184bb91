"""The work of ``hardlimit explain``: what each term, column or support added to one answer."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from hardlimit.classifiers.model.explanation import (
    Explanation,
    rename_columns,
    share_among_words,
    telling_sentences,
    weigh_words,
    weigh_words_of_columns,
)
from hardlimit.classifiers.model.forms import ByForm
from hardlimit.cli import (
    asking,
    contributions,
    json_output,
    mail_parts,
    models,
    outputs,
    terminal,
)
from hardlimit.cli.commands.explain.rows import read_row
from hardlimit.cli.commands.explain.texts import TextReading
from hardlimit.exceptions import InputError
from hardlimit.foundation.atomic_file import replacing
from hardlimit.foundation.formatting import format_label
from hardlimit.predictions import judges

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from hardlimit.cli.commands.explain.command import ExplainOptions
    from hardlimit.predictions.judges import Judge

_WHOLE = 1000  # characters of a text that a terminal shows whole


class _Explained(NamedTuple):
    """An explanation as it is shown, and the texts with the weights of their words.

    texts : by their columns; under "" that of a model of one text a row.
    """

    explanation: Explanation
    threshold: contributions.Threshold | None
    texts: dict[str, str] = {}  # noqa: RUF012
    weights: dict[str, dict[str, float]] = {}  # noqa: RUF012
    parts: list[tuple[str, int, float]] | None = None


def run(options: ExplainOptions) -> None:
    """Explain the answer of a model to one text, or to one row."""
    outputs.refuse_inputs(options.html, options.model, options.text)
    judge = judges.with_threshold(models.open_judge(options.model), options.threshold)
    asking.refuse(asking.ask_of_judge("explain", options, judge))
    judge.labels.pick(_explain_one, _explain_several, lambda _: _explain_several)(judge, options)


def _explain_one(judge: Judge, options: ExplainOptions) -> None:
    _show(judge.form.do(Explaining(judge, options)), options)


def _explain_several(judge: Judge, options: ExplainOptions) -> None:
    from hardlimit.cli.commands.explain import labels  # start-up: few models have several

    labels.explain(judge, options)


def _show(found: _Explained, options: ExplainOptions) -> None:
    if options.html is not None:
        _write_page(found, options.html)
    elif options.as_json:
        plain = contributions.to_json(found.explanation, found.threshold)
        if found.parts is not None:
            plain["parts"] = {name: total for name, _, total in found.parts}
        json_output.print_json(plain)
    else:
        contributions.show(found.explanation, found.threshold)
        if found.parts:
            mail_parts.show(found.parts)
        # Without colours it would be the text that was just typed.
        if terminal.shows_colours():
            _show_texts(found)


def _show_texts(found: _Explained) -> None:
    """Print each text with the words that decided in colour, by one measure for all columns."""
    largest = max((abs(w) for of in found.weights.values() for w in of.values()), default=0.0)
    for name, text in found.texts.items():
        if not text:
            continue
        weights = found.weights[name]
        terminal.say()
        if name:
            terminal.say(terminal.paint(terminal.escape_controls(f"{name}:"), "bold"))
        contributions.show_text(telling_sentences(text, weights, _WHOLE), weights, largest)


class Explaining(ByForm[_Explained]):
    """Explains the answer of a model of one label a row to what the options name."""

    def __init__(self, judge: Judge, options: ExplainOptions) -> None:
        self.judge, self.options = judge, options
        self.threshold = _threshold_of(judge)

    def one_text(self) -> _Explained:
        """Explain the answer to one text."""
        judge, options = self.judge, self.options
        text, is_mail = judge.form.do(TextReading(judge, options))
        answer = models.text_answer_of(judge, options.model)
        against = _find_class(answer.classes, options.against)
        by = judge.threshold
        whole = answer.explain(text, threshold=by, against=against)
        parts = mail_parts.sum_parts(whole, text) if is_mail else None
        # Machines get the model's own terms; words are a summary for people.
        if options.as_json or options.terms:
            explanation = answer.explain(text, top=options.top, threshold=by, against=against)
        else:
            explanation = share_among_words(whole, text, options.top)
        weights = {"": weigh_words(whole, text)}
        return _Explained(explanation, self.threshold, {"": text}, weights, parts)

    def text_columns(self) -> _Explained:
        """Explain the answer to a row of a file, or to a JSON object of values by column."""
        judge, options = self.judge, self.options
        example = judge.form.do(TextReading(judge, options)).example
        judge.decide_by(options.threshold)
        against = _find_class(judge.classes, options.against)
        explanation = judge.explain(example, against=against)
        texts = judge.form.texts_of(example)
        if options.as_json or options.terms:
            shown = share_among_words(explanation, "", options.top)
        else:
            shown = judge.form.share(explanation, texts, options.top)
        weights = weigh_words_of_columns(explanation, texts)
        return _Explained(shown, self.threshold, texts, weights)

    def numbers(self) -> _Explained:
        """Explain the answer to a row of numbers."""
        judge, options = self.judge, self.options
        judge.decide_by(options.threshold)
        row, names = read_row(judge, options)
        against = _find_class(judge.classes, options.against)
        try:
            explanation = judge.explain(row, against=against)
        except InputError as error:
            raise error.replaced(where=options.model) from None
        named = rename_columns(explanation, names)
        return _Explained(share_among_words(named, "", options.top), self.threshold)


def _threshold_of(judge: Judge) -> contributions.Threshold | None:
    """Return the decision threshold of a model of two classes."""
    two = len(judge.classes) == 2
    return contributions.Threshold(judge.classes[1], judge.threshold) if two else None


def _find_class(classes: Sequence[Any], typed: str | None) -> Hashable | None:
    """Return the class that was typed; labels of numbers are typed as texts."""
    # What is no class is refused by the answer, which names those that there are.
    return next((label for label in classes if format_label(label) == typed), typed)


def _write_page(found: _Explained, path: str) -> None:
    from hardlimit.reports import render_explanation  # late: a table needs no page

    texts, weights = found.texts, found.weights
    if "" in texts:  # one text a row
        page = render_explanation(found.explanation, texts[""], weights[""])
    else:
        page = render_explanation(found.explanation, texts or None, weights)
    with replacing(path) as temporary:
        # The same bytes on every system.
        Path(temporary).write_text(page, encoding="utf-8", newline="\n")
    terminal.remark(f"{path}: the explanation, {terminal.format_bytes(len(page.encode()))}")
