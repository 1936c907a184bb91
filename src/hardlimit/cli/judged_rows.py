"""Labelled rows of files, read as a model wants them: texts, mixed tables, or numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from hardlimit import describing
from hardlimit.cli import label_columns, label_texts, layouts, numeric_rows
from hardlimit.cli.labelled_rows import Labelled, read_labelled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hardlimit.cli.options import LayoutSettings
    from hardlimit.predictions.judges import Judge


def read(
    judge: Judge, sources: Sequence[str], given: LayoutSettings, *, need_label: bool = True
) -> Labelled:
    """Read files as the training file was read, unless ``given`` says otherwise."""
    remembered, known = describing.layout_of(judge.metadata), judge.classes
    if not judge.texts:
        settings = numeric_settings(judge, given, sources)
        return numeric_rows.read(sources, settings, need_label=need_label, known=known)
    layout = layouts.layout_for(sources, remembered, label_texts.with_separator(judge, given))
    return read_labelled(
        sources,
        layout,
        need_label=need_label,
        columns=judge.text_columns,
        is_table=judge.is_table,
        known=known,
    )


def numeric_settings(
    judge: Judge, given: LayoutSettings, sources: str | Sequence[str]
) -> LayoutSettings:
    """Return how files of numbers are read for a model."""
    if judge.labels.columns(judge.classes):
        return label_columns.settings_for(judge, given, sources)
    return {**describing.layout_of(judge.metadata), **given}


def one_by_one(data: Labelled) -> Iterator[Any]:
    """Yield each example by itself; of numbers a matrix of one row."""
    yield from map(data.examples.example, range(len(data)))
