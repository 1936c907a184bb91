"""Rows of files, read as a model wants them: texts, mixed tables, or numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from hardlimit import describing
from hardlimit.classifiers.model.forms import ByForm
from hardlimit.cli import label_columns, labelled_rows, layouts, numeric_rows
from hardlimit.cli.labelled_rows import Labelled
from hardlimit.sources.files import WordFiles
from hardlimit.sources.numbers import NumberFiles

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hardlimit.cli.options import LayoutSettings
    from hardlimit.predictions.answerers import Answerer
    from hardlimit.readers import Layout
    from hardlimit.sources.files import FileRows


def read(
    answerer: Answerer,
    sources: str | Sequence[str],
    given: LayoutSettings,
    *,
    need_label: bool = True,
) -> Labelled:
    """Read all rows of files, for a model."""
    return labelled_rows.read(source_of(answerer, sources, given, need_label), answerer.classes)


def source_of(
    answerer: Answerer, sources: str | Sequence[str], given: LayoutSettings, need_label: bool = True
) -> FileRows:
    """Return files as a source of rows, read as the training file was unless ``given`` differs."""
    return answerer.form.do(_Files(answerer, sources, given, need_label)).source()


def layout_of(
    answerer: Answerer, sources: str | Sequence[str], given: LayoutSettings, need_label: bool = True
) -> Layout | LayoutSettings:
    """Return how files are read for a model; of numbers the settings of their reader."""
    return answerer.form.do(_Files(answerer, sources, given, need_label)).layout


class _Words:
    """Files of texts, of texts in columns, or of rows of a mixed table."""

    def __init__(self, files: _Files) -> None:
        remembered, given = describing.layout_of(files.answerer.metadata), files.given
        if files.need_label:
            given = _with_separator(files.answerer, given)
        self.layout = layouts.layout_for(files.sources, remembered, given)
        self._files = files

    def source(self) -> FileRows:
        """Return them as a source of rows."""
        files, gather = self._files, self._files.answerer.form.gathering()
        return WordFiles(files.sources, self.layout, gather, need_label=files.need_label)


class _Numbers:
    """Files of rows of numbers."""

    def __init__(self, files: _Files) -> None:
        numeric_rows.refuse_text_options(files.given)
        answerer = files.answerer
        if answerer.labels.columns(answerer.classes):
            settings = label_columns.settings_for(answerer, files.given, files.sources)
        else:
            settings = {**describing.layout_of(answerer.metadata), **files.given}
        self.layout = settings if files.need_label else label_columns.unlabelled(settings)
        self._files = files

    def source(self) -> FileRows:
        """Return them as a source of rows."""
        return NumberFiles(self._files.sources, self.layout, need_label=self._files.need_label)


class _Files(ByForm["_Words | _Numbers"]):
    """Files that are read for a model, with options that say how."""

    def __init__(
        self,
        answerer: Answerer,
        sources: str | Sequence[str],
        given: LayoutSettings,
        need_label: bool,
    ) -> None:
        self.answerer, self.sources = answerer, sources
        self.given, self.need_label = given, need_label

    def numbers(self) -> _Words | _Numbers:
        """Read rows of numbers."""
        return _Numbers(self)

    def one_text(self) -> _Words | _Numbers:
        """Read words."""
        return _Words(self)


def _with_separator(answerer: Answerer, given: LayoutSettings) -> LayoutSettings:
    """Return how labelled rows are read: of several labels a text with a separator."""
    own = answerer.labels.layout(describing.layout_of(answerer.metadata))
    if not own and "labels_separator" in given:
        raise click.UsageError("--labels-separator is of several labels; the model has one a text")
    return {**own, **given}
