"""Why a model of several labels says what it says of a row: a part for each label."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hardlimit.classifiers.model.explanation import (
    Explanation,
    rename_columns,
    share_among_words,
)
from hardlimit.cli import asking, contributions, json_output, models, terminal
from hardlimit.cli.commands.explain.rows import read_row
from hardlimit.cli.commands.explain.texts import TextReading
from hardlimit.exceptions import InputError
from hardlimit.foundation.atomic_file import replacing
from hardlimit.foundation.formatting import format_label
from hardlimit.predictions import judges

if TYPE_CHECKING:
    from hardlimit.cli.commands.explain.command import ExplainOptions
    from hardlimit.predictions.judges import Judge

Parts = dict[Hashable, Explanation]


def explain(options: ExplainOptions) -> None:
    """Explain the answers of all labels to one row of numbers, or of one label."""
    asking.refuse(asking.ask_of_columns("explain", options))
    model: Any = models.load(options.model, several=True)
    judges.decide_by(model, options.threshold)
    row, names = read_row(model.metadata, model.n_features_in_, options)
    try:
        found = model.explain_labels(row)
    except InputError as error:
        raise error.replaced(where=options.model) from None
    if options.label is not None:
        label = _find_label(list(found), options.label)
        found = {label: found[label]}
    parts = {
        label: share_among_words(rename_columns(one, names), "", options.top)
        for label, one in found.items()
    }
    titles = {x: f"Why {format_label(x)}={format_label(one.label)}" for x, one in parts.items()}
    _show(parts, titles, options)


def explain_texts(judge: Judge, options: ExplainOptions) -> None:
    """Explain the labels that are predicted for one text, or the one that is asked for."""
    judge.decide_by(options.threshold)
    example = judge.form.do(TextReading(judge, options)).example
    one: Any = [example]
    [answer] = judge.answers(one)
    if options.label is not None:
        wanted = [_find_label(judge.classes, options.label)]
    else:
        # Of a text without a label it is told why the best one is missing.
        best = max(range(len(answer.all_scores)), key=lambda k: answer.all_scores[k])
        wanted = list(answer.label) or [judge.classes[best]]
    parts = {label: _explain_label(judge, example, label, options) for label in wanted}
    titles = {
        label: ("Why " if label in answer.label else "Why not ") + format_label(label)
        for label in wanted
    }
    _show(parts, titles, options)


def _explain_label(
    judge: Judge, example: Any, label: Hashable, options: ExplainOptions
) -> Explanation:
    whole = judge.explain(example, label)
    if type(whole.label) is bool:  # the label itself says more than True and False
        pair = (label, f"not {format_label(label)}")
        yes = bool(whole.label)
        whole = replace(whole, label=pair[not yes], against=pair[yes])
    if options.as_json or options.terms:
        return share_among_words(whole, "", options.top)
    return judge.form.share(whole, judge.form.texts_of(example), options.top)


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
