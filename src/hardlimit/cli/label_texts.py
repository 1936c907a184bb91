"""Several labels as one text: what stands between them, and how tables hold them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from hardlimit import describing
from hardlimit.cli.json_output import label_to_json
from hardlimit.cli.options import LayoutSettings
from hardlimit.foundation.formatting import format_label

if TYPE_CHECKING:
    from hardlimit.cli.judges import Judge
    from hardlimit.readers import Table

SEPARATOR = ","  # of a model that was trained in Python


def separator_of(judge: Judge, asked: str | None) -> str:
    """Return what stands between labels: what is asked for, else as in the training file."""
    remembered = describing.layout_of(judge.metadata).get("labels_separator")
    return asked or remembered or SEPARATOR


def with_separator(judge: Judge, given: LayoutSettings) -> LayoutSettings:
    """Return how labelled rows are read for a model: of several labels a text with a separator.

    Raises
    ------
    click.UsageError
        A separator for a model of one label a text.
    """
    if judge.many:
        return {"labels_separator": separator_of(judge, None), **given}
    if "labels_separator" in given:
        raise click.UsageError("--labels-separator is of several labels; the model has one a text")
    return given


def agree(one: Any, other: Any) -> bool:
    """Tell whether two labels are the same, or two tuples of labels in any order."""
    if isinstance(one, tuple) and isinstance(other, tuple):
        return set(one) == set(other)
    return bool(one == other)


def format_labels(label: Any, separator: str = f"{SEPARATOR} ") -> str:
    """Return a label for people, or several.

    >>> format_labels("sport"), format_labels(("sport", "price"))
    ('sport', 'sport, price')
    """
    return (
        separator.join(map(format_label, label))
        if isinstance(label, tuple)
        else format_label(label)
    )


def labels_to_json(label: Any) -> Any:
    """Return a label as JSON has it; several as a list."""
    if isinstance(label, tuple):
        return [label_to_json(one) for one in label]
    return label_to_json(label)


def make_writer(judge: Judge, asked: str | None, output: str, table: Table) -> Callable[[Any], Any]:
    """Return what makes a value of a table of a label, or of several: a list in JSON, else a text.

    output : the file, whose name says what it is.
    """
    if not judge.many:
        return label_to_json
    from hardlimit.readers.writing import choose_format  # start-up: few files are written

    if output != "-" and choose_format(output, table) == "jsonl":
        return labels_to_json
    separator = separator_of(judge, asked)
    return lambda labels: format_labels(labels, separator)
