"""``hardlimit trace --map``: products of columns in the place of the columns."""

from __future__ import annotations

import math
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
    named = own.get_feature_names_out(given).tolist()
    if isinstance(own, maps.MAPS.find("polynomial")):
        # Of a row of ones each monomial is the factor that the map gives it.
        factors = own.transform([[1.0] * len(given)]).ravel().tolist()
        named = [_name(factor, name) for factor, name in zip(factors, named, strict=True)]
    return made.tolist(), named


def _name(factor: float, monomial: str) -> str:
    """Return a monomial with its factor.

    >>> _name(1.0, "x^2"), _name(2**0.5, "x*y"), _name(2.0, "1"), _name(0.3, "x")
    ('x^2', 'sqrt(2)*x*y', '2', '0.3*x')
    """
    square = factor * factor
    if math.isclose(factor, 1):
        return monomial
    is_root = math.isclose(square, round(square)) and not math.isclose(factor, round(factor))
    said = f"sqrt({round(square)})" if is_root else f"{factor:.4g}"
    return said if monomial == "1" else f"{said}*{monomial}"
