"""The rows of files that a new model is to learn from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from hardlimit.cli import labelled_rows, layouts, numeric_rows, tables
from hardlimit.examples.of_rows import gather_columns, gather_texts
from hardlimit.foundation import progress
from hardlimit.sources.files import WordFiles

if TYPE_CHECKING:
    from hardlimit.cli.labelled_rows import Labelled
    from hardlimit.cli.options import LayoutSettings
    from hardlimit.sources.files import FileRows


def source_of(options: Any, settings: LayoutSettings, *, is_numeric: bool) -> FileRows:
    """Return the files of a command as a source of rows, by what is known of them."""
    if is_numeric:
        return numeric_rows.source_of(options.sources, settings)
    layout = layouts.layout_for(options.sources, {}, settings)
    if settings.get("table"):
        named = (*options.texts, *options.number_columns, *options.category_columns)
        return WordFiles(options.sources, layout, gather_columns(None, named))
    columns = options.texts if len(options.texts) > 1 else ()
    return WordFiles(options.sources, layout, gather_texts(columns))


def read(classifier: Any, options: Any, settings: LayoutSettings, *, is_numeric: bool) -> Labelled:
    """Read all rows; of a table the classifier gets the kind of each column."""
    data = labelled_rows.read(source_of(options, settings, is_numeric=is_numeric))
    if settings.get("table"):
        tables.decide(classifier, data)
    return data


def decide(classifier: Any, name: str, source: FileRows) -> None:
    """Give the classifier the kind of each column of a table, by a pass over all rows."""
    tables.decide_in_parts(
        classifier, name, lambda: _columns_of(source), lambda: source.told.layout
    )


def _columns_of(source: FileRows) -> Iterator[Any]:
    n_rows = 0
    for batch in source.batches():
        yield batch.examples
        n_rows += len(batch.labels)
        progress.report("looking at the columns", n_rows, 0, "rows")
