"""Errors of the library on the command line."""

from __future__ import annotations

import click

from hardlimit.cli.face import CommandFace
from hardlimit.exceptions import Explained

FACE = CommandFace()


def sentence(error: Explained, face: CommandFace = FACE) -> str:
    """Return what an error or a warning says, in the words of the command line."""
    return face.sentence(error)


def usage_error(
    error: Explained, before: str = "", after: str = "", face: CommandFace = FACE
) -> click.UsageError:
    """Return the error of a command line that the library refuses."""
    return click.UsageError(before + sentence(error, face) + after)
