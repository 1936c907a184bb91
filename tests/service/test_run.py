"""A whole run in a thread: what it listens to, what it logs, and how it ends."""

import contextlib
import io
import json
import logging
import os
import socket
import sys
import threading

import pytest

import hardlimit as hl
from hardlimit.exceptions import FileError, InputError
from hardlimit.service import running
from hardlimit.service.keys import KeyFile
from hardlimit.service.logs import Log
from hardlimit.service.settings import Settings

from ..rounding import near
from .serving import Connection


@contextlib.contextmanager
def running_service(monkeypatch, live, settings, log=None):
    """Run a service; yields its port, and ends it as a signal does."""
    servers, addresses, listening = [], [], threading.Event()

    class Seen(running.Server):
        def __init__(self, config):
            super().__init__(config)
            servers.append(self)

    monkeypatch.setattr(running, "Server", Seen)

    def ready(address):
        addresses.append(address)
        listening.set()

    thread = threading.Thread(target=running.run, args=(live, settings, log, ready))
    thread.start()
    try:
        assert listening.wait(20)
        yield int(addresses[0].rpartition(":")[2])
    finally:
        servers[0].handle_exit(15, None)
        thread.join(20)
        assert not thread.is_alive()


def test_a_run_keeps_its_settings_and_leaves_nothing_behind(model, tmp_path, monkeypatch):
    keys = KeyFile(str(tmp_path / "its.keys"))
    token = keys.add("alice", "correct")
    stream, live = io.StringIO(), hl.open_live(model, str(tmp_path / "its.ledger"))
    before, handlers = sys.getswitchinterval(), list(logging.getLogger("uvicorn").handlers)
    settings = Settings(port=0, keys=keys.path, max_body=200)
    with running_service(monkeypatch, live, settings, Log(stream)) as port:
        client = Connection("127.0.0.1", port)
        assert client.ask("GET", "/model")[0] == 401 and client.ask("GET", "/health")[0] == 200
        shown = {"Authorization": f"Bearer {token}"}
        body = {"text": "win a prize", "label": "ham"}
        assert client.ask("POST", "/correct", body, **shown)[0] == 200
        assert client.ask("POST", "/correct", body | {"text": "x" * 300}, **shown)[0] == 413
        logging.getLogger("uvicorn").warning("something is %s", "odd")
        assert sys.getswitchinterval() == near(0.0005, 3)  # kept as 500 microseconds
        client.close()
    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    # A request is logged after its answer was sent: a line may come before it.
    events = [one["event"] for one in lines]
    assert (events[0], events[-1]) == ("start", "stop")
    assert sorted(events[1:-1]) == [*["request"] * 4, "server"]
    assert (lines[0]["address"], lines[0]["entries"]) == (f"http://127.0.0.1:{port}", 0)
    assert lines[0]["keys"] is True and lines[-1]["entries"] == 1
    (odd,) = [one for one in lines if one["event"] == "server"]
    assert (odd["level"], odd["message"]) == ("warning", "something is odd")
    assert sys.getswitchinterval() == before
    assert logging.getLogger("uvicorn").handlers == handlers
    with hl.open_live(model, str(tmp_path / "its.ledger")) as again:
        assert [entry.author for entry in again.log()] == ["alice"]
    with pytest.raises(OSError):
        socket.create_connection(("127.0.0.1", port), timeout=1)


def test_a_job_that_does_not_end_is_left_after_the_time_of_grace(model, monkeypatch):
    live, left = hl.open_live(model, None), threading.Event()
    monkeypatch.setattr(os, "_exit", lambda code: left.set() if code == 0 else None)
    monkeypatch.setattr(live, "close", lambda: left.wait(20))
    settings = Settings(port=0, grace_seconds=0.01)
    with running_service(monkeypatch, live, settings, Log(io.StringIO())):
        assert not left.is_set()
    assert left.is_set()


@pytest.mark.parametrize(
    ("host", "alone"),
    [("127.0.0.1", True), ("127.8.8.8", True), ("::1", True), ("[::1]", True),
     ("localhost", True), ("0.0.0.0", False), ("::", False), ("192.168.0.7", False),
     ("", False), ("example.org", False)],
)  # fmt: skip
def test_a_host_of_this_machine_needs_no_key(host, alone):
    assert running.is_loopback(host) == alone
    running.check_host(Settings(host=host, keys="its.keys"))
    if alone:
        running.check_host(Settings(host=host))
    else:
        with pytest.raises(InputError) as refused:
            running.check_host(Settings(host=host))
        assert refused.value.parameter == "host"


def test_addresses_are_written_as_a_browser_takes_them():
    class Listener:
        def __init__(self, *name):
            self.getsockname = lambda: name

    assert running.address_of(Listener("127.0.0.1", 80)) == "http://127.0.0.1:80"
    assert running.address_of(Listener("::1", 8080, 0, 0)) == "http://[::1]:8080"
    with running.bind("127.0.0.1", 0) as listener:
        host, port = listener.getsockname()
        assert host == "127.0.0.1" and port > 0
        assert listener.getsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR)
        socket.create_connection((host, port), timeout=5).close()
    with pytest.raises(FileError) as refused:
        running.bind("256.256.256.256", 80)
    assert refused.value.where == "256.256.256.256:80"


def test_uvicorn_gets_the_times_and_writes_no_log_of_its_own():
    settings = Settings(idle_seconds=7, grace_seconds=3)
    config = running.config_of(None, settings)
    assert (config.timeout_keep_alive, config.timeout_graceful_shutdown) == (7, 3)
    assert (config.lifespan, config.ws, config.access_log) == ("on", "none", False)
    assert not config.proxy_headers and not config.server_header and config.log_config is None
