"""Connections that misbehave."""

import socket

import pytest

from hardlimit.service.settings import Settings

from .serving import Connection, in_thread, send

HEAD = b"POST /predict HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"


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
    whole = b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"
    received = send(port, whole, b"GET /hea")
    assert received.startswith(b"HTTP/1.1 200 ") and b"HTTP/1.1 408 " in received


def test_empty_lines_keep_no_connection_open(port):
    whole = b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"
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
    begin = b"GET /health HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n"
    received = send(port, begin)
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


def test_one_connection_too_many_is_told_so(port):
    held = [socket.create_connection(("127.0.0.1", port)) for _ in range(5)]
    received = send(port)
    for one in held:
        one.close()
    assert received.startswith(b"HTTP/1.1 503 ")


def test_two_requests_in_one_go_are_answered_in_their_order(port):
    body = b'{"text": "a prize"}'
    one = HEAD + b"Content-Length: %d\r\n\r\n" % len(body) + body
    two = b"GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    received = send(port, one + two)
    assert received.count(b"HTTP/1.1 200 ") == 2
    assert received.index(b"predictions") < received.index(b"troubles")


def test_the_connection_goes_on_after_a_refusal(port):
    client = Connection("127.0.0.1", port)
    assert client.ask("POST", "/undo", {"id": 5})[0] == 404
    assert client.ask("GET", "/health")[0] == 200
    client.close()
