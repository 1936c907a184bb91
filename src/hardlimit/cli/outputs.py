"""What must not be written over: the files that are being read."""

from __future__ import annotations

import os

import click


def refuse_inputs(output: str | None, *inputs: str | None, option: str = "-o") -> None:
    """Refuse an output that is one of the inputs, under whatever name."""
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
