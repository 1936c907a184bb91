"""The log, and whoever reads it too slowly."""

import io
import json
import threading

from hardlimit.service.logs import Aside, Log


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
