"""Pictures that a command writes beside what it says: refused before any work is done."""

from __future__ import annotations

import os

import click

from hardlimit.cli import outputs


def check(path: str | None, *others: str | None) -> None:
    """Refuse a picture that could not be drawn or written, or would write over another file."""
    if path is None:
        return
    from hardlimit import pictures

    if os.path.splitext(path)[1].lower() not in pictures.FORMATS:
        *most, last = pictures.FORMATS
        raise click.UsageError(f"--plot {path}: wanted {', '.join(most)} or {last}")
    if any(other and os.path.abspath(other) == os.path.abspath(path) for other in others):
        raise click.UsageError(f"--plot {path} would overwrite that file: name another one")
    outputs.refuse_inputs(path, *others, option="--plot")
    pictures.require()
