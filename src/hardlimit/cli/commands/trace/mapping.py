"""``hardlimit trace --map``: products of columns in the place of the columns."""

from __future__ import annotations

from collections.abc import Sequence

from hardlimit import maps
from hardlimit.cli import spelled

Rows = list[list[float]]


def map_rows(rows: Rows, names: Sequence[str], text: str | None) -> tuple[Rows, list[str]]:
    """Return the rows and the names of their columns as the map makes them.

    >>> map_rows([[2.0, 3.0]], ["a", "b"], "cross")
    ([[2.0, 3.0, 6.0]], ['a', 'b', 'a*b'])
    """
    if text is None or not rows:
        return rows, list(names)
    own = spelled.parse_choice(text, maps.MAPS, "--map").fit(rows)
    made = own.transform(rows)
    if hasattr(made, "toarray"):
        made = made.toarray()
    given = list(names) or [f"x{j + 1}" for j in range(len(rows[0]))]
    return made.tolist(), own.get_feature_names_out(given).tolist()
