"""Columns of labels: ``--label a,b,c``, a neuron for each, in files of numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from hardlimit import describing
from hardlimit.readers.numbers import detect_by_extension

if TYPE_CHECKING:
    from hardlimit.cli.options import LayoutSettings
    from hardlimit.predictions.answerers import Answerer

# Where the names stand in the metadata of a model file.
NAMES = "labels"
# Formats other than CSV whose columns have names.
_WITH_COLUMNS = ("arff", "numeric-parquet", "numeric-arrow")


def split_names(label: str | None) -> list[str]:
    """Return the columns of ``--label a,b,c``; none where it is one column.

    >>> split_names("a, b,c"), split_names("a"), split_names(None)
    (['a', 'b', 'c'], [], [])
    """
    names = [name.strip() for name in (label or "").split(",")]
    if len(names) < 2:
        return []
    if not all(names) or len(set(names)) < len(names):
        raise click.BadOptionUsage("--label", f"--label wants different columns, got {label!r}")
    return names


def settings_of(
    names: Sequence[str],
    given: LayoutSettings,
    sources: str | Sequence[str],
    remembered: LayoutSettings | None = None,
) -> LayoutSettings:
    """Return how files of numbers with these columns of labels are read.

    remembered : how the training file was read; the name of a file may promise another format.
    """
    first = sources if isinstance(sources, str) else sources[0]
    promised = detect_by_extension(first)
    usual = {"format": promised if promised in _WITH_COLUMNS else "numeric-csv"}
    given = {**(remembered or {}), **usual, **given}
    drop = [name for name in given.get("drop", ()) if name not in names]
    # The last one stands for all of them, as in the layout that a model remembers.
    return {
        **given,
        "label": names[-1],
        "drop": (*drop, *names[:-1]),
        "label_columns": tuple(names),
    }


def settings_for(
    answerer: Answerer, given: LayoutSettings, sources: str | Sequence[str]
) -> LayoutSettings:
    """Return how a file is read with the labels of a model, as its training file was read."""
    names = split_names(given.get("label")) or answerer.metadata.get(NAMES) or answerer.classes
    remembered = describing.layout_of(answerer.metadata)
    return settings_of([str(name) for name in names], given, sources, remembered)


def unlabelled(settings: LayoutSettings) -> LayoutSettings:
    """Return how the same rows are read without labels, which may or may not be there."""
    given = dict(settings)
    names = given.pop("label_columns", ())
    return {**given, "drop": (*given.get("drop", ()), names[-1])} if names else given
