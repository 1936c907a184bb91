"""The row of numbers that ``hardlimit explain`` explains: typed, or of a file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from hardlimit import describing
from hardlimit.foundation import storage
from hardlimit.foundation.formatting import plural
from hardlimit.predictions.telling import names_of_columns

if TYPE_CHECKING:
    from hardlimit.cli.commands.explain.command import ExplainOptions
    from hardlimit.predictions.judges import Judge


def read_row(judge: Judge, options: ExplainOptions) -> tuple[Any, dict[str, str]]:
    """Return the row that was typed or that stands in a file, and names of the columns."""
    from hardlimit.cli import judged_rows  # late: texts do without

    columns = names_of_columns(describing.layout_of(judge.metadata))
    if options.text != "-" and not storage.is_file(options.text):
        if options.row is not None:
            raise click.UsageError(f"--row counts the rows of a file; {options.text!r} is none")
        return _typed_row(options.text, judge.n_columns), columns
    data = judged_rows.read(judge, options.text, {}, need_label=False)
    number = options.row or 1
    if number > len(data):
        raise click.UsageError(f"--row {number}: {data.name} has {plural(len(data), 'row')}")
    return data.examples.example(number - 1), columns


def _typed_row(text: str, n_columns: int) -> list[list[float]]:
    """Read numbers between commas or spaces."""
    try:
        row = [float(one) for one in text.replace(",", " ").split()]
    except ValueError:
        raise click.UsageError(
            f"{text!r} is neither a file nor a row of numbers such as '1.5, 0, 2'"
        ) from None
    if len(row) != n_columns:
        raise click.UsageError(
            f"{plural(len(row), 'number')}; the model wants {n_columns}, one for each column"
        )
    return [row]
