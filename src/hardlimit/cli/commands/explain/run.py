"""The work of ``hardlimit explain``: what each term, column or support added to one answer."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hardlimit import describing
from hardlimit.classifiers.model.explanation import Explanation, keep_heaviest, telling_sentences
from hardlimit.cli import asking, contributions, json_output, mail_parts, models, outputs, terminal
from hardlimit.cli.commands.explain.reading import Reading
from hardlimit.exceptions import InputError
from hardlimit.foundation.atomic_file import replacing
from hardlimit.foundation.formatting import format_label
from hardlimit.predictions import answerers
from hardlimit.predictions.telling import names_of_columns

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from hardlimit.cli.commands.explain.command import ExplainOptions
    from hardlimit.predictions.answerers import Answerer

_WHOLE = 1000  # characters of a text that a terminal shows whole


def run(options: ExplainOptions) -> None:
    """Explain the answer of a model to one text, or to one row."""
    outputs.refuse_inputs(options.html, options.model, options.text)
    answerer = answerers.with_threshold(models.open_answerer(options.model), options.threshold)
    asking.refuse(asking.ask_of_answerer("explain", options, answerer))
    answerer.decide_by(options.threshold)
    several = Explaining.explain_labels
    answerer.labels.pick(Explaining.explain_answer, several, lambda _: several)(
        Explaining(answerer, options)
    )


class Explaining:
    """Explains the answer of a model to what the options name, and shows why."""

    def __init__(self, answerer: Answerer, options: ExplainOptions) -> None:
        self.answerer, self.options = answerer, options
        self.example, self.batch, self.is_mail = answerer.form.do(Reading(answerer, options))
        self.texts = answerer.form.texts_of(self.example)

    def explain_answer(self) -> None:
        """Explain the one answer, with the words of each text that decided."""
        answerer, options = self.answerer, self.options
        # What is no class is refused by the answer, which names those that there are.
        against = _find(answerer.classes, options.against, options.against)
        whole = self._explain(against=against)
        shown = self._summed(whole)
        weights = answerer.form.weigh_words(whole, self.texts)
        parts = mail_parts.sum_parts(whole, self.texts[""]) if self.is_mail else None
        two = len(answerer.classes) == 2
        threshold = (
            contributions.Threshold(answerer.classes[1], answerer.threshold) if two else None
        )
        if options.html is not None:
            _write_page(_render(shown, self.texts, weights), options.html, "the explanation")
        elif options.as_json:
            plain = contributions.to_json(shown, threshold)
            if parts is not None:
                plain["parts"] = {name: total for name, _, total in parts}
            json_output.print_json(plain)
        else:
            contributions.show(shown, threshold)
            if parts:
                mail_parts.show(parts)
            # Without colours it would be the text that was just typed.
            if terminal.shows_colours():
                _show_texts(self.texts, weights)

    def explain_labels(self) -> None:
        """Explain each label that is predicted, or the one that is asked for."""
        answerer, options = self.answerer, self.options
        [answer] = answerer.answers(self.batch)
        if options.label is not None:
            wanted = [self._find_label(options.label)]
        else:
            wanted = answerer.labels.explained_alone(answer)
        parts = {label: self._summed(_named(label, self._explain(label))) for label in wanted}
        if options.html is not None:
            from hardlimit.reports import render_label_explanations  # start-up: few want a page

            _write_page(render_label_explanations(parts), options.html, "the explanations")
        elif options.as_json:
            each = {format_label(label): contributions.to_json(one) for label, one in parts.items()}
            json_output.print_json({"labels": each})
        else:
            for label, one in parts.items():
                terminal.heading(answerer.labels.title(answer, label))
                contributions.show(one)

    def _explain(
        self, label: Hashable | None = None, against: Hashable | None = None
    ) -> Explanation:
        try:
            return self.answerer.explain(self.example, label, against)
        except InputError as error:
            raise error.replaced(where=self.options.model) from None

    def _summed(self, whole: Explanation) -> Explanation:
        """Sum an explanation up for people; machines get the model's own terms."""
        form, options = self.answerer.form, self.options
        named = form.renamed(whole, names_of_columns(describing.layout_of(self.answerer.metadata)))
        if options.as_json or options.terms:
            return keep_heaviest(named, options.top)
        return form.share(named, self.texts, options.top)

    def _find_label(self, typed: str) -> Hashable:
        labels = self.answerer.classes
        found = _find(labels, typed)
        if found is None:
            there = ", ".join(format_label(label) for label in labels[:20])
            raise click.UsageError(f"--label: no label {typed!r}; the model has {there}")
        return found


def _find(labels: Sequence[Any], typed: str | None, otherwise: Any = None) -> Hashable | None:
    """Return the label that was typed; labels of numbers are typed as texts."""
    found: Hashable = next((one for one in labels if format_label(one) == typed), otherwise)
    return found


def _named(label: Hashable, whole: Explanation) -> Explanation:
    """Return an explanation under the name of the label, which says more than True and False."""
    if type(whole.label) is not bool:
        return whole
    pair, yes = (label, f"not {format_label(label)}"), bool(whole.label)
    return replace(whole, label=pair[not yes], against=pair[yes])


def _show_texts(texts: dict[str, str], weights: dict[str, dict[str, float]]) -> None:
    """Print each text with the words that decided in colour, by one measure for all columns."""
    largest = max((abs(w) for of in weights.values() for w in of.values()), default=0.0)
    for name, text in texts.items():
        if not text:
            continue
        terminal.say()
        if name:
            terminal.say(terminal.paint(terminal.escape_controls(f"{name}:"), "bold"))
        own = weights[name]
        contributions.show_text(telling_sentences(text, own, _WHOLE), own, largest)


def _render(shown: Explanation, texts: dict[str, str], weights: dict[str, dict[str, float]]) -> str:
    from hardlimit.reports import render_explanation  # late: a table needs no page

    if "" in texts:  # one text a row
        return render_explanation(shown, texts[""], weights[""])
    return render_explanation(shown, texts or None, weights)


def _write_page(page: str, path: str, what: str) -> None:
    with replacing(path) as temporary:
        # The same bytes on every system.
        Path(temporary).write_text(page, encoding="utf-8", newline="\n")
    terminal.remark(f"{path}: {what}, {terminal.format_bytes(len(page.encode()))}")
