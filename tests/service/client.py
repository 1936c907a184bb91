"""A client inside this process: requests go straight to the application."""

import asyncio
import json
from typing import NamedTuple


class Got(NamedTuple):
    status: int
    headers: dict
    body: bytes

    @property
    def json(self):
        return json.loads(self.body)


class Client:
    """Sends one request after the other in an event loop of its own.

    headers : sent with each request.
    """

    def __init__(self, app, **headers):
        self.app, self.headers = app, {"host": "localhost:8080", **headers}
        self.runner = asyncio.Runner()

    def close(self):
        self.runner.close()

    def __call__(self, method, address, body=None, *, chunks=None, **headers):
        """Send a body as JSON, or as it is where it is bytes; chunks have no length."""
        raw = (
            b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        )
        told = {"content-type": "application/json"} if method == "POST" else {}
        if chunks is None and raw:
            told["content-length"] = str(len(raw))
        told |= self.headers | {name.replace("_", "-"): one for name, one in headers.items()}
        path, _, query = address.partition("?")
        scope = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "scheme": "http",
            "method": method, "path": path, "raw_path": path.encode(), "root_path": "",
            "query_string": query.encode(), "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 2),
            "headers": [(k.encode(), v.encode()) for k, v in told.items() if v is not None],
        }  # fmt: skip
        return self.runner.run(self._send(scope, chunks or [raw]))

    async def _send(self, scope, parts):
        waiting, sent = list(parts), []

        async def receive():
            part = waiting.pop(0)
            return {"type": "http.request", "body": part, "more_body": bool(waiting)}

        async def send(message):
            sent.append(message)

        await self.app(scope, receive, send)
        headers = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
        return Got(sent[0]["status"], headers, b"".join(one["body"] for one in sent[1:]))

    def get(self, address, **more):
        return self("GET", address, **more)

    def post(self, address, body, **more):
        return self("POST", address, body, **more)

    def delete(self, address, **more):
        return self("DELETE", address, **more)
