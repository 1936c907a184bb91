"""Why each neuron of a model of several labels says what it says of a row."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hardlimit.classifiers.model.explanation import Explanation, share_among_words
from hardlimit.cli import contributions, json_output, models, terminal
from hardlimit.cli.commands.explain.rows import read_row
from hardlimit.exceptions import InputError
from hardlimit.foundation.atomic_file import replacing
from hardlimit.foundation.formatting import format_label

if TYPE_CHECKING:
    from collections.abc import Hashable

    from hardlimit.cli.commands.explain.command import ExplainOptions


def explain(options: ExplainOptions) -> None:
    """Explain the answers of all labels to one row, a part for each."""
    for name, given in (("--against", options.against), ("--terms", options.terms)):
        if given:
            raise click.UsageError(f"{name} does not go with a model of several labels")
    model: Any = models.load(options.model, several=True)
    row, names = read_row(model, options)
    try:
        found = model.explain_labels(row)
    except InputError as error:
        raise error.replaced(where=options.model) from None
    parts = {
        label: share_among_words(contributions.renamed(one, names), "", options.top)
        for label, one in found.items()
    }
    if options.html is not None:
        _write_page(parts, options.html)
    elif options.as_json:
        each = {format_label(label): contributions.to_json(one) for label, one in parts.items()}
        json_output.print_json({"labels": each})
    else:
        for label, one in parts.items():
            terminal.heading(f"Why {format_label(label)}={format_label(one.label)}")
            contributions.show(one)


def _write_page(parts: dict[Hashable, Explanation], path: str) -> None:
    from hardlimit.reports import render_label_explanations  # start-up: a table needs no page

    page = render_label_explanations(parts)
    with replacing(path) as temporary:
        # The same bytes on every system.
        Path(temporary).write_text(page, encoding="utf-8", newline="\n")
    terminal.remark(f"{path}: the explanations, {terminal.format_bytes(len(page.encode()))}")
