"""The work of ``hardlimit serve``."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from hardlimit.cli import live_models, models, terminal
from hardlimit.exceptions import MissingExtraError

if TYPE_CHECKING:
    from hardlimit.cli.commands.serve.command import ServeOptions
    from hardlimit.live.model import LiveModel


def run(options: ServeOptions) -> None:
    """Serve a model until a signal ends it."""
    models.require(options.model)
    try:
        from hardlimit.service import Settings
        from hardlimit.service import run as serve
    except ModuleNotFoundError as error:
        raise MissingExtraError(
            f"serving needs {error.name}", fix="pip install 'hardlimit[serve]'"
        ) from error
    if options.rate is not None and not options.rate > 0:
        raise click.UsageError(f"--rate {options.rate:g}: wanted a number > 0")
    beside = options.model + ".keys"
    settings = Settings(
        host=options.host,
        port=options.port,
        keys=options.keys or (beside if os.path.lexists(beside) else ""),
        hosts=options.host_names,
        rate=options.rate,
        max_body=options.max_body,
        max_requests=options.max_requests,
        log_texts=options.log_texts,
    )

    def open_it() -> LiveModel:
        private, read_only = options.private, options.read_only
        return live_models.open_live(options, private=private, read_only=read_only)

    ready = lambda address: terminal.remark(f"answers at {address}")  # noqa: E731
    serve(open_it(), settings, ready=ready, reopen=open_it)
