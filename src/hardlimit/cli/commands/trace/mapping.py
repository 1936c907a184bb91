"""``hardlimit trace --map``: products of columns in the place of the columns."""

from __future__ import annotations

from collections.abc import Sequence

from hardlimit import maps

Rows = list[list[float]]


def map_rows(
    rows: Rows, names: Sequence[str], own_map: maps.FeatureMap | None
) -> tuple[Rows, list[str]]:
    """Return the rows and the formulas of their columns as the map makes them.

    >>> map_rows([[2.0, 3.0]], ["a", "b"], maps.resolve("cross"))
    ([[2.0, 3.0, 6.0]], ['a', 'b', 'a*b'])
    """
    if own_map is None or not rows:
        return rows, list(names)
    made = own_map.fit_transform(rows)
    if hasattr(made, "toarray"):
        made = made.toarray()
    given = list(names) or [f"x{j + 1}" for j in range(len(rows[0]))]
    return made.tolist(), own_map.formulas(given)
