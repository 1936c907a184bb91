"""Load for a service on this machine, from a process of its own.

``python -m benchmarks.http_load PORT TEXTS.json --connections 8 --seconds 5 --batch 1`` asks for
predictions as fast as they are answered, over connections that stay open, and prints how many there
were and how long each took. With ``--correct 20`` it corrects so many times a second instead, and
prints the entries that were acknowledged.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import time
from collections.abc import Callable, Iterator
from typing import Any

_PATIENCE = 60.0


class Client(asyncio.Protocol):
    """One connection: a request, its answer, the next one."""

    def __init__(self, requests: Iterator[bytes], end: float, told: Callable[[bytes, float], Any]):
        self._requests, self._end, self._told = requests, end, told
        self._buffer = b""
        self.done: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: Any) -> None:
        """Begin."""
        self._transport = transport
        self._ask()

    def _ask(self) -> None:
        request = next(self._requests, None)
        if request is None or time.perf_counter() >= self._end:
            self._transport.close()
            return
        self._begun = time.perf_counter()
        self._transport.write(request)

    def data_received(self, data: bytes) -> None:
        """Take a part of an answer."""
        self._buffer += data
        head = self._buffer.find(b"\r\n\r\n")
        if head < 0:
            return
        place = self._buffer.find(b"content-length: ") + 16
        length = int(self._buffer[place : self._buffer.find(b"\r", place)])
        if len(self._buffer) < head + 4 + length:
            return
        if not self._buffer.startswith(b"HTTP/1.1 200"):
            raise RuntimeError(self._buffer.decode())
        answer, self._buffer = self._buffer[head + 4 :], b""
        self._told(answer, time.perf_counter() - self._begun)
        self._ask()

    def connection_lost(self, error: Exception | None) -> None:
        """End."""
        if not self.done.done():
            self.done.set_result(None)


def request(port: int, path: str, body: object) -> bytes:
    """Return a request as it is sent."""
    raw = json.dumps(body).encode()
    head = (
        f"POST {path} HTTP/1.1\r\nHost: localhost:{port}\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(raw)}\r\n\r\n"
    )
    return head.encode() + raw


async def predict(port: int, texts: list[str], options: Any) -> dict[str, Any]:
    """Ask for predictions; return times in seconds and their number."""
    if options.batch == 1:
        bodies: list[object] = [{"text": text} for text in texts[:2000]]
    else:
        starts = range(0, len(texts) - options.batch, options.batch)
        bodies = [{"texts": texts[k : k + options.batch]} for k in starts]
    ready = itertools.cycle([request(port, "/predict", body) for body in bodies])
    times: list[float] = []
    begun = time.perf_counter()
    await _run(port, options, ready, begun + options.seconds, lambda _, took: times.append(took))
    seconds = time.perf_counter() - begun
    times.sort()
    return {
        "requests": len(times),
        "per_second": len(times) / seconds,
        "p50": times[len(times) // 2],
        "p99": times[int(len(times) * 0.99)],
        "longest": times[-1],
        "cpu": time.process_time() / seconds,
    }


async def _run(
    port: int, options: Any, ready: Iterator[bytes], end: float, told: Callable[[bytes, float], Any]
) -> None:
    loop, clients = asyncio.get_running_loop(), []
    for _ in range(options.connections):
        make: Callable[[], Client] = lambda: Client(ready, end, told)  # noqa: E731
        _, client = await loop.create_connection(make, "127.0.0.1", port)
        clients.append(client)
    await asyncio.wait_for(asyncio.gather(*(one.done for one in clients)), _PATIENCE)


async def correct(port: int, texts: list[str], options: Any) -> dict[str, Any]:
    """Correct so many times a second; return what was acknowledged, and the seconds each took."""
    acknowledged: list[int] = []
    times: list[float] = []

    def told(answer: bytes, took: float) -> None:
        acknowledged.append(json.loads(answer)["id"])
        times.append(took)

    async def one(number: int, at: float) -> None:
        await asyncio.sleep(max(at - time.perf_counter(), 0.0))
        text, label = texts[number % len(texts)], options.labels[number % len(options.labels)]
        ready = iter([request(port, "/correct", {"text": text, "label": label})])
        alone = argparse.Namespace(connections=1)
        await _run(port, alone, ready, time.perf_counter() + _PATIENCE, told)

    begun = time.perf_counter()
    number = int(options.seconds * options.correct)
    # At their times, whether or not those before were answered.
    await asyncio.gather(*(one(k, begun + k / options.correct) for k in range(number)))
    seconds = time.perf_counter() - begun
    times.sort()
    return {
        "acknowledged": acknowledged,
        "seconds": seconds,
        "p50": times[len(times) // 2],
        "longest": times[-1],
    }


def main() -> None:
    """Read the words of the command line, make the load, print one line of JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("port", type=int)
    parser.add_argument("texts")
    parser.add_argument("--connections", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--batch", type=int, default=1)
    parser.add_argument("--correct", type=float, default=0.0)
    parser.add_argument("--labels", nargs="+", default=["ham", "spam"])
    options = parser.parse_args()
    with open(options.texts, encoding="utf-8") as file:
        texts = json.load(file)
    work = correct if options.correct else predict
    try:
        import uvloop
    except ImportError:
        found = asyncio.run(work(options.port, texts, options))
    else:
        found = uvloop.run(work(options.port, texts, options))
    print(json.dumps(found))


if __name__ == "__main__":
    main()
