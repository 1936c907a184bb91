"""The input files of a command: several, and patterns such as ``'dump/*.csv'``."""

from __future__ import annotations

import glob
import os
from collections.abc import Sequence

import click


def expand(words: Sequence[str]) -> tuple[str, ...]:
    """Return the files that words name; a pattern that no shell has replaced gives its matches.

    >>> expand(["-"])
    ('-',)
    """
    paths: list[str] = []
    for word in words:
        # lexists: a file may have such signs in its name
        if not glob.has_magic(word) or os.path.lexists(word):
            paths.append(word)
            continue
        found = sorted(glob.glob(word, recursive=True))
        if not found:
            raise click.UsageError(f"no file matches {word!r}")
        paths += found
    _refuse_twins(paths)
    return tuple(paths)


def _refuse_twins(paths: list[str]) -> None:
    """Refuse what would be read twice, or mixed with standard input."""
    seen = set()
    for path in paths:
        if path in seen:
            raise click.UsageError(f"{path} is named twice; its rows would count twice")
        seen.add(path)
    if len(paths) > 1 and "-" in seen:
        raise click.UsageError("'-' (standard input) does not go with other files")
