"""Bytes of a client to the service's HTTP: answers and refusals, and bounded memory, however cut.

The first byte says in how long pieces they arrive, the second how often the last hundred bytes are
said again; the rest is what the client sends.
"""

import asyncio
from functools import cache

from tests.service.wire import Server, settle, statuses

from fuzz.harness import SCRATCH

TEXTS = ["win a prize", "lunch at noon", "a prize to win", "see you at lunch"]
_POST = b"POST /predict HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
_HEALTH = b"GET /health HTTP/1.1\r\nHost: localhost\r\n"
_CHUNKED = b"Transfer-Encoding: chunked\r\n"
_BODY = b'{"text": "win a prize now"}'
_LENGTH = b"Content-Length: 27\r\n\r\n"
_UPGRADE = b"Connection: Upgrade\r\nUpgrade: h2c\r\n"

SEEDS = [
    bytes((cut, again)) + sent
    for cut, again, sent in (
        (0, 0, _POST + _LENGTH + _BODY),
        (9, 0, _POST + _CHUNKED + b"\r\n1b;a=b\r\n" + _BODY + b"\r\n0\r\nX: a\r\n\r\n" + _HEALTH),
        (0, 255, _HEALTH + _CHUNKED + b"\r\n0\r\n" + b"a:b\r\n" * 20),
        (0, 255, _POST + _CHUNKED + b"\r\n0\r\nlong: " + b"a" * 100),
        (0, 255, _POST + _CHUNKED + b"\r\n1;" + b"a" * 100),
        (3, 255, _POST + _CHUNKED + b"\r\n" + b"1\r\n \r\n" * 20),
        (200, 255, _HEALTH + b"X: " + b"a" * 100),
        (0, 99, _HEALTH + b"a: b\r\n" * 20 + b"\r\n"),
        (0, 255, b"\r\n" * 50),
        (0, 99, (_HEALTH + b"X: aaaa\r\n\r\n") * 2),
        (
            0,
            0,
            _POST + _UPGRADE + _LENGTH + _BODY + _HEALTH + _UPGRADE + b"\r\n" + _HEALTH + b"\r\n",
        ),
        (0, 0, _POST + b"Expect: 100-continue\r\n" + _LENGTH + _BODY),
        (0, 0, _HEALTH + b"Host: evil\r\n\r\n" + _HEALTH.replace(b"localhost", b"[::1") + b"\r\n"),
        (0, 0, b"GET /health HTTP/1.0\r\nHost: localhost:80:80\r\n\r\n"),
        (0, 0, b"HEAD /?" + b"a=1&" * 30 + b" HTTP/1.1\r\nHost: [::1]:80\r\n" + _LENGTH + _BODY),
        (0, 0, b"OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\nCONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n"),
        (0, 0, _POST + b"Content-Length: 56\r\n\r\n" + _BODY.decode().encode("utf-16")),
    )
]


class _Nowhere:
    def write(self, text):
        pass

    def flush(self):
        pass


@cache
def _place():
    """Return a server and the loop that it lives in."""
    import hardlimit as hl
    from hardlimit.service.app import create_app
    from hardlimit.service.logs import Log
    from hardlimit.service.settings import Settings

    path, settings = str(SCRATCH / "served"), Settings(max_body=10_000)
    hl.TextClassifier(words=(1, 1), chars=None).fit(TEXTS, ["spam", "ham"] * 2).save(path)
    app = create_app(hl.open_live(path, None, read_only=True), settings, Log(_Nowhere()))
    return Server(app, settings), asyncio.new_event_loop()


def run(data: bytes) -> None:
    """Send the bytes, go away, and look at what was answered and what is left."""
    if len(data) > 2:
        server, loop = _place()
        loop.run_until_complete(_talk(server, data[0], data[2:] + data[-100:] * (4 * data[1])))


async def _talk(server, cut, sent):
    from hardlimit.service.headers import MOST_BYTES, MOST_FIELDS
    from hardlimit.service.protocol import MOST_WAITING

    connection, transport = server.connect()
    pieces = 8 * cut or len(sent)
    # Short pieces of a long input would take all the time.
    for begin in range(0, min(len(sent), 300 * pieces), pieces):
        if transport.closed:
            break
        connection.data_received(sent[begin : begin + pieces])
        assert len(connection.pipeline) <= MOST_WAITING
        fields = connection.headers or []
        assert len(fields) <= MOST_FIELDS
        assert sum(len(name) + len(value) for name, value in fields) <= MOST_BYTES
        await settle(3)
    await settle(50)
    assert all(100 <= status < 500 or status == 503 for status in statuses(transport.written))
    await server.close()
    assert not server.state.connections
