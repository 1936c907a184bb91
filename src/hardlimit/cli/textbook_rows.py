"""Rows of numbers of two classes, for the commands that compute by the textbook's code."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

import click

from hardlimit.cli import numeric_rows
from hardlimit.cli.options import NONE, LayoutSettings
from hardlimit.exceptions import DataFormatError, InputError
from hardlimit.foundation.formatting import format_label, plural

if TYPE_CHECKING:
    from hardlimit.cli.labelled_rows import Labelled
    from hardlimit.maps import FeatureMap

Rows = list[list[float]]

# Fractions of more cells than this take minutes, and no table of them can be read.
MOST_CELLS = 2_000_000


def read(source: str, layout: LayoutSettings) -> Labelled:
    """Read a file; if its label is in another column, the error names the option that helps.

    Raises
    ------
    FileError, DataFormatError
        No such file, one that breaks its format.
    """
    try:
        return numeric_rows.read(source, layout)
    except DataFormatError as error:
        # A person who has named the label's column needs no hint.
        if not {"label", "header"} & layout.keys():
            found = numeric_rows.look(source)
            if found is not None and found.label is not None:
                hint = f"if {found.label!r} is the label, add --label {found.label}"
                raise error.replaced(fix=hint) from None
        raise


def check_two_classes(data: Labelled) -> None:
    """Refuse rows of one class or of more than two."""
    labels = sorted(format_label(label) for label in data.counts)
    if len(labels) == 2:
        return
    there = ", ".join(labels[:10]) + (", ..." if len(labels) > 10 else "")
    raise InputError(
        f"{plural(len(labels), 'class', 'classes')} in the label ({there}), wanted two",
        where=data.name,
        fix="keep the rows of two classes, or put one class against the rest; --label names the "
        "column of the label",
    )


def to_lists(data: Labelled) -> Rows:
    """Return the rows as lists, zeros included; too many for fractions are refused."""
    X = data.examples
    rows, columns = X.shape
    if rows * columns > MOST_CELLS:
        raise InputError(
            f"{plural(rows, 'row')} of {plural(columns, 'column')} are too many for fractions",
            where=data.name,
            fix="take some of the rows (head -n 100), or use 'hardlimit train'",
        )
    from hardlimit.engine import to_dense  # late: numpy

    dense: Rows = to_dense(X).tolist()
    return dense


def map_rows(
    rows: Rows, names: Sequence[str], own_map: FeatureMap | None
) -> tuple[Rows, list[str]]:
    """Return the rows and the formulas of their columns as the map makes them.

    >>> from hardlimit import maps
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


def parse_bias(text: str) -> Fraction | None:
    """Return the bias feature as the fraction that was typed; None learns through the origin.

    >>> str(parse_bias("0.1")), parse_bias("none")
    ('1/10', None)
    """
    if text.lower() in NONE:
        return None
    try:
        # Of the text itself: Fraction(float("0.1")) is not 1/10.
        if bias := Fraction(text):
            return bias
    except (ValueError, ZeroDivisionError):
        pass
    wanted = "a number such as -1, not 0, or none, which learns through the origin"
    raise click.BadOptionUsage("--bias-feature", f"--bias-feature wants {wanted}; got {text!r}")


def locate(error: InputError, data: Labelled) -> InputError:
    """Name the file in an error of the textbook."""
    located = numeric_rows.locate(error, data)
    return located if located.where else located.replaced(where=data.name)
