"""A PostgreSQL server of the tests' own, by ``pytest_plugins = ["tests.postgresql_server"]``."""

import contextlib
import glob
import os
import shutil
import subprocess
import tempfile
from itertools import count

import pytest

# In memory: a sync of a busy disk takes seconds.
PLACE = "/dev/shm" if os.access("/dev/shm", os.W_OK) else "/tmp"
INITDB = (sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb")) or [shutil.which("initdb") or ""])[
    -1
]


def as_owner(words):
    """PostgreSQL refuses to run as root."""
    return ["setpriv", "--reuid=nobody", "--clear-groups", *words] if os.geteuid() == 0 else words


class Server:
    """A server on a socket in a folder, without a port: nothing else can be in the way."""

    def __init__(self, folder):
        self.folder, self._names = folder, count()
        self._programs = os.path.dirname(INITDB)
        self._data = os.path.join(folder, "data")
        self.url = f"postgresql://postgres@/postgres?host={folder}"
        self.socket = os.path.join(folder, ".s.PGSQL.5432")

    def run(self, program, *words):
        command = as_owner([f"{self._programs}/{program}", "-D", self._data, *words])
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=self.folder)

    def make(self):
        words = "-U postgres -A trust -N --locale=C -E UTF8 --wal-segsize=1"
        self.run("initdb", *words.split())

    def start(self):
        settings = f"-k {self.folder} -c listen_addresses= -c autovacuum=off -c max_wal_size=32MB"
        self.run("pg_ctl", "-o", settings, "-w", "-l", f"{self.folder}/log", "start")

    def stop(self, mode="immediate"):
        self.run("pg_ctl", "-m", mode, "stop")

    def ask(self, sql, url=""):
        """Run statements as somebody else."""
        import psycopg

        with psycopg.connect(url or self.url, autocommit=True) as connection:
            cursor = connection.execute(sql)
            return cursor.fetchall() if cursor.description else []

    def schema(self, name="", **settings):
        """Return the URL of a fresh schema; settings are of libpq, with ``_`` in their names."""
        name = name or f"s{next(self._names)}"
        self.ask(f"drop schema if exists {name} cascade")
        self.ask(f"create schema {name}")
        more = "".join(f"&{key}={value}" for key, value in settings.items())
        return f"{self.url}&options=-csearch_path%3D{name}{more}"

    @contextlib.contextmanager
    def locked(self):
        """Hold the lock of the writers, as any user of the database can."""
        import psycopg

        with psycopg.connect(self.url) as connection:
            connection.execute(f"select pg_advisory_xact_lock({0x686C6E67})")
            yield
            connection.rollback()


@pytest.fixture(scope="session")
def postgresql():
    """A server, which is there for the whole run."""
    pytest.importorskip("psycopg", reason="psycopg is not installed")
    if not INITDB:
        pytest.skip("PostgreSQL is not installed")
    with tempfile.TemporaryDirectory(prefix="hl-pg-", dir=PLACE) as folder:
        os.chmod(folder, 0o777)
        server = Server(folder)
        server.make()
        server.start()
        try:
            yield server
        finally:
            server.stop("fast")
