"""Why a model of several labels gives its answer to an example: a part for each label."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from hardlimit.classifiers.model.explanation import (
    Explanation,
    rename_columns,
    share_among_words,
)
from hardlimit.classifiers.model.forms import ONE_TEXT, ByForm
from hardlimit.cli import contributions, json_output, terminal
from hardlimit.cli.commands.explain.rows import read_row
from hardlimit.cli.commands.explain.texts import TextReading
from hardlimit.exceptions import InputError
from hardlimit.foundation.atomic_file import replacing
from hardlimit.foundation.formatting import format_label

if TYPE_CHECKING:
    from hardlimit.cli.commands.explain.command import ExplainOptions
    from hardlimit.predictions.judges import Judge

Parts = dict[Hashable, Explanation]


class _Asked(NamedTuple):
    """What is explained.

    batch : the example as judges take it.    share : sums an explanation up for people.
    """

    example: Any
    batch: Any
    share: Callable[[Explanation], Explanation]


def explain(judge: Judge, options: ExplainOptions) -> None:
    """Explain each label that is predicted for one example, or the one that is asked for."""
    judge.decide_by(options.threshold)
    asked = judge.form.do(_Asking(judge, options))
    [answer] = judge.answers(asked.batch)
    if options.label is not None:
        wanted = [_find_label(judge.classes, options.label)]
    else:
        wanted = judge.labels.explained_alone(answer)
    parts = {label: asked.share(_explain_label(judge, asked, label, options)) for label in wanted}
    titles = {label: judge.labels.title(answer, label) for label in wanted}
    _show(parts, titles, options)


class _Asking(ByForm[_Asked]):
    """Reads the example that is explained."""

    def __init__(self, judge: Judge, options: ExplainOptions) -> None:
        self._judge, self._options = judge, options

    def numbers(self) -> _Asked:
        """Read a row of numbers."""
        options = self._options
        row, names = read_row(self._judge, options)
        return _Asked(
            row, row, lambda one: share_among_words(rename_columns(one, names), "", options.top)
        )

    def one_text(self) -> _Asked:
        """Read a text, or values by column."""
        form, options = self._judge.form, self._options
        example = form.do(TextReading(self._judge, options)).example
        terms = options.as_json or options.terms
        texts = {} if terms else form.texts_of(example)
        whole = ONE_TEXT if terms else form  # terms stay as the model has them
        return _Asked(example, [example], lambda one: whole.share(one, texts, options.top))


def _explain_label(
    judge: Judge, asked: _Asked, label: Hashable, options: ExplainOptions
) -> Explanation:
    try:
        whole = judge.explain(asked.example, label)
    except InputError as error:
        raise error.replaced(where=options.model) from None
    if type(whole.label) is bool:  # the label itself says more than True and False
        pair = (label, f"not {format_label(label)}")
        yes = bool(whole.label)
        whole = replace(whole, label=pair[not yes], against=pair[yes])
    return whole


def _find_label(labels: list[Any], typed: str) -> Hashable:
    """Return the label that was typed; labels of numbers are typed as texts."""
    for label in labels:
        if format_label(label) == typed:
            found: Hashable = label
            return found
    there = ", ".join(format_label(label) for label in labels[:20])
    raise click.UsageError(f"--label: no label {typed!r}; the model has {there}")


def _show(parts: Parts, titles: Mapping[Hashable, str], options: ExplainOptions) -> None:
    if options.html is not None:
        _write_page(parts, options.html)
    elif options.as_json:
        each = {format_label(label): contributions.to_json(one) for label, one in parts.items()}
        json_output.print_json({"labels": each})
    else:
        for label, one in parts.items():
            terminal.heading(titles[label])
            contributions.show(one)


def _write_page(parts: Parts, path: str) -> None:
    from hardlimit.reports import render_label_explanations  # start-up: a table needs no page

    page = render_label_explanations(parts)
    with replacing(path) as temporary:
        # The same bytes on every system.
        Path(temporary).write_text(page, encoding="utf-8", newline="\n")
    terminal.remark(f"{path}: the explanations, {terminal.format_bytes(len(page.encode()))}")
