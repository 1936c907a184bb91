"""The option ``--start``: weights at the start, as they are typed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from fractions import Fraction

HELP = (
    "Weights at the start, a number for each column and last that of the bias, such as 1,-1/2,0; "
    "default 0. For rules that add."
)


def parse_start(text: str | None) -> list[list[Fraction]]:
    """Return the rows of weights; rows of several classes are parted by ``;``.

    >>> [str(weight) for weight in parse_start("1,-1/2,0.1")[0]]
    ['1', '-1/2', '1/10']
    >>> len(parse_start("1,2;3,4;5,6")), parse_start(None)
    (3, [])
    """
    if text is None:
        return []
    from fractions import Fraction  # start-up: --help and most runs need none

    try:
        return [[Fraction(part) for part in row.split(",")] for row in text.split(";")]
    except (ValueError, ZeroDivisionError):
        wanted = "numbers with commas between them, such as 1,-1/2,0"
        raise click.BadOptionUsage("--start", f"--start wants {wanted}; got {text!r}") from None
