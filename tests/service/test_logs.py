"""The log, and whoever reads it too slowly."""

import io
import json
import threading
from types import SimpleNamespace
from typing import ClassVar, NamedTuple

from hardlimit.exceptions import FileError
from hardlimit.service.logs import Aside, Log, Repeats


class Slow(io.StringIO):
    """A stream that takes nothing until it may."""

    def __init__(self):
        super().__init__()
        self.may = threading.Event()

    def write(self, text):
        self.may.wait(20)
        return super().write(text)


def test_lines_are_json_and_controls_are_escaped():
    stream = io.StringIO()
    Log(stream).event("request", route="a\nb\x1b[31m\u2028")
    (line,) = stream.getvalue().splitlines()
    assert line.isascii() and json.loads(line)["route"] == "a\nb\x1b[31m\u2028"


def test_a_slow_reader_loses_lines_and_delays_nobody():
    stream, dropped = Slow(), []
    aside = Aside(stream, most=3)
    aside.dropped = lambda: dropped.append(1)
    log = Log(aside)
    for number in range(20):
        log.event("request", number=number)
    stream.may.set()
    aside.close(20)
    kept = [json.loads(line)["number"] for line in stream.getvalue().splitlines()]
    assert len(kept) + len(dropped) == 20 and 3 <= len(kept) <= 5
    assert kept == sorted(kept)


def test_a_stream_that_broke_ends_nothing():
    class Broken(io.StringIO):
        def write(self, text):
            raise OSError("no space")

    dropped = []
    aside = Aside(Broken())
    aside.dropped = lambda: dropped.append(1)
    Log(aside).event("request")
    aside.close(20)
    assert dropped == [1]


class Reply(NamedTuple):
    status: int


class Visit:
    """What the log sees of a request."""

    endpoint, method, headers, body = None, "GET", {}, b'{"text": "a prize"}'
    scope: ClassVar = {"client": ("192.0.2.7", 5)}
    asked = SimpleNamespace(key="alice", facts={})


def requests(share, statuses, **more):
    stream, draws = io.StringIO(), iter([0.0, 0.2, 0.25, 0.9] * 9)
    log = Log(stream, share, draw=lambda: next(draws), **more)
    for status in statuses:
        log.request(Visit(), Reply(status), 0.001)
    log.event("stop")
    assert lines_of(stream)[-1]["event"] == "stop"
    return lines_of(stream)[:-1]


def test_a_request_has_its_client_and_its_level():
    lines = requests(1.0, [200, 304, 404, 499, 500, 503])
    assert [one["level"] for one in lines] == ["info"] * 2 + ["warning"] * 2 + ["error"] * 2
    assert {one["client"] for one in lines} == {"192.0.2.7"} and "share" not in lines[0]


def test_a_share_of_the_requests_that_succeed_is_logged():
    lines = requests(0.25, [200, 200, 200, 500, 200, 401, 200])
    assert [(one["id"].split("-")[1], one["status"], one.get("share")) for one in lines] == [
        ("1", 200, 0.25), ("2", 200, 0.25), ("4", 500, None), ("6", 401, None), ("7", 200, 0.25),
    ]  # fmt: skip
    assert [one["status"] for one in requests(0.0, [200, 500, 200])] == [500]
    assert requests(None, [200, 401, 500], texts=True) == []


def lines_of(stream):
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def fail(log, error):
    try:
        raise error from OSError(28, "No space left on device")
    except Exception as caught:
        log.failure(caught)


def test_a_failure_of_ours_is_a_line_of_its_sentence_and_is_written_once_a_minute():
    stream, now = io.StringIO(), 0.0
    log = Log(stream, repeats=Repeats(60.0, now=lambda: now))
    for _ in range(1000):
        fail(log, FileError("the disk is full", where="/a/ledger", topic="full"))
    now = 60.0
    fail(log, FileError("the disk is full", where="/a/ledger", topic="full"))
    first, second = lines_of(stream)
    assert first["message"] == "/a/ledger: the disk is full" and "traceback" not in first
    assert "repeated" not in first and second["repeated"] == 999


def test_another_failure_has_its_own_line_with_the_way_to_it():
    stream = io.StringIO()
    log = Log(stream)
    for error in (FileError("the disk is full"), ZeroDivisionError("a"), ZeroDivisionError("b")):
        fail(log, error)
    first, second = lines_of(stream)
    assert first["error"] == "FileError" and "fail(" not in str(first)
    assert second["error"] == "ZeroDivisionError" and "in fail" in second["traceback"]


def test_so_many_different_lines_are_remembered():
    repeats = Repeats(most=3)
    assert [repeats.take(number) for number in (1, 2, 3, 4)] == [0] * 4
    assert repeats.take(4) is None and repeats.take(1) == 0
    assert len(repeats._written) == 3
