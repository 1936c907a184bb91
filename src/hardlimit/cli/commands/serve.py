"""``hardlimit serve``: a live model over HTTP."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import TYPE_CHECKING

import click

from hardlimit.cli import live_models, models, terminal
from hardlimit.cli.command import command_of
from hardlimit.cli.live_models import LiveOptions
from hardlimit.cli.options import (
    correction_rate,
    influence,
    ledger_option,
    private_option,
    threshold_option,
)
from hardlimit.exceptions import MissingExtraError

if TYPE_CHECKING:
    from hardlimit.live.model import LiveModel


@click.argument("model")
@click.option("--host", default="127.0.0.1", show_default=True, metavar="ADDRESS", help="To bind.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8080,
    show_default=True,
    metavar="N",
    help="To bind; 0 takes a free one.",
)
@click.option(
    "--keys",
    metavar="FILE",
    help="Keys, from 'hardlimit key'; default: MODEL.keys if it is there.",
)
@click.option(
    "--host-name",
    "host_names",
    multiple=True,
    metavar="NAME",
    help="A name by which clients may call it. May be given several times.",
)
@click.option("--read-only", is_flag=True, help="Refuse corrections.")
@private_option
@click.option(
    "--rate", type=float, metavar="N", help="Requests a second of one key; default: any number."
)
@click.option(
    "--max-body",
    type=click.IntRange(1024, 1 << 30),
    default=4 << 20,
    show_default=True,
    metavar="BYTES",
    help="The largest body of a request.",
)
@click.option(
    "--max-requests",
    type=click.IntRange(1, 10_000),
    default=64,
    show_default=True,
    metavar="N",
    help="Requests at once; one more is refused.",
)
@click.option(
    "--abstain",
    type=click.FloatRange(0, 1),
    metavar="P",
    help="Mark answers of a lower probability as abstained, and texts without a known term.",
)
@threshold_option
@click.option(
    "--recent",
    type=click.IntRange(0, 1_000_000),
    default=200,
    show_default=True,
    metavar="N",
    help="The latest texts that the inbox keeps, in memory.",
)
@click.option(
    "--remember",
    type=click.IntRange(0, 1_000_000),
    default=500,
    show_default=True,
    metavar="N",
    help="Texts in the sample whose changes of side corrections tell.",
)
@correction_rate
@influence
@click.option(
    "--log",
    metavar="WHICH",
    default="all",
    show_default=True,
    help="Requests that are logged: all, errors, off, or all errors and a share of the others, "
    "such as 0.01.",
)
@click.option("--log-texts", is_flag=True, help="Log the bodies of requests too.")
@ledger_option
class ServeOptions(LiveOptions):
    """Serve MODEL over HTTP: predict, explain, correct, undo.

    Answers to this machine alone, unless there are keys (hardlimit key --help). The page to correct
    by is at /, the description of all routes at /docs. The log goes to standard error, a line of
    JSON a request, without texts; --log errors leaves out the requests that succeed. SIGTERM ends
    it: requests under way are finished first.

    \b
      hardlimit serve spam.hardlimit --port 8080
      curl localhost:8080/predict --json '{"text": "win a prize"}'
    """

    host: str
    port: int
    keys: str | None
    host_names: tuple[str, ...]
    read_only: bool
    private: bool
    rate: float | None
    max_body: int
    max_requests: int
    abstain: float | None
    threshold: float | None
    recent: int
    remember: int
    correction_rate: str | None
    influence: float | None
    log: str
    log_texts: bool


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


command = command_of(
    "serve",
    ServeOptions,
    run,
    first="host port keys read_only abstain threshold private log",
)
