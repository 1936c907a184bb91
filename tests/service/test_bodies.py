"""Bodies as they arrive: what is taken of them, and for how long."""

import asyncio

import pytest

from hardlimit.service import bodies
from hardlimit.service.problems import Problem


class Sender:
    """Parts of a body; after the last one the client is silent, or gone."""

    def __init__(self, *parts, gone=False, endless=False):
        self.parts, self.gone, self.endless, self.taken = list(parts), gone, endless, 0

    async def __call__(self):
        await asyncio.sleep(0)
        self.taken += 1
        if self.parts:
            part = self.parts.pop(0)
            more = bool(self.parts) or self.gone or self.endless
            return {"type": "http.request", "body": part, "more_body": more}
        if self.endless:
            return {"type": "http.request", "body": b"x" * 10, "more_body": True}
        if self.gone:
            return {"type": "http.disconnect"}
        await asyncio.sleep(60)


def read(sender, most=100, seconds=30.0, **headers):
    told = {name.replace("_", "-").encode(): value for name, value in headers.items()}
    return asyncio.run(bodies.read(sender, told, most, seconds))


@pytest.mark.parametrize("parts", [(b"x" * 100,), (b"x" * 60, b"", b"x" * 40), (b"",)])
def test_a_body_of_the_limit_is_read_whole(parts):
    assert read(Sender(*parts)) == b"".join(parts)


@pytest.mark.parametrize("parts", [(b"x" * 101,), (b"x" * 60, b"x" * 41), (b"x" * 500, b"", b"")])
def test_a_byte_more_is_refused(parts):
    with pytest.raises(Problem) as refused:
        read(Sender(*parts))
    problem = refused.value
    assert (problem.status, problem.topic) == (413, "body-too-large")
    assert problem.fields["wanted"] == "at most 100 bytes"


def test_an_announced_length_is_refused_before_anything_is_read():
    sender = Sender(b"x")
    for length in (b"101", b"9" * 5000):
        with pytest.raises(Problem):
            read(sender, content_length=length)
    assert sender.taken == 0
    assert read(sender, content_length=b"100") == b"x"
    # What is no number is no announcement; the bytes are counted anyway.
    assert read(Sender(b"x"), content_length=b"-1") == b"x"


def test_a_body_without_an_end_is_left_at_the_limit():
    sender = Sender(b"x" * 10, endless=True)
    with pytest.raises(Problem):
        read(sender)
    assert sender.taken <= 12


def test_a_body_that_stops_is_too_slow():
    sender = Sender(b"x", b"x")
    sender.parts.append(b"")
    sender.parts = [b"x"]

    async def receive():
        message = await sender()
        return message | {"more_body": True}

    with pytest.raises(Problem) as refused:
        read(receive, seconds=0.01)
    assert (refused.value.status, refused.value.topic) == (408, "too-slow")


def test_a_client_that_went_away_is_told_nothing():
    with pytest.raises(bodies.Gone):
        read(Sender(b"x", gone=True))


def test_what_is_still_sent_is_taken_for_a_while():
    for sender, taken in (
        (Sender(b"x", b"y", b"z"), 3), (Sender(b"x", gone=True), 2),
        (Sender(b"", endless=True), 12), (Sender(b"x" * 101, b"y"), 1),
    ):  # fmt: skip
        asyncio.run(bodies.drain(sender, 100, 30.0))
        assert sender.taken == taken

    async def silent():
        await asyncio.sleep(60)

    asyncio.run(bodies.drain(silent, 100, 0.01))
