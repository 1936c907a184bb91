"""Troubles of files while a service runs, names of refusals, and what every answer has."""

import asyncio
import re
import threading
from pathlib import Path

import pytest

import hardlimit.service
from hardlimit.exceptions import FileError, InputError
from hardlimit.service.keys import KeyFile
from hardlimit.service.problems import TITLES, Problem
from hardlimit.service.routes.answers import SLICE, slices

from .client import Client

SOURCES = Path(hardlimit.service.__file__).parent


def look(client):
    client.runner.run(client.app.watcher.look())


def figures(client):
    return client.get("/metrics").body.decode()


def test_a_ledger_that_cannot_be_read_is_told_until_it_can(client, monkeypatch):
    def broken(live):
        raise FileError("the disk is gone", where="/secret/place")

    with monkeypatch.context() as patched:
        patched.setattr(type(client.live), "refresh", broken)
        for _ in range(3):
            look(client)
        health = client.get("/health")
        assert (health.status, health.json["status"]) == (200, "degraded")
        assert [*health.json["troubles"]] == ["ledger"] and b"secret" not in health.body
    assert [line["event"] for line in client.log()].count("error") == 1
    look(client)
    assert client.get("/health").json["status"] == "ok"


def test_health_says_that_the_service_is_stopping(client):
    client.app.work.stopping = True
    told = client.get("/health")
    assert (told.status, told.json["status"]) == (503, "stopping")


def test_a_reload_is_logged_and_counted(start, model, tmp_path):
    import hardlimit as hl

    reopen = lambda: hl.open_live(model, None)  # noqa: E731
    client = start(live=reopen(), reopen=reopen)
    assert client.post("/reload", {}).json["changed"] is False
    (line,) = [one for one in client.log() if one["event"] == "reload"]
    assert line["changed"] is False and line["fingerprint"] == client.live.fingerprint
    assert 'hardlimit_reloads_total{outcome="unchanged"} 1.0' in figures(client)
    assert 'hardlimit_reloads_total{outcome="changed"} 0.0' in figures(client)


def test_every_topic_that_is_raised_has_a_title():
    sources = [path.read_text("utf-8") for path in SOURCES.rglob("*.py")]
    raised = {
        topic
        for source in sources
        for topic in re.findall(r'Problem\(\s*\d{3},\s*"([a-z-]+)"', source)
    }
    assert len(raised) > 10 and raised <= set(TITLES)
    assert str(Problem(404, "no-such-text", "there is none")) == "there is none"


def test_a_title_is_the_same_for_all_refusals_of_a_topic(client):
    for got in (client.get("/texts/7"), client.get("/none"), client.post("/undo", {"id": 3})):
        assert got.json["title"] == TITLES[got.json["topic"]] != got.json["detail"]
    nested = client.post("/undo", b"[" * 100_000).json
    assert (nested["topic"], nested["detail"]) == ("not-json", "the body is not JSON")


def test_headers_come_once(client):
    sent = []

    async def spy(scope, receive, send):
        async def note(message):
            if message["type"] == "http.response.start":
                sent.append([name for name, _ in message["headers"]])
            await send(message)

        await client.app(scope, receive, note)

    asking = Client(spy)
    for path in ("/model", "/health", "/docs", "/", "/metrics", "/none", "/openapi.json"):
        got = asking.get(path)
        assert got.headers["content-length"] == str(len(got.body))
        for name, value in (
            ("x-content-type-options", "nosniff"), ("x-frame-options", "DENY"),
            ("referrer-policy", "no-referrer"), ("cross-origin-resource-policy", "same-origin"),
            ("cross-origin-opener-policy", "same-origin"),
        ):  # fmt: skip
            assert got.headers[name] == value
        stored = "no-cache" if path == "/" else "no-store"
        assert got.headers["cache-control"] == stored
    asking.close()
    assert len(sent) == 7 and all(len(names) == len(set(names)) for names in sent)


def test_lines_that_are_dropped_are_counted(client):
    client.app.work.figures.drop_line()
    assert "hardlimit_log_lines_dropped_total 1.0" in figures(client)


def test_an_error_of_ours_is_logged_with_its_way(client, monkeypatch):
    monkeypatch.setattr(client.live, "why", lambda *_: 1 / 0)
    client.post("/explain", {"text": "a"})
    error, request = client.log()
    assert (error["event"], error["error"]) == ("error", "ZeroDivisionError")
    assert "division by zero" in error["traceback"] and "\n  File " in error["traceback"]
    assert (request["status"], request["topic"]) == (500, "failed")


def test_a_request_too_many_in_a_second_has_its_topic(start):
    client = start(rate=1)
    assert client.get("/model").status == 200
    refused = client.get("/model")
    assert (refused.status, refused.json["topic"]) == (429, "rate")
    assert refused.json["title"] == TITLES["rate"]


def test_one_writes_at_a_time_and_some_read_side_by_side(client):
    work, under_way, most, order = client.app.work, [], {}, []
    together = threading.Barrier(4)

    def job(name, number):
        def count(live):
            assert live is client.live
            under_way.append(name)
            most[name] = max(most.get(name, 0), under_way.count(name))
            if name == "read":
                together.wait(20)  # four at once, or never
            order.append((name, number))
            under_way.remove(name)
            return number

        return count

    async def ask():
        writes = [work.write(job("write", number)) for number in range(6)]
        reads = [work.read(job("read", number)) for number in range(8)]
        return await asyncio.gather(*writes, *reads)

    assert client.runner.run(ask()) == [*range(6), *range(8)]
    assert most["write"] == 1 and most["read"] == 4
    assert [number for name, number in order if name == "write"] == [*range(6)]


def test_texts_come_in_slices_of_so_many_characters():
    full = "x" * SLICE
    assert [*slices([full, "y", full])] == [[full], ["y", full]]
    assert [*slices(["a", "b"])] == [["a", "b"]] and [*slices([])] == []
    assert [*slices(["x" * (SLICE - 1), "y", "z"])] == [["x" * (SLICE - 1), "y"], ["z"]]
    # A column of a row counts a hundred characters more than its text.
    row = {"a": "x" * (SLICE // 2 - 100), "b": "x" * (SLICE // 2 - 100)}
    assert [*slices([row, row])] == [[row], [row]]
    less = row | {"b": "x" * (SLICE // 2 - 101)}
    assert [*slices([less, less, {"a": 3}])] == [[less, less], [{"a": 3}]]


def test_a_scope_that_is_none_is_refused_with_all_that_are(tmp_path):
    with pytest.raises(InputError) as refused:
        KeyFile(str(tmp_path / "keys")).add("alice", "root")
    assert refused.value.wanted == "'predict', 'correct', 'admin'"
    assert refused.value.parameter == "scope"


def test_a_log_numbers_its_requests_by_itself(start):
    clients = [start(), start()]
    for client in clients:
        client.get("/model")
        client.get("/model")
    runs = [[line["id"].partition("-") for line in client.log()] for client in clients]
    assert [number for _, _, number in runs[0]] == ["1", "2"]
    assert runs[0][0][0] != runs[1][0][0]
