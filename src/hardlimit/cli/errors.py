"""Errors of the library on the command line.

The face is imported when there is an error to show: it is long, and most calls have none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from hardlimit.cli.face import CommandFace
    from hardlimit.exceptions import Explained, Text


def sentence(error: Explained, face: CommandFace | None = None) -> str:
    """Return what an error or a warning says, in the words of the command line."""
    return (face or face_of()).sentence(error)


def spell(text: Text) -> str:
    """Return a part of an error in the words of the command line."""
    return face_of().text(text)


def face_of(command: str = "") -> CommandFace:
    """Return the face of a command, or of any."""
    # Late: 2 ms that a call without an error need not pay.
    from hardlimit.cli.face import CommandFace

    return CommandFace(command)


def usage_error(
    error: Explained, before: str = "", after: str = "", face: CommandFace | None = None
) -> click.UsageError:
    """Return the error of a command line that the library refuses."""
    return click.UsageError(before + sentence(error, face) + after)
