"""The picture of a command, ``--plot FILE``: refused before any work is done."""

from __future__ import annotations

import os

import click

import hardlimit  # whose pictures are imported where they are asked for
from hardlimit.cli import outputs


def check(path: str | None, output: str | None, *sources: str) -> None:
    """Refuse a picture that could not be drawn or written, or would write over another file."""
    if path is None:
        return
    if os.path.splitext(path)[1].lower() not in hardlimit.pictures.FORMATS:
        *most, last = hardlimit.pictures.FORMATS
        raise click.UsageError(f"--plot {path}: wanted {', '.join(most)} or {last}")
    # By name too, since -o may not be there yet: both would be written to one file.
    if any(one and os.path.abspath(one) == os.path.abspath(path) for one in (output, *sources)):
        raise click.UsageError(f"--plot {path} would overwrite that file: name another one")
    outputs.refuse_inputs(path, output, *sources, option="--plot")
    outputs.check_writable(path)
    # Says which package is missing before a long computation is done for nothing.
    hardlimit.pictures.require()
