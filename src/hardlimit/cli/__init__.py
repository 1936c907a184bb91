"""The command line: thin shells that parse, call and print.

A command is a module of `hardlimit.cli.commands` that defines ``command``, a `click.Command`; it
imports nothing but click and its neighbours before it runs, so that ``--help`` is quick. Results go
to standard output, everything else (notes, progress, errors) to standard error. Exit codes: 0 done,
1 the data, a file or standard output are at fault, 2 the command line is, 130 interrupted, 128 + n
ended by the signal n.
"""

from __future__ import annotations

import gc
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code; never raises.

    Parameters
    ----------
    arguments
        Words after the program's name; default ``sys.argv[1:]``.
    """
    # Imports make many objects that stay; looking through them again and again costs a twentieth of
    # a short command.
    thresholds = gc.get_threshold()
    gc.set_threshold(100_000, 50, 50)
    try:
        try:
            from hardlimit.cli import app
        except KeyboardInterrupt:  # while click is being imported
            return 130
        # Outside the try: the program answers its own interruptions, with a message.
        return app.run(arguments)
    finally:
        gc.set_threshold(*thresholds)
