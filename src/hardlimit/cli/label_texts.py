"""Several labels as one text: what stands between them, and how tables hold them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from hardlimit import describing
from hardlimit.cli.options import LayoutSettings
from hardlimit.predictions.columns import (
    format_labels,
    labels_to_json,
    separator_of,
)
from hardlimit.predictions.label_answers import SEPARATOR

if TYPE_CHECKING:
    from hardlimit.predictions.judges import Judge
    from hardlimit.readers import Table

__all__ = [
    "SEPARATOR",
    "agree",
    "format_labels",
    "in_one_cell",
    "labels_to_json",
    "separator_of",
    "with_separator",
]


def with_separator(judge: Judge, given: LayoutSettings) -> LayoutSettings:
    """Return how labelled rows are read for a model: of several labels a text with a separator.

    Raises
    ------
    click.UsageError
        A separator for a model of one label a text.
    """
    own = judge.labels.layout(describing.layout_of(judge.metadata))
    if not own and "labels_separator" in given:
        raise click.UsageError("--labels-separator is of several labels; the model has one a text")
    return {**own, **given}


def agree(one: object, other: object) -> bool:
    """Tell whether two labels are the same, or two tuples of labels in any order."""
    if isinstance(one, tuple) and isinstance(other, tuple):
        return set(one) == set(other)
    return bool(one == other)


def in_one_cell(output: str, table: Table) -> bool:
    """Whether several labels, or terms, are one text in a table, and no list as in JSON.

    output : the file, whose name says what it is.
    """
    from hardlimit.readers.writing import choose_format  # start-up: few files are written

    return output == "-" or choose_format(output, table) != "jsonl"
