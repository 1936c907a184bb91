"""A proxy before a PostgreSQL server, which loses connections where it is told to."""

import contextlib
import socket
import struct
import threading


class Proxy:
    """Passes messages on, and counts those of clients since the last :meth:`cut`.

    down : whether new connections are refused. silent : whether everything is swallowed.
    """

    def __init__(self, path):
        self._path, self.down, self.silent = path, False, False
        self._lock, self._links = threading.Lock(), []
        self._where, self._after, self._down_then, self._then_silent = 0, False, False, False
        self.seen, self.fired, self._hit = 0, False, threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self._accept, daemon=True).start()

    def url(self, of):
        """Return the URL of a server as one through this proxy."""
        host, _, rest = of.partition("?host=")[2].partition("&")
        assert host and self._path.startswith(host)
        port = self._listener.getsockname()[1]
        plain = "sslmode=disable&gssencmode=disable"
        return f"postgresql://postgres@127.0.0.1:{port}/postgres?{plain}&{rest}"

    def cut(self, where, after=False, down=False):
        """Lose the connection at a message: the n-th from now on, or where these bytes have passed.

        after : once the server has answered it, so that the answer is what is lost.
        down : whether the server cannot be reached from then on.
        """
        with self._lock:
            self.seen, self.fired, self._after, self._down_then = 0, False, after, down
            self._where = list(where) if isinstance(where, list) else where
            self._then_silent = False
            self._hit.clear()

    def _is_wanted(self, message):
        """Tell whether a message is the one to lose."""
        self.seen += 1
        if not isinstance(self._where, list):
            return self.seen == self._where
        if self._where and self._where[0] in message.lower():
            self._where.pop(0)
            return not self._where
        return False

    def silence_at(self, where):
        """Swallow everything from a message on, as :meth:`cut` names it."""
        self.cut(where)
        self._then_silent = True

    def wait(self):
        """Wait until that has happened."""
        assert self._hit.wait(60)

    def lose(self):
        """Lose all connections that there are: one that is made meanwhile stays."""
        for link in list(self._links):
            link.close()

    def close(self):
        self._listener.close()
        self.lose()

    def _accept(self):
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                if self.down:
                    client.close()
                    continue
                link = Link(self, client, self._path)
                self._links.append(link)

    def pass_on(self, link, message):
        """Send a message of a client to the server, unless it is the one to lose."""
        with self._lock:
            if self.silent:
                return
            lost = self._is_wanted(message) and not self.fired
            if lost:
                self.fired, self.down = True, self._down_then
                self.silent = self._then_silent
                self._hit.set()
                if self.silent:
                    return
                link.lost = True
        if not lost:
            link.server.sendall(message)
            return
        if self._after:
            link.ready.clear()
            link.server.sendall(message)
            if message[:1] in (b"Q", b"S"):  # all others are answered later
                link.ready.wait(10)
        link.close()


class Link:
    """One connection: a thread for what the client says, one for the server."""

    def __init__(self, proxy, client, path):
        self.client, self.lost, self.ready = client, False, threading.Event()
        self.server = socket.socket(socket.AF_UNIX)
        self._proxy = proxy
        try:
            self.server.connect(path)
        except OSError:
            return self.close()
        for work in (self._ask, self._answer):
            threading.Thread(target=work, daemon=True).start()

    def close(self):
        for one in (self.client, self.server):
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()

    def _ask(self):
        with contextlib.suppress(OSError), self.client.makefile("rb") as stream:
            self.server.sendall(_read(stream, b""))
            while kind := stream.read(1):
                self._proxy.pass_on(self, _read(stream, kind))
        self.close()

    def _answer(self):
        with contextlib.suppress(OSError), self.server.makefile("rb") as stream:
            while kind := stream.read(1):
                message = _read(stream, kind)
                if kind == b"Z":
                    self.ready.set()
                if not self.lost and not self._proxy.silent:
                    self.client.sendall(message)
        self.ready.set()
        if not self.lost:
            self.close()


def _read(stream, kind):
    """Return a whole message."""
    head = stream.read(4)
    if len(head) < 4:
        raise OSError
    return kind + head + stream.read(struct.unpack(">I", head)[0] - 4)
