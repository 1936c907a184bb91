"""Labelled rows of files, read as a model wants them: texts, mixed tables, or numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from hardlimit import describing
from hardlimit.classifiers.model.forms import ByForm
from hardlimit.cli import label_columns, label_texts, labelled_rows, layouts, numeric_rows
from hardlimit.cli.labelled_rows import Labelled
from hardlimit.sources.files import WordFiles

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hardlimit.cli.options import LayoutSettings
    from hardlimit.predictions.judges import Judge
    from hardlimit.readers import Layout
    from hardlimit.sources.files import FileRows


def source_of(
    judge: Judge, sources: Sequence[str], given: LayoutSettings, *, need_label: bool = True
) -> FileRows:
    """Return files as a source of rows, read as the training file was unless ``given`` differs."""
    return judge.form.do(SourceOfRows(judge, sources, given, need_label=need_label))


def read(
    judge: Judge, sources: Sequence[str], given: LayoutSettings, *, need_label: bool = True
) -> Labelled:
    """Read all rows of files, for a model."""
    source = source_of(judge, sources, given, need_label=need_label)
    return labelled_rows.read(source, judge.classes)


class SourceOfRows(ByForm["FileRows"]):
    """Files as a source of rows for a model."""

    def __init__(
        self, judge: Judge, sources: Sequence[str], given: LayoutSettings, *, need_label: bool
    ) -> None:
        self.judge, self.sources, self.given = judge, sources, given
        self.need_label = need_label

    def numbers(self) -> FileRows:
        """Return rows of numbers."""
        settings = numeric_settings(self.judge, self.given, self.sources)
        return numeric_rows.source_of(self.sources, settings, need_label=self.need_label)

    def one_text(self) -> FileRows:
        """Return texts, texts in columns, or rows of a mixed table."""
        layout = layout_of_words(self.judge, self.sources, self.given)
        gather = self.judge.form.gathering()
        return WordFiles(self.sources, layout, gather, need_label=self.need_label)


def layout_of_words(judge: Judge, sources: str | Sequence[str], given: LayoutSettings) -> Layout:
    """Return how files of texts or tables are read for a model."""
    remembered = describing.layout_of(judge.metadata)
    return layouts.layout_for(sources, remembered, label_texts.with_separator(judge, given))


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
