"""The input files of a command: several, and patterns such as ``'dump/*.csv'``."""

from __future__ import annotations

from collections.abc import Sequence

import click

from hardlimit.exceptions import mask
from hardlimit.foundation.storage import patterns
from hardlimit.foundation.storage.retrying import MissingObjectError


def expand(words: Sequence[str]) -> tuple[str, ...]:
    """Return the files that words name; a pattern that no shell has replaced gives its matches.

    >>> expand(["-"])
    ('-',)
    """
    paths: list[str] = []
    for word in words:
        try:
            paths += patterns.expand(word)
        except MissingObjectError:
            raise click.UsageError(f"no file matches {mask(word)!r}") from None
    _refuse_twins(paths)
    return tuple(paths)


def _refuse_twins(paths: list[str]) -> None:
    """Refuse what would be read twice, or mixed with standard input."""
    seen = set()
    for path in paths:
        if path in seen:
            raise click.UsageError(f"{mask(path)} is named twice; its rows would count twice")
        seen.add(path)
    if len(paths) > 1 and "-" in seen:
        raise click.UsageError("'-' (standard input) does not go with other files")
