"""The options that say what the columns of a table are."""

from __future__ import annotations

import click

from hardlimit.cli.options import F, Options, option


class TableOptions(Options):
    """What was said of the columns; nothing where the values are to tell."""

    number_columns: tuple[str, ...] = ()
    category_columns: tuple[str, ...] = ()
    missing: str | None = None
    missing_values: tuple[str, ...] = ()
    hash_categories: int | None = None
    column_weights: str | None = None


def parse_weights(text: str | None) -> tuple[float, ...] | None:
    """Read weights such as 1:1:4.

    >>> parse_weights("1:1:4")
    (1.0, 1.0, 4.0)
    """
    if text is None:
        return None
    try:
        return tuple(float(part) for part in text.split(":"))
    except ValueError:
        raise click.BadOptionUsage(
            "--column-weights", f"--column-weights wants N:C:T, such as 1:1:4; got {text!r}"
        ) from None


NAMES = tuple(TableOptions.__annotations__)


def table_options(function: F) -> F:
    """Add the options of :class:`TableOptions`."""
    return column_options(_WEIGHTS(function))


def column_options(function: F) -> F:
    """Add the options of the columns, without the weights, which a search tries."""
    for add in reversed(_OPTIONS):
        function = add(function)
    return function


_WEIGHTS = option(
    "--column-weights N:C:T",
    "How much a number, a category and a text weigh in a row; default 1:1:4.",
)
_OPTIONS = [
    option(
        "--number COLUMN",
        "Column of numbers of a mixed table; may be given again. Columns that are not named "
        "are told by their values.",
        name="number_columns",
        multiple=True,
    ),
    option(
        "--category COLUMN",
        "Column of categories of a mixed table; may be given again.",
        name="category_columns",
        multiple=True,
    ),
    click.option(
        "--missing",
        type=click.Choice(["refuse", "mean"]),
        help="Of a mixed table, missing values: refuse (default), or mean: numbers the mean of the "
        "training rows, categories a value of their own, texts nothing.",
    ),
    option(
        "--missing-value TEXT",
        "What stands for a missing value, beside nothing; default: ? NA N/A NaN null.",
        name="missing_values",
        multiple=True,
    ),
    option(
        "--hash-categories BITS",
        "Hash the categories of each column to 2**BITS columns, where there are too many.",
        type=click.IntRange(1, 24),
    ),
]
