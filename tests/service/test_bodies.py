"""Bodies: how many bytes of them, and whose."""

import asyncio

import pytest

from hardlimit.service.bodies import Intake, Reader
from hardlimit.service.problems import Problem

ENCODINGS = ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "latin-1"]


class Sender:
    """Sends the same part again and again; `sent` counts them."""

    def __init__(self, part, n=10**9):
        self.part, self.n, self.sent = part, n, 0

    async def __call__(self):
        self.sent += 1
        await asyncio.sleep(0)
        if self.sent > self.n:
            await asyncio.sleep(60)
        return {"type": "http.request", "body": self.part, "more_body": True}


def read(sender, intake, most=1000, holder="a"):
    return Reader(most, 30, intake).read(sender, {}, holder)


def test_of_a_body_without_an_end_no_more_is_read_than_it_may_have():
    sender, intake = Sender(b"a" * 100), Intake(10**6)
    with pytest.raises(Problem) as refused:
        asyncio.run(read(sender, intake))
    assert refused.value.status == 413 and sender.sent == 11
    assert intake.size == 0


def test_slow_bodies_of_one_give_way_before_those_of_others():
    intake = Intake(1000)

    async def run():
        other = asyncio.create_task(read(Sender(b"b" * 50, 4), intake, holder="b"))
        slow = [asyncio.create_task(read(Sender(b"a" * 50, 5), intake)) for _ in range(4)]
        done, _ = await asyncio.wait([*slow, other], return_when="FIRST_COMPLETED")
        assert done == {slow[0]} and slow[0].exception().topic == "busy"
        assert intake.size == 3 * 250 + 200 <= intake.most
        for one in [*slow[1:], other]:
            one.cancel()
        await asyncio.gather(*slow[1:], other, return_exceptions=True)
        assert intake.size == 0

    asyncio.run(run())


def test_a_small_body_does_not_give_way_to_a_large_one():
    intake = Intake(1000)

    async def run():
        small = asyncio.create_task(read(Sender(b"a", 1), intake))
        await asyncio.sleep(0.01)
        large = [asyncio.create_task(read(Sender(b"a" * 100, 8), intake)) for _ in range(2)]
        done, _ = await asyncio.wait([small, *large], return_when="FIRST_COMPLETED")
        assert done == {large[0]}
        for one in (small, large[1]):
            one.cancel()
        await asyncio.gather(small, large[1], return_exceptions=True)

    asyncio.run(run())


@pytest.mark.parametrize("path", ["/predict", "/correct"])
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_json_in_another_encoding_than_utf_8_is_refused(client, path, encoding):
    text = '{"text": "caf\u00e9 prize", "label": "ham"}'
    body = text.replace(', "label": "ham"', "") if path == "/predict" else text
    assert client.post(path, body.encode()).status == 200
    refused = client.post(path, body.encode(encoding))
    assert (refused.status, refused.json["topic"]) == (400, "not-json")
