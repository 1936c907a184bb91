"""What a header may be."""

import pytest

from hardlimit.service.headers import MOST_BYTES, MOST_FIELDS, HeaderCount, check_fields
from hardlimit.service.problems import Problem


def count(address, *fields):
    counted = HeaderCount()
    counted.begin()
    counted.add(len(b"GET"))
    counted.add(len(address))
    for name, value in fields:
        counted.add_field(name, value)
    return counted.size


def test_the_size_is_that_of_the_bytes_as_they_are_written():
    whole = b"GET /health HTTP/1.1\r\nHost: localhost\r\nX: a\r\n\r\n"
    assert count(b"/health", (b"host", b"localhost"), (b"x", b"a")) == len(whole)


def test_one_byte_and_one_field_too_many_are_refused():
    least = count(b"/", (b"x", b""))
    assert count(b"/", (b"x", b"a" * (MOST_BYTES - least))) == MOST_BYTES
    with pytest.raises(Problem) as refused:
        count(b"/", (b"x", b"a" * (MOST_BYTES - least + 1)))
    assert refused.value.status == 431
    count(b"/", *[(b"x", b"")] * MOST_FIELDS)
    with pytest.raises(Problem) as refused:
        count(b"/", *[(b"x", b"")] * (MOST_FIELDS + 1))
    assert refused.value.status == 431


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "LOCALHOST:8080",
        "a.b:",
        "127.0.0.1:1",
        "[::1]",
        "[::1]:80",
        "my_service",
        "a-b",
    ],
)
def test_hosts_that_are_hosts(host):
    check_fields([(b"host", host.encode())], "1.1")


@pytest.mark.parametrize(
    "host", ["", " ", "[::1", "::1", "localhost:80:80", "a:b", "a/b", "u@a", "a,b", "a b", "\xff"]
)
def test_a_malformed_host_is_refused(client, host):
    refused = client.get("/health", host=host)
    assert refused.status == 400 and refused.json["where"] == "header Host"


@pytest.mark.parametrize("name", ["host", "authorization", "content-type", "origin"])
def test_a_field_that_counts_once_may_not_come_twice(name):
    fields = [(b"host", b"localhost"), (name.encode(), b"localhost")]
    with pytest.raises(Problem) as refused:
        check_fields([*fields, fields[1]], "1.1")
    assert refused.value.status == 400
    check_fields([*fields[:1], (b"accept", b"a"), (b"accept", b"b")], "1.1")


def test_only_http_1_0_may_have_no_host():
    check_fields([], "1.0")
    with pytest.raises(Problem):
        check_fields([], "1.1")
