"""``hardlimit serve``: a live model over HTTP."""

from __future__ import annotations

import click

from hardlimit.cli.command import command_of
from hardlimit.cli.live_models import LiveOptions
from hardlimit.cli.options import (
    correction_rate,
    influence,
    ledger_option,
    private_option,
    threshold_option,
)


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


command = command_of(
    "serve",
    ServeOptions,
    first="host port keys read_only abstain threshold private log",
)
