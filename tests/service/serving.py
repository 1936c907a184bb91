"""Services that really listen: in a thread of this process, and in a process of their own."""

import contextlib
import http.client
import json
import os
import re
import socket
import subprocess
import sys
import threading
import time

from hardlimit.service import running

from ..cli.conftest import environment


class Connection(http.client.HTTPConnection):
    """A client with JSON in and out."""

    def ask(self, method, path, body=None, **headers):
        raw = None if body is None else json.dumps(body)
        told = {"Content-Type": "application/json"} if body is not None else {}
        self.request(method, path, raw, told | headers)
        response = self.getresponse()
        content = response.read()
        return response.status, json.loads(content) if content else None


@contextlib.contextmanager
def in_thread(app, settings):
    """Serve in a thread; yields the port."""
    listener = running.bind("127.0.0.1", 0)
    server = running.Server(running.config_of(app, settings))
    server.work = app.work
    thread = threading.Thread(target=lambda: server.run(sockets=[listener]))
    thread.start()
    try:
        while not server.started:
            time.sleep(0.005)
        yield listener.getsockname()[1]
    finally:
        server.should_exit = True
        thread.join(20)
        assert not thread.is_alive()


@contextlib.contextmanager
def process(*words, before=()):
    """Serve in a process that begins as the program of the words `before`; yields it."""
    command = [*before, sys.executable, "-m", "hardlimit", "serve", "--port", "0", *map(str, words)]
    service = subprocess.Popen(
        command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment()
    )
    try:
        found = re.search(r"answers at http://127.0.0.1:(\d+)", service.stdout.readline())
        assert found, service.stderr.read()
        service.port = int(found[1])
        yield service
    finally:
        if service.poll() is None:
            service.kill()
        service.wait(20)
        service.stderr.close()
        service.stdout.close()


def send(port, *parts, wait=10.0):
    """Send bytes as they are, and return all that comes until the other side closes."""
    with socket.create_connection(("127.0.0.1", port), timeout=wait) as connection:
        for part in parts:
            connection.sendall(part)
        received = b""
        while chunk := connection.recv(65536):
            received += chunk
    return received


def rss(pid):
    """Bytes of memory that a process has."""
    with open(f"/proc/{pid}/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
