"""A ledger that keeps writers waiting, or that cannot be asked: what the service does meanwhile."""

import asyncio
import contextlib
import http.client
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

import hardlimit as hl
from hardlimit.live import postgresql as ledgers
from hardlimit.service import work
from hardlimit.service.settings import Settings

from ..live.proxy import Proxy
from .serving import Connection, in_thread

pytest_plugins = ["tests.postgresql_server"]


def ask(port, method, path, body=None):
    client = Connection("127.0.0.1", port)
    try:
        return client.ask(method, path, body)
    finally:
        client.close()


def correct(port, number):
    """Correct, by a service that may end meanwhile, with an answer that is no JSON."""
    with contextlib.suppress(OSError, http.client.HTTPException, ValueError):
        return ask(port, "POST", "/correct", {"text": f"w{number} win", "label": "ham"})


def wait_for(condition):
    for _ in range(4000):
        if condition():
            return
        time.sleep(0.005)
    raise AssertionError("it does not come")


def test_predictions_go_on_while_corrections_wait(start, model, postgresql):
    client = start(live=hl.open_live(model, postgresql.schema()), max_requests=8)
    writing, reading = client.app.work.writers, client.app.work.waiters
    client.live.correct("win", "spam", margin=2.0)
    with in_thread(client.app, Settings()) as port, ThreadPoolExecutor(8) as threads:
        with postgresql.locked():
            waiting = [threads.submit(correct, port, n) for n in range(4)]
            wait_for(lambda: writing.taken == 4)
            waiting += [threads.submit(ask, port, "GET", "/log") for _ in range(2)]
            wait_for(lambda: reading.taken == 6)
            for one in (correct(port, 9), ask(port, "GET", "/log")):
                assert one[0] == 503 and one[1]["topic"] == "busy"
                assert "waiting for the ledger" in one[1]["detail"]
            for _ in range(3):
                assert ask(port, "POST", "/predict", {"text": "win"})[0] == 200
            assert ask(port, "GET", "/health")[0] == 200
        assert [one.result()[0] for one in waiting] == [200] * 6
        assert correct(port, 9)[0] == 200


def test_nobody_waits_long_in_the_queue(start, monkeypatch):
    client = start()
    monkeypatch.setattr(work, "PATIENCE", -1.0)
    refused = client.post("/correct", {"text": "win", "label": "ham"})
    assert refused.status == 503 and refused.json["topic"] == "busy"
    assert "kept others waiting" in refused.json["detail"]
    assert client.live.n_entries == 0 and client.app.work.writers.taken == 0


def test_a_lock_that_is_held_is_a_refusal_in_time(start, model, postgresql, monkeypatch):
    monkeypatch.setattr(ledgers, "PATIENCE", 0.05)
    client = start(live=hl.open_live(model, postgresql.schema()))
    with postgresql.locked():
        refused = client.post("/correct", {"text": "win", "label": "ham"})
        assert refused.status == 503 and refused.json["topic"] == "busy"
        assert "another writer" in refused.json["detail"]
    assert client.post("/correct", {"text": "win", "label": "ham"}).status == 200


def test_a_state_in_doubt_is_no_answer_until_the_ledger_is_read(start, model, postgresql):
    proxy = Proxy(postgresql.socket)
    client = start(live=hl.open_live(model, proxy.url(postgresql.schema())))
    try:
        proxy.cut([b"commit\0"], down=True)
        refused = client.post("/correct", {"text": "zebra win", "label": "work", "new_class": True})
        assert refused.status == 503 and refused.json["topic"] == "unknown"
        health = client.get("/health")
        assert health.status == 503 and health.json["status"] == "degraded"
        assert "not known" in health.json["troubles"]["ledger"]
        for method, path, body in (
            ("POST", "/predict", {"text": "win"}),
            ("POST", "/explain", {"text": "win"}),
            ("POST", "/correct", {"text": "win", "label": "ham"}),
            ("GET", "/model", None),
            ("GET", "/guards", None),
        ):
            assert client(method, path, body).status == 503, path
        proxy.down = False
        client.runner.run(client.app.watcher.look())
        health = client.get("/health")
        assert health.status == 200 and "ledger" not in health.json["troubles"]
        told = client.post("/predict", {"text": "zebra win"}).json
        assert told["predictions"][0]["label"] == "spam"
        assert told["fingerprint"] == client.live.fingerprint
    finally:
        proxy.close()


def test_what_waits_is_let_go_when_the_service_ends(start):
    client, go_on = start(), threading.Event()
    work = client.app.work

    async def end():
        jobs = [asyncio.ensure_future(work.write(lambda live: go_on.wait(20))) for _ in range(3)]
        await asyncio.sleep(0.01)
        closing = threading.Thread(target=work.close)
        closing.start()
        with contextlib.suppress(asyncio.CancelledError):
            await jobs[-1]  # at once, although the first one is under way
        assert jobs[-1].cancelled() and not jobs[0].done()
        go_on.set()
        await asyncio.gather(*jobs, return_exceptions=True)
        closing.join(20)

    client.runner.run(end())


SERVING = """
import sys, hardlimit as hl
from hardlimit.service import running
from hardlimit.service.settings import Settings
settings = Settings(port=0, grace_seconds=1)
running.run(hl.open_live(*sys.argv[1:]), settings, ready=lambda address: print(address, flush=True))
"""


@pytest.mark.slow
def test_a_signal_ends_it_although_corrections_wait(model, postgresql):
    words = [sys.executable, "-c", SERVING, model, postgresql.schema()]
    waits = "select 1 from pg_locks where locktype = 'advisory' and not granted"
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as service:
        try:
            port = int(service.stdout.readline().rpartition(b":")[2])
            with postgresql.locked():
                for number in range(3):
                    threading.Thread(target=correct, args=(port, number), daemon=True).start()
                wait_for(lambda: postgresql.ask(waits))
                service.send_signal(signal.SIGTERM)
                assert service.wait(15) == 0
        finally:
            service.kill()
