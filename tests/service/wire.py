"""One connection inside this process: bytes go straight into the protocol, without a socket."""

import asyncio
import logging

from uvicorn.server import ServerState

from hardlimit.service import running


class Transport(asyncio.Transport):
    """Keeps what is written.

    unsent : what a client that does not read leaves behind; `taken` : what it takes of that between
    two looks
    """

    def __init__(self):
        super().__init__({"peername": ("127.0.0.1", 1), "sockname": ("127.0.0.1", 2)})
        self.written, self.unsent, self.taken = b"", 0, 0
        self.closed = self.aborted = self.ended = self.paused = False

    def write(self, data):
        assert not self.ended, "written behind the end"
        self.written += data

    def write_eof(self):
        self.ended = True

    def close(self):
        self.closed = True

    def abort(self):
        self.closed = self.aborted = True

    def is_closing(self):
        return self.closed

    def pause_reading(self):
        self.paused = True

    def resume_reading(self):
        self.paused = False

    def get_write_buffer_size(self):
        self.unsent -= self.taken
        return self.unsent


class Server:
    """Makes connections to an application; use it inside an event loop."""

    def __init__(self, app, settings):
        logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
        self.config, self.state = running.config_of(app, settings), ServerState()
        self.config.load()

    def connect(self):
        """Return a new connection and its transport."""
        connection = self.config.http_protocol_class(self.config, self.state, {})
        transport = Transport()
        connection.connection_made(transport)
        return connection, transport

    async def close(self):
        """Let all clients go away, and wait until nothing is left of their requests."""
        for one in list(self.state.connections):
            one.connection_lost(None)
        if self.state.tasks:
            _, left = await asyncio.wait(set(self.state.tasks), timeout=5)
            assert not left, "a request goes on without its client"


async def settle(turns=200):
    """Let all that is ready run."""
    for _ in range(turns):
        await asyncio.sleep(0)


def statuses(written):
    """The status of each answer."""
    return [int(part[:3]) for part in written.split(b"HTTP/1.1 ")[1:]]
