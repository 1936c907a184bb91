"""What a model file says of the rows that it was trained on: how they were read, and where from.

No date, no path and no name: the same input gives the same bytes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hardlimit import describing
from hardlimit.cli import json_output, label_columns
from hardlimit.sources.numbers import NAMED

if TYPE_CHECKING:
    from hardlimit.cli.labelled_rows import CountedRows, Labelled
    from hardlimit.cli.models import Classifier

# Of a model that learns on every day only the last files are kept, and all are counted.
MOST_FILES = 20
Digest = dict[str, Any]


def remember(
    classifier: Classifier,
    data: Labelled | CountedRows,
    digest: Digest | None,
    note: str | None,
    *,
    is_first: bool = True,
) -> None:
    """Store with a model how its files were read, their digest, and the rows of each class.

    is_first : whether this is its first training.
    """
    metadata, layout = classifier.metadata, data.to_remember()
    if layout is not None:
        columns = layout.get("columns")
        if columns:  # so that a table with other names is refused in Python too
            classifier.fitted.feature_names = tuple(columns)
        if layout.get("format") == NAMED:
            layout = {name: value for name, value in layout.items() if name != "columns"}
        metadata[describing.LAYOUT] = layout
    if data.label_columns:
        metadata[label_columns.NAMES] = list(data.label_columns)
    new = data.kind.to_remember(data.counts)
    # The weights remember the rows of before too; a model fitted in Python has not counted them.
    if new is not None and (is_first or describing.COUNTS in metadata):
        counts = {label: n for label, n in metadata.get(describing.COUNTS, [])}
        for label, n in new.items():
            counts[label] = counts.get(label, 0) + n
        pairs = [[json_output.label_to_json(label), n] for label, n in counts.items()]
        metadata[describing.COUNTS] = pairs
    if digest is not None:
        kept = metadata.get(describing.SOURCES) or {"n": 0, "last": []}
        last = [*kept["last"], digest][-MOST_FILES:]
        metadata[describing.SOURCES] = {"n": kept["n"] + 1, "last": last}
    if note is not None:
        metadata[describing.NOTE] = note
