"""Labelled rows of files, read as a model wants them: texts, mixed tables, or numbers."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any

from hardlimit import describing
from hardlimit.classifiers.model.forms import ByForm
from hardlimit.cli import label_columns, label_texts, layouts, numeric_rows
from hardlimit.cli.labelled_rows import Labelled, read_labelled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hardlimit.cli.options import LayoutSettings
    from hardlimit.predictions.judges import Judge
    from hardlimit.readers import Layout


def read(
    judge: Judge, sources: Sequence[str], given: LayoutSettings, *, need_label: bool = True
) -> Labelled:
    """Read files as the training file was read, unless ``given`` says otherwise."""
    return judge.form.do(RowReading(judge, sources, given, need_label=need_label))


class RowReading(ByForm[Labelled]):
    """Reads labelled rows of files for a model."""

    def __init__(
        self,
        judge: Judge,
        sources: str | Sequence[str],
        given: LayoutSettings,
        *,
        need_label: bool = True,
    ) -> None:
        self.judge, self.sources, self.given = judge, sources, given
        self.need_label = need_label
        self.remembered = describing.layout_of(judge.metadata)

    @cached_property
    def layout(self) -> Layout:
        """How rows of texts are read."""
        given = label_texts.with_separator(self.judge, self.given)
        return layouts.layout_for(self.sources, self.remembered, given)

    def numbers(self) -> Labelled:
        """Read rows of numbers."""
        settings, known = numeric_settings(self.judge, self.given, self.sources), self.judge.classes
        return numeric_rows.read(self.sources, settings, need_label=self.need_label, known=known)

    def one_text(self) -> Labelled:
        """Read texts, or texts in columns."""
        return self._read(is_table=False)

    def table(self) -> Labelled:
        """Read rows of a mixed table."""
        return self._read(is_table=True)

    def _read(self, *, is_table: bool) -> Labelled:
        return read_labelled(
            self.sources,
            self.layout,
            need_label=self.need_label,
            columns=self.judge.form.columns,
            is_table=is_table,
            known=self.judge.classes,
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
