"""The options that say what the columns of a table are."""

from __future__ import annotations

import click

from hardlimit.cli.options import F, Options


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
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


_WEIGHTS = click.option(
    "--column-weights",
    metavar="N:C:T",
    help="How much a number, a category and a text weigh in a row; default 1:1:4.",
)
_OPTIONS = [
    click.option(
        "--number",
        "number_columns",
        multiple=True,
        metavar="COLUMN",
        help="Column of numbers of a mixed table; may be given again. Columns that are not named "
        "are told by their values.",
    ),
    click.option(
        "--category",
        "category_columns",
        multiple=True,
        metavar="COLUMN",
        help="Column of categories of a mixed table; may be given again.",
    ),
    click.option(
        "--missing",
        type=click.Choice(["refuse", "mean"]),
        help="Of a mixed table, missing values: refuse (default), or mean: numbers the mean of the "
        "training rows, categories a value of their own, texts nothing.",
    ),
    click.option(
        "--missing-value",
        "missing_values",
        multiple=True,
        metavar="TEXT",
        help="What stands for a missing value, beside nothing; default: ? NA N/A NaN null.",
    ),
    click.option(
        "--hash-categories",
        type=click.IntRange(1, 24),
        metavar="BITS",
        help="Hash the categories of each column to 2**BITS columns, where there are too many.",
    ),
]
