"""The option ``--start``: weights at the start, typed for numbers, in a file for texts."""

from __future__ import annotations

import csv
import re
from typing import TYPE_CHECKING, Any

import click

from hardlimit.exceptions import DataFormatError
from hardlimit.foundation import storage
from hardlimit.readers.opening import read_whole

if TYPE_CHECKING:
    from fractions import Fraction

HELP = (
    "Weights at the start, a number for each column and last that of the bias, such as 1,-1/2,0; "
    "default 0. For rules that add."
)
TEXTS = (
    "Of texts: a FILE of terms and weights, as 'hardlimit make' reads it, above 0 for the second "
    "class; or an earlier MODEL."
)
# More digits than a float has, by far.
_LONG_EXPONENT = re.compile(r"[eE][+-]?[\d_]{4}")


def parse_start(text: str | None) -> list[list[Fraction]]:
    """Return the rows of weights; rows of several classes are parted by ``;``.

    >>> [str(weight) for weight in parse_start("1,-1/2,0.1")[0]]
    ['1', '-1/2', '1/10']
    >>> len(parse_start("1,2;3,4;5,6")), parse_start(None)
    (3, [])
    """
    return [] if text is None else [parse_weights(row, "--start") for row in text.split(";")]


def parse_weights(text: str, option: str) -> list[Fraction]:
    """Return weights with commas between them, as the fractions that were typed."""
    from fractions import Fraction  # start-up: --help and most runs need none

    try:
        # Before they are computed: 1e999999999 has a billion digits.
        if any(_LONG_EXPONENT.search(part) for part in text.split(",")):
            raise ValueError
        return [Fraction(part) for part in text.split(",")]
    except (ValueError, ZeroDivisionError):
        wanted = "numbers with commas between them, such as 1,-1/2,0"
        raise click.BadOptionUsage(option, f"{option} wants {wanted}; got {text!r}") from None


def read_terms(path: str) -> Any:
    """Return what a fit of texts begins at: weights of terms, or an earlier model.

    Raises
    ------
    FileError, DataFormatError, ModelFileError, InputError
        No such file, one that holds neither, a model of numbers.
    """
    if not storage.exists(path):
        wanted = "a FILE of terms and weights, or a model, since these are texts"
        raise click.BadOptionUsage("--start", f"--start wants {wanted}; there is no file {path!r}")
    if not _is_model(path):
        return read_weights(path)
    from hardlimit.cli import models  # start-up: few trainings begin at a model

    return models.load(path)


def _is_model(path: str) -> bool:
    """Tell a model file by its first bytes: the size of the header, then the header itself."""
    if not storage.is_file(path):
        return False
    with storage.open_seekable(path) as file:
        head = file.read(9)
    return head[8:] == b"{" and b"\0" in head


def read_weights(path: str) -> dict[str, float]:
    """Return the weights of a file of two columns; a first line without a number is a header.

    Raises
    ------
    DataFormatError
        A line without a number, a second weight of a term; with file and line.
    """
    text = read_whole(path).decode("utf-8-sig", "replace")
    delimiter = "\t" if path.lower().endswith((".tsv", ".tab")) else ","
    weights: dict[str, float] = {}
    for number, row in enumerate(csv.reader(text.splitlines(), delimiter=delimiter), 1):
        if not row:
            continue
        try:
            term, weight = row[0].strip(), float(row[1])
        except (IndexError, ValueError):
            if number == 1:
                continue
            wanted = "a term and a number in each line"
            raise DataFormatError(where=f"{path}:{number}", wanted=wanted) from None
        if term in weights:
            raise DataFormatError(f"a second weight of {term!r}", where=f"{path}:{number}")
        weights[term] = weight
    return weights
