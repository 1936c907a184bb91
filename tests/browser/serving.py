"""A real service in a process of its own, which can be killed and started again."""

from __future__ import annotations

import contextlib
import json
import queue
import re
import subprocess
import sys
import threading
import urllib.request

COMMAND = [sys.executable, "-m", "hardlimit", "serve"]
_ADDRESS = re.compile(r"http://127\.0\.0\.1:(\d+)")
# A machine that does other work at the same time is slow.
PATIENCE = 120


class Service:
    """``hardlimit serve MODEL``; after a kill it starts at the same address."""

    def __init__(self, model, *options):
        self.model, self.options = str(model), options
        self.port, self.process, self.key = 0, None, ""

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}/"

    def start(self):
        self.launch()
        return self.wait()

    def launch(self):
        """Begin to start; `wait` until it answers."""
        command = [*COMMAND, self.model, "--port", str(self.port), *self.options]
        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        )
        self._found = queue.Queue()
        threading.Thread(target=self._listen, args=(self.process, self._found), daemon=True).start()

    def wait(self):
        self.port = int(self._found.get(timeout=PATIENCE))
        return self

    def _listen(self, process, found):
        """Read all that it says, so that it is never kept waiting."""
        with process.stderr as said:
            for line in said:
                address = _ADDRESS.search(line.decode("utf-8", "replace"))
                if address:
                    found.put(address[1])

    def kill(self):
        """End it as a failing machine does."""
        if self.process is not None:
            self.process.kill()
            self.process.wait(PATIENCE)
            self.process = None

    def ask(self, path, body=None, method=None):
        """Ask for JSON, as another client of the service."""
        headers = {"Content-Type": "application/json"}
        if self.key:
            headers["Authorization"] = f"Bearer {self.key}"
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, headers, method=method)
        with contextlib.closing(urllib.request.urlopen(request, timeout=PATIENCE)) as answer:
            return json.load(answer)

    def classify(self, *texts):
        """Put texts into the inbox; return their numbers."""
        return [one["number"] for one in self.ask("predict", {"texts": texts})["predictions"]]
