"""The files that a command writes: never those that it reads; what an interruption left of them."""

from __future__ import annotations

import os
from collections.abc import Sequence

import click

from hardlimit.exceptions import FileError, mask
from hardlimit.foundation import storage
from hardlimit.foundation.atomic_file import check_folder

Seen = dict[str, tuple[int, ...] | None]  # by path: what tells one state from the next, if any


def look(paths: Sequence[str | None]) -> Seen:
    """Look at the files that are to be written, before the work."""
    return {path: _state(path) for path in paths if path not in (None, "-")}


def _state(path: str) -> tuple[int, ...] | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns, found.st_size


def describe_interruption(before: Seen) -> str:
    """Say what was written when the user interrupted, and what was not."""
    if not before:
        return "interrupted; the output is not complete"
    said = []
    for path, state in before.items():
        if _state(path) != state:
            said.append(f"{path} was written")
        else:
            said.append(f"{path} was not written" + (": it is what it was" if state else ""))
    return f"interrupted; {', '.join(said)}"


def refuse_inputs(output: str | None, *inputs: str | None, option: str = "-o") -> None:
    """Refuse an output that is one of the inputs, under whatever name."""
    if output is not None and storage.is_remote(output) and output in inputs:
        raise click.UsageError(
            f"{option} {mask(output)} would overwrite what is read: name another"
        )
    # A file that is not there yet cannot be an input; "-" is standard output.
    if output in (None, "-") or not os.path.exists(str(output)):
        return
    for path in inputs:
        if path in (None, "-") or not os.path.exists(str(path)):
            continue
        # samefile sees through links and case: writing would destroy what is still being read.
        if os.path.samefile(str(output), str(path)):
            raise click.UsageError(
                f"{option} {output} would overwrite {path}, which is read: name another file"
            )


def check_writable(path: str) -> None:
    """See before the work, not after it, that the model can be written."""
    if path == "-":  # it is read at random places, as no pipe can be
        raise click.UsageError("a model is not written to standard output: name a file")
    # Through links: the file is replaced where it really lies.
    if storage.is_remote(path):
        check_folder(path)
        return
    path = storage.local_path(path)
    folder = os.path.dirname(os.path.realpath(path))
    if os.path.isdir(path):
        raise FileError("cannot be written: it is a folder", where=path)
    if not os.path.isdir(folder):
        raise FileError(f"cannot be written: there is no folder {folder}", where=path)
    if not os.access(folder, os.W_OK):
        raise FileError(f"cannot be written: the folder {folder} allows no new files", where=path)
