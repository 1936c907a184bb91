"""The picture of ``hardlimit trace --plot``: refused before any work is done."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

import hardlimit  # whose pictures are imported where they are asked for
from hardlimit.cli import outputs
from hardlimit.exceptions import InputError

if TYPE_CHECKING:
    from hardlimit.textbook import Trace


def check(path: str | None, *others: str | None) -> None:
    """Refuse a picture that could not be drawn or written, or would write over another file."""
    if path is None:
        return
    if os.path.splitext(path)[1].lower() not in hardlimit.pictures.FORMATS:
        *most, last = hardlimit.pictures.FORMATS
        raise click.UsageError(f"--plot {path}: wanted {', '.join(most)} or {last}")
    # By name too, since -o may not be there yet: both would be written to one file.
    if any(other and os.path.abspath(other) == os.path.abspath(path) for other in others):
        raise click.UsageError(f"--plot {path} would overwrite that file: name another one")
    outputs.refuse_inputs(path, *others, option="--plot")
    # Says which package is missing before a long trace is computed for nothing.
    hardlimit.pictures.require()


def draw(trace: Trace, path: str, name: str, picture: str = "steps") -> None:
    """Draw a picture of a trace of the file ``name``."""
    weights = len(trace.outcome.w)
    if picture == "criterion-surfaces" and weights != 2:
        raise click.UsageError(
            f"--picture {picture} draws two weights, and the trace has {weights}: trace two "
            "columns with --bias none, or one column"
        )
    try:
        make = hardlimit.pictures.PICTURES.find(picture.replace("-", "_"))
        make(trace).save(path)
    except InputError as error:
        raise error.replaced(where=f"{name}: --plot") from None
