"""Limits, bodies and refusals of every request."""

from dataclasses import replace

import pytest

from hardlimit.exceptions import FileError

BODY = {"text": "a prize", "label": "ham"}


def test_every_refusal_is_a_problem_document(client):
    refused = [
        client.post("/correct", b"{nope"),
        client.get("/nothing"),
        client("PUT", "/log"),
        client.post("/correct", BODY, content_type="text/plain"),
        client.post("/correct", {"text": "a"}),
        client.post("/undo", {"id": 9}),
    ]
    assert [one.status for one in refused] == [400, 404, 405, 415, 422, 404]
    for one in refused:
        assert one.headers["content-type"] == "application/problem+json"
        assert one.json["status"] == one.status and one.json["title"] and one.json["detail"]
        assert one.json["type"] == f"/docs#{one.json['topic']}"
    assert refused[2].headers["allow"] == "GET"


@pytest.mark.parametrize(
    ("body", "parameter", "wanted"),
    [
        (BODY | {"margin": -1}, "margin", "a number > 0"),
        (BODY | {"margin": "1"}, "margin", "a number"),
        (BODY | {"text": 3}, "text", "a text, an object"),
        (BODY | {"guards": "x"}, "guards", "one of refuse, solve, flag"),
        (BODY | {"dry_run": 1}, "dry_run", "true or false"),
    ],
)
def test_what_is_wrong_is_named(client, body, parameter, wanted):
    told = client.post("/correct", body).json
    assert (told["parameter"], told["wanted"]) == (parameter, wanted)
    assert told["where"] == f"body.{parameter}"


@pytest.mark.parametrize(
    ("value", "got"), [(b"NaN", "NaN"), (b"null", "null"), (b"[true]", "[True]")]
)
def test_values_are_told_as_json_and_all_that_is_wanted(client, value, got):
    told = client.post("/correct", b'{"text": "a prize", "label": %s}' % value).json
    assert told["got"] == got
    assert told["wanted"].startswith("a text, ") and told["wanted"].endswith("true or false")


def test_a_slip_in_a_name_is_recognised(client):
    told = client.post("/correct", {"text": "a prize", "lable": "ham"}).json
    assert told["parameter"] == "lable" and "label" in told["fix"]


@pytest.mark.parametrize("body", [b"[" * 100_000, b"1" * 10_000, b'{"text": NaN}', b"\xff", b""])
def test_bodies_that_are_no_json_are_refused(client, body):
    assert client.post("/correct", body).status in (400, 422)


BROKEN = [
    b"{nope", b"[" * 100_000, b"\xff", b"", b"3", b'{"text": 3}', b'{"text": "a", "margin": 1}',
    b'{"texts": ["a", null]}', b'{"text": "a\\ud800", "remember": false}',
    b'{"text": "a", "texts": ["a"]}', b"{}",
    b'{"text": "a", "remember": 1}', b'{"text": "a", "remember": NaN}',
]  # fmt: skip


@pytest.mark.parametrize("body", BROKEN)
def test_the_short_way_of_predictions_says_what_the_long_one_says(client, body, monkeypatch):
    short = client.post("/predict", body)
    endpoint = client.app._table.find("/predict", "POST")
    long = replace(endpoint, at_once=None)
    monkeypatch.setattr(client.app._table, "find", lambda *_: long)
    found = client.post("/predict", body)
    assert (short.status, short.headers) == (found.status, found.headers)
    assert short.json == found.json


def test_bytes_are_counted_whatever_the_header_says(start):
    client = start(max_body=1000)
    big = b'{"text": "' + b"a" * 1000 + b'"}'
    assert client.post("/predict", big).status == 413
    assert client.post("/predict", None, chunks=[big[:600], big[600:]]).status == 413
    assert client.post("/predict", None, chunks=[b'{"text"', b': "a"}']).status == 200


def test_a_key_may_ask_so_often_and_then_has_to_wait(start):
    client = start(rate=2)
    assert [client.get("/model").status for _ in range(3)] == [200, 200, 429]
    assert int(client.get("/model").headers["retry-after"]) >= 1
    assert client.get("/health").status == 200


def test_one_request_too_many_at_once_is_told_to_wait(start):
    client = start(max_requests=1)
    with client.app._room.place(""):
        refused = client.get("/model")
        assert client.get("/health").status == client.get("/").status == 200
    assert refused.status == 503 and refused.headers["retry-after"] == "1"
    assert client.get("/model").status == 200


def test_an_error_of_ours_says_nothing_of_the_inside(client, monkeypatch):
    monkeypatch.setattr(client.live, "why", lambda *_: 1 / 0)
    refused = client.post("/explain", {"text": "a"})
    assert refused.status == 500 and "division" not in refused.body.decode()
    assert any("ZeroDivisionError" in line.get("traceback", "") for line in client.log())


def test_head_is_get_without_the_body(client):
    for path in ("/health", "/docs", "/model"):
        whole, head = client.get(path), client("HEAD", path)
        assert (head.status, head.body) == (200, b"")
        assert head.headers["content-length"] == str(len(whole.body))


def test_a_full_disk_is_503_and_names_no_path(client, monkeypatch):
    def full(*_, **__):
        raise FileError("the disk is full", where="/secret/place", topic="full")

    monkeypatch.setattr(client.live, "correct", full)
    refused = client.post("/correct", BODY)
    assert refused.status == 503 and refused.headers["retry-after"]
    assert refused.json["topic"] == "full" and "secret" not in refused.body.decode()


def test_a_long_batch_lets_others_in_and_says_if_the_model_moved(client, monkeypatch):
    texts = ["win a prize " + "x" * 40_000, "lunch"] * 6
    told = client.post("/predict", {"texts": texts}).json
    assert [one["label"] for one in told["predictions"]] == ["spam", "ham"] * 6
    assert told["fingerprint"] == client.live.fingerprint
    answer, parts = client.live.answer, []

    def move(part, **more):
        parts.append(len(part))
        client.live.correct("see you", "spam", by=str(len(parts)))
        return answer(part, **more)

    monkeypatch.setattr(client.live, "answer", move)
    assert client.post("/predict", {"texts": texts}).json["fingerprint"] is None
    assert len(parts) > 1 and sum(parts) == 12


def test_headers_forbid_what_the_page_does_not_need(client):
    headers = client.get("/model").headers
    assert "default-src 'none'" in headers["content-security-policy"]
    assert "unsafe" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cache-control"] == "no-store"
    assert not any(name.startswith("access-control") for name in headers)
