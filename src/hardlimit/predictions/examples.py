"""The example that a row of a file is to a model: a text, or the texts of several columns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from hardlimit.exceptions import ColumnError
from hardlimit.foundation.tables import list_names
from hardlimit.readers.registry import DOCUMENTS

if TYPE_CHECKING:
    from hardlimit.readers import Row, Table


def example_of(table: Table, columns: Sequence[str]) -> Callable[[Row], Any]:
    """Return what makes an example of a row: its text, or a tuple of the texts in these columns."""
    if not columns:
        return lambda row: row.text
    named = list(table.columns)
    places = [named.index(c) if c in named else int(c) if c.isdecimal() else -1 for c in columns]
    if table.layout.format in ("lines", *DOCUMENTS) or table.layout.format is None and not named:
        places = [-1] * len(columns)

    def of_row(row: Row) -> tuple[str, ...]:
        fields = row.fields
        if isinstance(fields, dict):
            missing = [name for name in columns if not isinstance(fields.get(name), str)]
            found = () if missing else tuple(fields[name] for name in columns)
        else:
            pairs = zip(columns, places, strict=True)
            missing = [name for name, place in pairs if not 0 <= place < len(fields)]
            found = () if missing else tuple(fields[place] for place in places)
        if missing:
            where = "column" if len(missing) == 1 else "columns"
            raise ColumnError(
                f"no text in the {where} {list_names(missing)}, and the model wants texts in "
                f"{list_names(columns)}",
                where=f"{table.source.name}:{row.line}",
                fix="give a file with these columns, such as CSV with a header",
            )
        return found

    return of_row
