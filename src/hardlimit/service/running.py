"""Running a service: the socket, the signals, and an end within a bounded time."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import logging
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from types import FrameType

import uvicorn

from hardlimit.exceptions import FileError, InputError
from hardlimit.live.model import LiveModel
from hardlimit.service.app import create_app
from hardlimit.service.logs import Aside, Log
from hardlimit.service.protocol import protocol_class
from hardlimit.service.settings import Settings
from hardlimit.service.work import Work

SWITCH = 0.0005
_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class PassOn(logging.Handler):
    """Puts what uvicorn has to say into the log, as lines like all others."""

    def __init__(self, log: Log) -> None:
        super().__init__(logging.WARNING)
        self._log = log

    def emit(self, record: logging.LogRecord) -> None:
        """Write one line, with its exception if there is one."""
        message = record.getMessage().strip()
        if record.exc_info and record.exc_info[1] is not None:
            message = f"{message}: {record.exc_info[1]!r}"
        self._log.warning("server", record.msg, level=record.levelname.lower(), message=message)


class Server(uvicorn.Server):
    """uvicorn, which ends with exit code 0 where it was asked to end."""

    work: Work
    # When it was asked to end; None before.
    asked_at: float | None = None

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop, and say so to whoever asks how it is."""
        self.work.stopping = True
        self.asked_at = self.asked_at or time.monotonic()
        super().handle_exit(sig, frame)

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Take the signals; uvicorn would raise them once more at the end."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {number: signal.signal(number, self.handle_exit) for number in _SIGNALS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


def run(
    live: LiveModel,
    settings: Settings,
    log: Log | None = None,
    ready: Callable[[str], object] | None = None,
    reopen: Callable[[], LiveModel] | None = None,
) -> None:
    """Serve a live model until SIGTERM or SIGINT; then finish the requests under way.

    ready : called with the address once the service answers.
    reopen : opens the model anew, where its file changed.

    Raises
    ------
    InputError
        A host beyond this machine without keys.
    FileError
        An address that cannot be bound; keys that cannot be read.
    """
    check_host(settings)
    aside = Aside(sys.stderr)
    log = log or Log(aside, settings.log_share, settings.log_texts)
    app = create_app(live, settings, log, reopen)
    aside.dropped = app.work.figures.drop_line
    listener = bind(settings.host, settings.port)
    address = address_of(listener)
    server = Server(config_of(app, settings))
    server.work = app.work

    async def serve() -> None:
        task = asyncio.ensure_future(server.serve([listener]))
        while not server.started and not task.done():
            await asyncio.sleep(0.005)
        if server.started:
            entries = app.work.live.n_entries
            log.event("start", address=address, entries=entries, keys=bool(settings.keys))
            if ready is not None:
                ready(address)
        await task

    # A thread that corrects gives way to the one that answers after half a millisecond, not five.
    before = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH)
    passed_on = PassOn(log)
    logging.getLogger("uvicorn").addHandler(passed_on)
    try:
        with asyncio.Runner(loop_factory=server.config.get_loop_factory()) as runner:
            runner.run(serve())
    finally:
        sys.setswitchinterval(before)
        logging.getLogger("uvicorn").removeHandler(passed_on)
        _close(app.work, seconds_left(server.asked_at, settings.grace_seconds))
        log.event("stop", entries=app.work.live.n_entries)
        aside.close()


def config_of(app: object, settings: Settings) -> uvicorn.Config:
    """Return how uvicorn serves an application."""
    return uvicorn.Config(
        app,  # type: ignore[arg-type]  # uvicorn's own types are stricter than ASGI
        http=protocol_class(settings),
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_keep_alive=int(settings.idle_seconds),
        timeout_graceful_shutdown=int(settings.grace_seconds),
    )


def seconds_left(asked_at: float | None, grace: float) -> float:
    """Return the seconds to close the ledger: all of it ends within twice the grace.

    >>> seconds_left(None, 10.0)
    9.5
    """
    passed = grace if asked_at is None else time.monotonic() - asked_at
    # Starting and ending a process takes a moment too.
    return max(0.5, 2 * grace - passed - 0.5)


def _close(work: Work, seconds: float) -> None:
    """Close the ledger; a job that does not end in time is left, as a killed process leaves it."""
    late = threading.Timer(seconds, os._exit, (0,))
    late.daemon = True
    late.start()
    work.close()
    late.cancel()


def check_host(settings: Settings) -> None:
    """Refuse to answer the whole network without keys."""
    if settings.keys or is_loopback(settings.host):
        return
    raise InputError(
        "without a key everybody who reaches it could correct the model",
        who="serve",
        parameter="host",
        got=settings.host,
        fix="make a key with 'hardlimit key add MODEL NAME --scope correct', or use 127.0.0.1",
    )


def is_loopback(host: str) -> bool:
    """Tell whether only this machine reaches an address.

    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("0.0.0.0"), is_loopback("")
    (True, True, False, False)
    """
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


def bind(host: str, port: int) -> socket.socket:
    """Return a listening socket."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host.strip("[]"), port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, protocol)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind(address)
            listener.listen(1024)
        except BaseException:
            listener.close()
            raise
    except OSError as error:
        raise FileError(
            f"this address cannot be used ({error.strerror})", where=f"{host}:{port}",
            fix="choose another port",
        ) from error  # fmt: skip
    return listener


def address_of(listener: socket.socket) -> str:
    """Return the address as a browser takes it."""
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
