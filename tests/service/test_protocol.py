"""Connections that misbehave."""

import asyncio
import socket

import pytest

from hardlimit.service.headers import MOST_BYTES, MOST_FIELDS
from hardlimit.service.keys import KeyFile
from hardlimit.service.protocol import LINGER_BYTES, MOST_WAITING
from hardlimit.service.settings import Settings

from .serving import Connection, in_thread, process, rss, send
from .wire import Server, settle, statuses

HEAD = b"POST /predict HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
HEALTH = b"GET /health HTTP/1.1\r\nHost: localhost\r\n"
CHUNKED = b"Transfer-Encoding: chunked\r\n\r\n"
BODY = b'{"text": "a prize"}'
WHOLE = HEAD + b"Content-Length: %d\r\n\r\n" % len(BODY) + BODY


@pytest.fixture
def port(start):
    settings = Settings(
        header_seconds=0.3, body_seconds=0.3, max_body=5000, max_connections=5, idle_seconds=60
    )
    client = start(header_seconds=0.3, body_seconds=0.3, max_body=5000)
    with in_thread(client.app, settings) as port:
        yield port


def test_a_header_that_does_not_come_in_time_ends_the_connection(port):
    for begin in (b"", b"GET /health HT", HEAD):
        assert send(port, begin).startswith(b"HTTP/1.1 408 ")


def test_a_second_header_has_its_own_time(port):
    whole = HEALTH + b"\r\n"
    received = send(port, whole, b"GET /hea")
    assert received.startswith(b"HTTP/1.1 200 ") and b"HTTP/1.1 408 " in received


def test_empty_lines_keep_no_connection_open(port):
    whole = HEALTH + b"\r\n"
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        connection.sendall(whole)
        assert connection.recv(65536).startswith(b"HTTP/1.1 200 ")
        connection.sendall(b"\r\n")
        assert connection.recv(65536).startswith(b"HTTP/1.1 408 ")


def test_a_header_without_an_end_is_refused(port):
    assert send(port, HEAD, *[b"X: " + b"a" * 9000 + b"\r\n"] * 4).startswith(b"HTTP/1.1 431 ")


def test_what_is_no_http_is_a_problem_too(port):
    received = send(port, b"\x16\x03\x01 hello\r\n\r\n")
    assert received.startswith(b"HTTP/1.1 400 ") and b"application/problem+json" in received


def test_a_body_that_does_not_come_in_time_is_refused(port):
    received = send(port, HEAD + b"Content-Length: 100\r\n\r\n", b'{"te')
    assert received.startswith(b"HTTP/1.1 408 ") and b"connection: close" in received


def test_nobody_without_a_key_holds_a_place_by_a_body_that_does_not_come(port):
    received = send(port, HEALTH + b"Content-Length: 100\r\n\r\n")
    assert received.startswith(b"HTTP/1.1 200 ") and b"connection: close" in received


def test_a_body_without_a_length_is_counted_as_it_comes(port):
    chunk = b"3e8\r\n" + b"a" * 1000 + b"\r\n"
    head = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
    received = send(port, head, *[chunk] * 6, b"0\r\n\r\n")
    assert received.startswith(b"HTTP/1.1 413 ") and b"body-too-large" in received
    small = b'd\r\n{"text": "a"}\r\n0\r\n\r\n'
    received = send(port, head, small, b"junk\r\n\r\n")
    assert received.startswith(b"HTTP/1.1 200 ")
    assert send(port, head, b"no length\r\n").startswith(b"HTTP/1.1 400 ")


@pytest.mark.parametrize("begin", [b"", b"GET /hea", WHOLE[:-1]])
def test_connections_that_wait_give_way_to_a_new_one(port, begin):
    held = [socket.create_connection(("127.0.0.1", port)) for _ in range(12)]
    for one in held:
        one.sendall(begin)
    received = send(port, HEALTH + b"Connection: close\r\n\r\n")
    for one in held:
        one.close()
    assert received.startswith(b"HTTP/1.1 200 ")


def test_slow_bodies_keep_nobody_out(start):
    client = start(max_requests=2)
    with in_thread(client.app, Settings()) as port:
        held = [socket.create_connection(("127.0.0.1", port)) for _ in range(4)]
        for one in held:
            one.sendall(WHOLE[:-1])
        received = send(port, WHOLE.replace(b"Host", b"Connection: close\r\nHost"))
        for one in held:
            one.sendall(WHOLE[-1:])
        answers = [one.recv(65536) for one in held]
        for one in held:
            one.close()
    assert received.startswith(b"HTTP/1.1 200 ")
    assert all(answer.startswith(b"HTTP/1.1 200 ") for answer in answers)


def test_two_requests_in_one_go_are_answered_in_their_order(port):
    received = send(port, WHOLE + HEALTH + b"Connection: close\r\n\r\n")
    assert received.count(b"HTTP/1.1 200 ") == 2
    assert received.index(b"predictions") < received.index(b"troubles")


def test_the_connection_goes_on_after_a_refusal(port):
    client = Connection("127.0.0.1", port)
    assert client.ask("POST", "/undo", {"id": 5})[0] == 404
    assert client.ask("GET", "/health")[0] == 200
    client.close()


@pytest.fixture
def wire(start):
    """Run a test inside an event loop, with a server whose connections have no sockets."""

    async def whole(test, server):
        try:
            await test(server)
        finally:
            await server.close()

    def run(test, keys="", **settings):
        client = start(keys=keys, **settings)
        server = Server(client.app, Settings(keys=keys, **settings))
        client.runner.run(whole(test, server))

    return run


def header_of(size):
    return HEALTH + b"X: " + b"a" * (size - len(HEALTH) - len(b"X: \r\n\r\n")) + b"\r\n\r\n"


@pytest.mark.parametrize(
    ("header", "status"),
    [
        (header_of(MOST_BYTES), 200),
        (header_of(MOST_BYTES + 1), 431),
        (header_of(40_000), 431),
        (header_of(100_000), 431),
        (HEALTH + b"a: b\r\n" * (MOST_FIELDS - 1) + b"\r\n", 200),
        (HEALTH + b"a: b\r\n" * MOST_FIELDS + b"\r\n", 431),
        (b"GET /" + b"a" * 40_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n", 431),
        (b"\r\n" * 40_000, 431),
    ],
)
@pytest.mark.parametrize("piece", [10**6, 1500])
def test_the_limits_of_a_header_are_exact_however_it_is_cut(wire, header, status, piece):
    async def test(server):
        connection, transport = server.connect()
        for begin in range(0, len(header), piece):
            connection.data_received(header[begin : begin + piece])
        await settle()
        assert statuses(transport.written) == [status]

    wire(test)


@pytest.mark.parametrize(
    ("size", "status"), [(MOST_BYTES, 200), (MOST_BYTES + 1, 431), (66_000, 431), (100_000, 431)]
)
def test_the_limit_of_a_header_holds_over_a_socket(port, size, status):
    header = header_of(size).replace(b"X: aaaaaaaaaaaaaaaaaaa", b"Connection: close\r\nX: ")
    assert len(header) == size
    pieces = [header[at : at + 8191] for at in range(0, size, 8191)]
    for parts in ([header], pieces):
        assert statuses(send(port, *parts)) == [status]


def test_headers_of_one_connection_are_counted_each_by_itself(wire):
    async def test(server):
        connection, transport = server.connect()
        for piece in (header_of(MOST_BYTES), WHOLE, header_of(MOST_BYTES)):
            connection.data_received(piece)
            await settle()
        # The end of one request and the beginning of the next one come together.
        connection.data_received(WHOLE[:-1])
        for _ in range(20):
            connection.data_received(WHOLE[-1:] + header_of(3000) + WHOLE[:-1])
            await settle()
        assert statuses(transport.written) == [200] * (3 + 40) and not transport.closed

    wire(test)


def filled(size, fields=b""):
    """The header of a chunked body, of so many bytes."""
    begin = HEAD + fields + b"X: "
    return begin + b"a" * (size - len(begin) - len(b"\r\n") - len(CHUNKED)) + b"\r\n" + CHUNKED


def chunk_of(body):
    return b"%x\r\n" % len(body) + body + b"\r\n"


def test_each_part_of_a_request_is_counted_by_itself(wire):
    async def test(server):
        connection, transport = server.connect()
        body = b'{"text": "' + b"a" * 60_000 + b'"}'
        parts = [filled(MOST_BYTES), *(chunk_of(body[at : at + 99]) for at in range(0, 60_012, 99))]
        end = [b"0\r\n", b"X: " + b"a" * 20_000 + b"\r\n\r\n"]
        later = header_of(MOST_BYTES - 1000)
        for part in [
            *parts,
            b"0\r\n\r\n",
            filled(5000),
            chunk_of(BODY),
            *end,
            later[:-1],
            later[-1:],
        ]:
            # The sizes of chunks come apart from the chunks.
            for piece in (part[:2], part[2:]):
                connection.data_received(piece)
            await settle(2)
        await settle()
        assert statuses(transport.written) == [200] * 3 and not transport.closed

    wire(test)


@pytest.mark.parametrize("trailers", [b"X: " + b"a" * 20_000 + b"\r\n", b"X: a\r\n" * MOST_FIELDS])
def test_trailers_and_header_have_one_limit(wire, trailers):
    async def test(server):
        connection, transport = server.connect()
        connection.data_received(filled(15_000) + chunk_of(BODY) + b"0\r\n" + trailers + b"\r\n")
        assert statuses(transport.written) == [431]

    wire(test)


ENDLESS = {
    "small trailers": (b"0\r\n", b"a:b\r\n"),
    "one trailer": (b"0\r\na: ", b"aaaa"),
    "the name of a trailer": (b"0\r\n", b"aaaa"),
    "a chunk's extension": (b"1;", b"aaaa"),
    "a chunk's size": (b"0", b"0000"),
}


@pytest.mark.parametrize("name", ENDLESS)
@pytest.mark.parametrize("keyed", [False, True])
@pytest.mark.parametrize("head", [HEALTH, HEAD])
def test_what_has_no_end_behind_a_body_is_refused_early(wire, tmp_path, name, keyed, head):
    keys = KeyFile(str(tmp_path / "its.keys"))
    keys.add("alice", "predict")
    begin, piece = ENDLESS[name]

    async def test(server):
        connection, transport = server.connect()
        connection.data_received(head + CHUNKED + b"d\r\n" + b'{"text": "a"}' + b"\r\n" + begin)
        await settle()
        sent = 0
        while not (transport.ended or transport.closed) and sent < 20 << 20:
            connection.data_received(piece * 250)
            sent += len(piece) * 250
        assert sent <= MOST_BYTES + 5000
        answered = statuses(transport.written)
        assert answered == [431 if head is HEAD and not keyed else 401 if head is HEAD else 200]
        await settle()
        assert not server.state.tasks, "the application still waits for the rest"

    wire(test, keys=keys.path if keyed else "")


def test_a_few_trailers_are_taken_and_ignored(wire):
    async def test(server):
        connection, transport = server.connect()
        for _ in range(2):
            body = b"13\r\n" + BODY + b"\r\n0\r\nHost: evil\r\nX-Forwarded-For: a\r\n\r\n"
            connection.data_received(HEAD + CHUNKED + body)
            await settle()
        assert statuses(transport.written) == [200, 200] and not transport.closed

    wire(test)


def test_a_client_that_was_refused_sees_it_and_sends_no_more_than_so_much(wire):
    async def test(server):
        connection, transport = server.connect()
        connection.data_received(header_of(40_000))
        assert transport.ended and not transport.closed
        for _ in range(4):
            assert not transport.closed
            connection.data_received(b"a" * (LINGER_BYTES // 4))
        connection.data_received(b"a")
        assert transport.aborted and statuses(transport.written) == [431]

    wire(test)


def test_only_so_many_requests_wait_for_their_answers(wire):
    async def test(server):
        connection, transport = server.connect()
        connection.data_received((HEALTH + b"\r\n") * 1000)
        assert len(connection.pipeline) == MOST_WAITING
        await settle(2000)
        assert statuses(transport.written) == [200] * (1 + MOST_WAITING) and transport.closed

    wire(test)


def test_a_refusal_never_stands_where_an_answer_should(wire):
    async def test(server):
        connection, transport = server.connect()
        connection.data_received(WHOLE + HEAD + CHUNKED + b"no length\r\n")
        await settle()
        assert statuses(transport.written) == [200] and transport.closed
        assert b"predictions" in transport.written

    wire(test)


@pytest.mark.parametrize("piece", [10**6, 40])
@pytest.mark.parametrize("head", [HEALTH, HEAD])
def test_a_request_that_would_like_another_protocol_is_answered_in_this_one(wire, head, piece):
    wish = b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AA\r\n"
    one = head + wish + b"Content-Length: %d\r\n\r\n" % len(BODY) + BODY
    one = head + wish + b"\r\n" if head is HEALTH else one

    async def test(server):
        connection, transport = server.connect()
        whole = one * 3 + HEALTH + b"\r\n"
        for begin in range(0, len(whole), piece):
            connection.data_received(whole[begin : begin + piece])
            await settle(20)
        await settle(1000)
        assert statuses(transport.written) == [200] * 4 and not transport.closed

    wire(test)


@pytest.mark.parametrize(
    "request_line", [b"CONNECT localhost:80", b"CONNECT /", b"PRI *", b"FOO /", b"GET http://["]
)
def test_methods_and_addresses_that_there_are_not(wire, request_line):
    async def test(server):
        connection, transport = server.connect()
        connection.data_received(request_line + b" HTTP/1.1\r\nHost: localhost\r\n\r\n")
        await settle()
        (status,) = statuses(transport.written)
        assert status in (400, 405) and b"problem+json" in transport.written

    wire(test)


@pytest.mark.parametrize("taken", [0, 10])
def test_a_client_that_takes_nothing_of_its_answer_is_let_go(wire, taken):
    async def test(server):
        connection, transport = server.connect()
        connection.data_received(HEALTH + b"\r\n")
        transport.unsent, transport.taken = 100, taken
        connection.pause_writing()
        for _ in range(5000):
            if transport.aborted or transport.unsent <= 50:
                break
            await asyncio.sleep(0.001)
        assert transport.aborted == (taken == 0)

    wire(test, body_seconds=0.002)


def test_a_new_connection_ends_one_whose_answer_nobody_takes(wire):
    async def test(server):
        stuck, transport = server.connect()
        stuck.data_received(HEALTH + b"\r\n")
        stuck.pause_writing()
        new, other = server.connect()
        assert transport.aborted and not other.closed
        new.data_received(HEALTH + b"\r\n")
        await settle()
        assert statuses(other.written) == [200]

    wire(test, max_connections=1)


def test_a_new_connection_is_refused_where_all_others_are_worked_on(wire):
    async def test(server):
        busy, transport = server.connect()
        busy.data_received(WHOLE)
        new, other = server.connect()
        assert statuses(other.written) == [503] and other.closed and not transport.closed
        await settle()
        assert statuses(transport.written) == [200]

    wire(test, max_connections=1)


@pytest.mark.slow
def test_endless_trailers_take_no_memory(model):
    with process(model) as service:
        for head in (HEALTH, HEAD):
            before = rss(service.pid)
            trailers = b"a:b\r\n" * (4 << 20)
            try:
                received = send(service.port, head + CHUNKED + b"0\r\n" + trailers)
                assert b" 431 " in received
            except ConnectionError:
                pass
            assert rss(service.pid) - before < 20 << 20
