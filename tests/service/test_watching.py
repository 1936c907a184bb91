"""A new model file under a running service, and entries of other processes."""

import os
import shutil

import pytest

import hardlimit as hl

from .conftest import LABELS, TEXTS


@pytest.fixture
def path(model, tmp_path):
    return str(shutil.copy(model, tmp_path / "own.hardlimit"))


@pytest.fixture
def client(start, path):
    open_it = lambda: hl.open_live(path)  # noqa: E731
    return start(live=open_it(), reopen=open_it)


def look(client):
    client.runner.run(client.app.watcher.look())


def put_other(path, classes=("ham", "spam", "news")):
    texts, labels = [*TEXTS, "the paper of today"], [*LABELS, classes[-1]]
    hl.TextClassifier(words=(1, 1), chars=None).fit(texts, labels).save(f"{path}.new")
    os.replace(f"{path}.new", path)


def test_entries_of_other_processes_are_seen(client, path):
    with hl.open_live(path) as other:
        other.correct("win a prize", "ham")
    look(client)
    assert client.post("/predict", {"text": "win a prize"}).json["predictions"][0]["label"] == "ham"


def test_a_new_file_takes_the_place_of_the_old_one(client, path):
    put_other(path)
    look(client)
    assert "news" in client.get("/model").json["classes"]
    assert client.post("/correct", {"text": "win", "label": "news"}).status == 200
    assert client.get("/health").json["status"] == "ok"


def test_a_file_that_is_refused_leaves_the_old_one(client, path):
    before = client.get("/model").json
    with open(f"{path}.new", "wb") as file:
        file.write(b"no model")
    os.replace(f"{path}.new", path)
    look(client)
    health = client.get("/health")
    assert health.status == 200 and health.json["status"] == "degraded"
    assert os.path.dirname(path) not in health.body.decode() and "base" in health.json["troubles"]
    assert client.get("/model").json == before
    refused = client.post("/reload", {})
    assert refused.status == 409 and refused.json["topic"] == "reload-refused"
    put_other(path)
    assert client.post("/reload", {}).json["changed"]
    assert client.get("/health").json["status"] == "ok"


def test_reloading_the_same_file_changes_nothing(client):
    before = client.live.fingerprint
    assert client.post("/reload", {}).json == {"changed": False, "fingerprint": before}
