"""The work of ``hardlimit serve``."""

from __future__ import annotations

import contextlib
import os
import sys
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
        log_share=_read_share(options),
        log_texts=options.log_texts,
    )

    serve(_open(options), settings, ready=_say, reopen=lambda: _open(options))


# What --log may be, by the share of the successful requests that are logged.
_SHARES = {"all": 1.0, "errors": 0.0, "off": None}


def _read_share(options: ServeOptions) -> float | None:
    typed = options.log
    if typed == "off" and options.log_texts:
        raise click.UsageError(
            "--log-texts: wanted requests that are logged, and --log off has none"
        )
    if typed in _SHARES:
        return _SHARES[typed]
    with contextlib.suppress(ValueError):
        if 0 < float(typed) <= 1:
            return float(typed)
    wanted = "wanted all, errors, off or a number above 0, at most 1, as 0.01"
    raise click.UsageError(f"--log {typed!r}: {wanted}")


def _say(address: str) -> None:
    """Say where; on standard output, since the log is on the other one."""
    terminal.say(f"answers at {address}")
    sys.stdout.flush()


def _open(options: ServeOptions) -> LiveModel:
    """Open the model with its ledger."""
    from hardlimit.live import open_live  # late: the extra is looked for first

    return open_live(
        options.model,
        options.ledger or "",
        private=options.private,
        read_only=options.read_only,
        recent=options.recent,
        remember=options.remember,
        abstain=options.abstain,
        threshold=options.threshold,
        influence=options.influence,
        rate=live_models.read_rate(options.correction_rate),
    )
