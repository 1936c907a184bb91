"""The picture of ``hardlimit trace --plot``: refused before any work is done."""

from __future__ import annotations

import os

import click

import hardlimit  # whose pictures are imported where they are asked for
from hardlimit.cli import outputs


def check(path: str | None, *others: str | None) -> None:
    """Refuse a picture that could not be drawn or written, or would write over another file."""
    if path is None:
        return
    if os.path.splitext(path)[1].lower() not in hardlimit.pictures.FORMATS:
        *most, last = hardlimit.pictures.FORMATS
        raise click.UsageError(f"--plot {path}: wanted {', '.join(most)} or {last}")
    if any(other and os.path.abspath(other) == os.path.abspath(path) for other in others):
        raise click.UsageError(f"--plot {path} would overwrite that file: name another one")
    outputs.refuse_inputs(path, *others, option="--plot")
    hardlimit.pictures.require()
