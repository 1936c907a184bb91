"""What is wrong beside the files."""

import hardlimit as hl
from hardlimit.exceptions import FileError
from hardlimit.service import watching as health
from hardlimit.service.limits import Room
from hardlimit.service.watching import MEMORY, PATIENCE, HealthWatch

BODY = {"text": "a prize", "label": "ham"}


def look(client):
    client.runner.run(client.app.health.look())
    return client.get("/health").json


def fail(client, monkeypatch, topic="full"):
    def refuse(*_, **__):
        raise FileError("the disk is full", where="/secret/place", topic=topic)

    with monkeypatch.context() as changed:
        changed.setattr(client.live, "correct", refuse)
        assert client.post("/correct", BODY).status == 503


def test_an_entry_that_was_not_written_is_told_until_one_is(client, monkeypatch):
    fail(client, monkeypatch)
    told = client.get("/health")
    assert told.status == 200 and told.json["status"] == "degraded"
    assert "full" in told.json["troubles"]["entries"] and "secret" not in told.body.decode()
    assert look(client)["status"] == "degraded"
    assert client.post("/correct", BODY).status == 200
    assert look(client) == {"status": "ok", "troubles": {}}


def test_another_writer_is_no_trouble(client, monkeypatch):
    fail(client, monkeypatch, topic="busy")
    assert client.get("/health").json["status"] == "ok"


def test_a_full_disk_is_told_before_anybody_corrects(client, monkeypatch):
    assert look(client)["status"] == "ok"
    monkeypatch.setattr(health, "free_space", lambda live: 5000)
    assert "disk" in look(client)["troubles"]
    monkeypatch.undo()
    assert look(client)["status"] == "ok"


def test_only_a_disk_that_is_written_to_is_looked_at(client, start, model):
    assert health.free_space(hl.open_live(model, None)) is None
    assert health.free_space(client.live) > 0
    client.live.read_only = True
    assert health.free_space(client.live) is None


def test_requests_that_hang_and_failures_that_are_over(client):
    now, room = 100.0, Room(4)
    room = Room(4, lambda: now)
    told = HealthWatch(client.app.work, room, lambda: now)
    with room.place(""):
        now += PATIENCE
        client.runner.run(told.look())
        assert client.get("/health").json["status"] == "ok"
        now += 1
        client.runner.run(told.look())
        assert "requests" in client.get("/health").json["troubles"]
    told.note(FileError("the server does not answer"))
    client.runner.run(told.look())
    assert set(client.get("/health").json["troubles"]) == {"entries"}
    now += MEMORY + 1
    client.runner.run(told.look())
    assert client.get("/health").json["status"] == "ok"


def test_what_only_reads_is_no_entry(client, monkeypatch):
    def refuse(*_, **__):
        raise FileError("the file cannot be read")

    monkeypatch.setattr(client.live, "why", refuse)
    assert client.post("/explain", {"text": "a"}).status == 503
    assert client.get("/health").json["status"] == "ok"
