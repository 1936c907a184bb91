"""A web server of this process, whose faults are told to it."""

from __future__ import annotations

import contextlib
import re
import socket
import struct
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit


class WebServer(ThreadingHTTPServer):
    """Serves ``files`` by name.

    faults : what becomes of the next requests, in their order: a status, "reset" (the connection),
        "cut" (half of the answer), "short" (the same, and said to be all), "wait" (a
        moment before it), "stale" (of the file in ``older``, as a cache has it),
        "shifted", "shorter", "longer" (another part, which it says), "" (nothing).
    older : what files were before, for "stale".    weak : whether tags are.
    ranges : whether parts are given.    sized : whether lengths are told.    seen : the requests,
        each with its range.    tags : their If-Range.    redirects : where a name leads.
    """

    daemon_threads = True

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.faults: list[object] = []
        self.seen: list[tuple[str, str]] = []
        self.tags: list[str] = []
        self.older: dict[str, bytes] = {}
        self.weak = False
        self.redirects: dict[str, str] = {}
        self.ranges = self.sized = True
        super().__init__(("127.0.0.1", 0), _Handler)

    def uri(self, name: str) -> str:
        """Return the address of a file."""
        return f"http://127.0.0.1:{self.server_port}/{name}"

    def handle_error(self, request, client_address):
        """Say nothing of connections that broke."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: WebServer

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        server, part = self.server, self.headers.get("Range", "")
        server.seen.append((self.path, part))
        server.tags.append(self.headers.get("If-Range", ""))
        fault = server.faults.pop(0) if server.faults else ""
        if fault == "wait":
            time.sleep(0.02)
        elif fault == "reset":
            linger = struct.pack("ii", 1, 0)
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            self.connection.close()
            self.close_connection = True
            return
        elif isinstance(fault, int):
            return self.answer(fault, b"")
        name = urlsplit(self.path).path.lstrip("/")
        if name in server.redirects:
            return self.answer(302, b"", {"Location": server.redirects[name]})
        if name not in server.files:
            return self.answer(404, b"")
        data = server.older[name] if fault == "stale" else server.files[name]
        tag = f'"{hash(data)}"'
        status, more = 200, {"ETag": f"W/{tag}" if server.weak else tag}
        found = re.fullmatch(r"bytes=(\d+)-(\d+)", part)
        if found and server.ranges and server.tags[-1] in ("", tag):
            begin, end = int(found[1]), int(found[2]) + 1
            begin += fault == "shifted"
            end += (fault in ("shifted", "longer")) - (fault == "shorter")
            if begin >= len(data):
                return self.answer(416, b"", more | {"Content-Range": f"bytes */{len(data)}"})
            part = data[begin:end]
            last = begin + len(part) - 1
            more["Content-Range"] = f"bytes {begin}-{last}/{len(data)}"
            data, status = part, 206
        if fault == "short":
            data = data[: len(data) // 2]
        self.answer(status, data, more, cut=fault == "cut")

    def answer(self, status, data, more=None, cut=False) -> None:
        self.send_response(status)
        for name, value in (more or {}).items():
            self.send_header(name, value)
        if self.server.sized:
            self.send_header("Content-Length", str(len(data)))
        else:
            self.send_header("Connection", "close")
            self.close_connection = True
        self.end_headers()
        with contextlib.suppress(OSError):
            self.wfile.write(data[: len(data) // 2] if cut else data)
        if cut:
            self.close_connection = True


@contextlib.contextmanager
def serving() -> Iterator[WebServer]:
    """Give a server on a port of this machine."""
    with WebServer() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
