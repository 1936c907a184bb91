"""Bodies as they arrive at the application: what is taken of them, and for how long."""

import asyncio
import json

import pytest

WHOLE = b'{"text": "win", "remember": false}'


class Sender:
    """Parts of a body; after the last one the client is silent, gone, or never ends."""

    def __init__(self, *parts, then=""):
        self.parts, self.then, self.taken = list(parts), then, 0

    async def __call__(self):
        await asyncio.sleep(0)
        self.taken += 1
        if self.parts:
            part = self.parts.pop(0)
            more = bool(self.parts or self.then)
            return {"type": "http.request", "body": part, "more_body": more}
        if self.then == "endless":
            return {"type": "http.request", "body": b" " * 10, "more_body": True}
        if self.then == "gone":
            return {"type": "http.disconnect"}
        await asyncio.sleep(60)


def send(client, sender, path="/predict", **headers):
    told = {"host": "localhost:8080", "content-type": "application/json"}
    told |= {name.replace("_", "-"): value for name, value in headers.items()}
    scope = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "scheme": "http",
        "method": "POST", "path": path, "raw_path": path.encode(), "root_path": "",
        "query_string": b"", "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 2),
        "headers": [(name.encode(), value.encode()) for name, value in told.items()],
    }  # fmt: skip
    sent = []

    async def collect(message):
        sent.append(message)

    client.runner.run(client.app(scope, sender, collect))
    body = b"".join(one["body"] for one in sent[1:])
    return sent[0]["status"], json.loads(body) if body else None


@pytest.fixture
def client(start):
    return start(max_body=100, body_seconds=0.05)


def padded(size):
    return WHOLE + b" " * (size - len(WHOLE))


@pytest.mark.parametrize("cut", [(100,), (60, 60, 100), (1, 99, 100), (0, 100)])
def test_a_body_of_the_limit_is_read_whole(client, cut):
    body, begin, parts = padded(100), 0, []
    for end in cut:
        parts.append(body[begin:end])
        begin = end
    assert send(client, Sender(*parts))[0] == 200
    assert send(client, Sender(*parts), content_length="100")[0] == 200


@pytest.mark.parametrize("parts", [(101,), (60, 41), (500, 0, 0), (100, 0, 1)])
def test_a_byte_more_is_refused(client, parts):
    status, told = send(client, Sender(*(b" " * size for size in parts)))
    assert (status, told["topic"], told["where"]) == (413, "body-too-large", "body")
    assert told["wanted"] == "at most 100 bytes"


@pytest.mark.parametrize("length", ["101", "9" * 5000])
def test_an_announced_length_is_refused_at_once(start, length):
    client, sender = start(max_body=100), Sender(WHOLE)
    status, told = send(client, sender, path="/undo", content_length=length)
    assert (status, told["topic"]) == (413, "body-too-large")


def test_a_body_without_an_end_is_left_soon_after_the_limit(client):
    sender = Sender(WHOLE, then="endless")
    assert send(client, sender)[0] == 413
    # What comes after the refusal is taken for a while, and then no more either.
    assert sender.taken < 40


def test_a_body_that_stops_is_too_slow(client):
    status, told = send(client, Sender(WHOLE, then="silent"))
    assert (status, told["topic"], told["where"]) == (408, "too-slow", "body")


def test_a_client_that_went_away_gets_no_answer_and_no_entry(client):
    body = b'{"text": "win", "label": "ham"}'
    assert send(client, Sender(body, then="gone"), path="/correct")[0] == 499
    assert client.live.n_entries == 0 and client.log()[-1]["status"] == 499
    assert send(client, Sender(body), path="/correct")[0] == 200
